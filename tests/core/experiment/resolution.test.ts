import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../src/core/experiment/evaluate.ts';
import {
  detectableDrift,
  noisePerPair,
  pairsFor,
  pairsNeeded,
  resolutionOf,
} from '../../../src/core/experiment/resolution.ts';
import { referenceBlocks, runsOf } from './reference.ts';

const plan = {
  seed: 1,
  looks: [10],
  alpha: 0.05,
  minEffect: { relative: 0.05, absolute: 10 },
  gates: ['load'],
  strict: false,
};

function observed(canBeZero = false) {
  const { comparisons, criticalValue = Number.NaN } = evaluate({
    runs: runsOf('load', referenceBlocks),
    plan,
    metrics: [{ name: 'load', unit: 'ms', canBeZero }],
    looksTaken: [10],
  });
  const [comparison] = comparisons;
  if (!comparison) throw new Error('the gate is compared');
  return { comparison, criticalValue, plan };
}

describe('detectableDrift', () => {
  it('is z(1 − α/2) + z(.8) for a single look', () => {
    // 1.959964 + 0.841621; that the other side may be crossed too is less than 1e-6.
    expect(detectableDrift([40], 0.05)).toBeCloseTo(2.801585, 4);
    expect(detectableDrift([40], 0.025)).toBeCloseTo(2.241403 + 0.841621, 4);
  });

  it('costs little more with looks', () => {
    const drift = detectableDrift([10, 16, 22, 28, 34, 40], 0.05);
    expect(drift).toBeGreaterThan(2.8016);
    expect(drift).toBeCloseTo(2.89986, 4);
  });
});

describe('resolution', () => {
  it('takes the noise out of an interval', () => {
    expect(noisePerPair({ low: -0.04, high: 0.04 }, 2, 25)).toBeCloseTo(0.1, 12);
    expect(noisePerPair({}, 2, 25)).toBeUndefined();
    expect(noisePerPair({ low: 0, high: 1 }, Number.POSITIVE_INFINITY, 25)).toBeUndefined();
  });

  it('needs four times the pairs for half the change', () => {
    expect(pairsFor(0.1, 0.1, 2.8)).toBe(8);
    expect(pairsFor(0.05, 0.1, 2.8)).toBe(32);
    expect(pairsFor(10, 0.1, 2.8)).toBe(2);
  });

  it('tells the same of changes and of pairs', () => {
    const seen = observed();
    for (const pairs of [10, 40, 100]) {
      const smallest = resolutionOf(seen, pairs);
      expect(smallest?.absolute).toBeCloseTo((smallest?.relative ?? Number.NaN) * 1505, 6);
      expect(pairsNeeded(seen, smallest?.relative ?? Number.NaN)).toBe(pairs);
    }
    expect(resolutionOf(seen, 40)?.relative).toBeLessThan(resolutionOf(seen, 10)?.relative ?? 0);
  });

  it('is in the unit for metrics that can be 0', () => {
    const seen = observed(true);
    const smallest = resolutionOf(seen, 40);
    expect(smallest).toEqual({ pairs: 40, absolute: expect.any(Number) });
    expect(pairsNeeded(seen, smallest?.absolute ?? Number.NaN)).toBe(40);
  });

  it('is not known without an interval', () => {
    const { comparison, ...rest } = observed();
    const { difference: _, ...without } = comparison;
    expect(resolutionOf({ ...rest, comparison: without }, 40)).toBeUndefined();
    expect(pairsNeeded({ ...rest, comparison: without }, 0.05)).toBeUndefined();
    expect(pairsNeeded({ ...rest, comparison }, 0)).toBeUndefined();
  });
});
