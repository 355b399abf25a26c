import { describe, expect, it } from 'vitest';
import { decide, gateFails, overallDecision, pairsToSettle } from '../../../src/core/experiment/decision.ts';
import type { Decision } from '../../../src/model/compare/comparison.ts';

const bounds = { limit: 0.05 };

describe('decide', () => {
  it.each<[number | undefined, number | undefined, Decision]>([
    [0.001, 0.2, 'slower'],
    [-0.2, -0.001, 'faster'],
    // Significant and tiny: slower comes first.
    [0.001, 0.02, 'slower'],
    [-0.02, -0.001, 'faster'],
    [-0.05, 0.05, 'same'],
    [0, 0, 'same'],
    [0, 0.04, 'same'],
    [0, 0.06, 'unsure'],
    [-0.051, 0.01, 'unsure'],
    [-0.01, 0.051, 'unsure'],
    [undefined, undefined, 'unsure'],
    [undefined, 0.01, 'unsure'],
    [0.01, undefined, 'slower'],
    [undefined, -0.01, 'faster'],
  ])('of %d to %d is %s', (low, high, decision) => {
    expect(decide({ ...(low !== undefined && { low }), ...(high !== undefined && { high }) }, bounds)).toBe(decision);
  });
});

describe('gateFails', () => {
  it.each<[Decision, number, number, boolean, boolean]>([
    ['slower', 0.05, 0.01, true, false],
    ['slower', 0.049, 0.01, false, false],
    ['slower', 0.08, 0.051, true, true],
    ['slower', 0.08, 0.05, true, false],
    ['faster', -0.08, -0.1, false, false],
    ['same', 0.01, -0.01, false, false],
    ['unsure', 0.08, -0.01, false, false],
  ])('%s by %d, at least %d: %s, strict %s', (decision, estimate, low, fails, failsStrict) => {
    expect(gateFails(decision, { estimate, low }, bounds, false)).toBe(fails);
    expect(gateFails(decision, { estimate, low }, bounds, true)).toBe(failsStrict);
  });
});

describe('overallDecision', () => {
  it.each<[readonly Decision[], Decision]>([
    [['same', 'slower'], 'slower'],
    [['faster', 'slower'], 'slower'],
    [['unsure', 'slower'], 'slower'],
    [['faster', 'unsure'], 'unsure'],
    [['faster', 'same'], 'faster'],
    [['same', 'same'], 'same'],
    [[], 'unsure'],
  ])('of %j is %s', (gates, decision) => {
    expect(overallDecision(gates)).toBe(decision);
  });
});

describe('pairsToSettle', () => {
  // Standard error 0.02 with 40 pairs: 0.1265 with one.
  const at = (estimate: number) =>
    pairsToSettle({ estimate, interval: (z) => ({ low: estimate - 0.02 * z, high: estimate + 0.02 * z }) }, bounds, {
      pairs: 40,
      criticalValue: 2,
      drift: 2.9,
    });

  it('is what the nearer answer needs: a difference, or none that matters', () => {
    // 40·(2.9·0.02/0.04)², up to a whole block.
    expect(at(0.04)).toBe(86);
    expect(at(-0.04)).toBe(86);
    expect(at(0)).toBe(Math.ceil((40 * (2.9 * 0.4) ** 2) / 2) * 2);
    // Half-way between 0 and the limit is the hardest, and has an answer too.
    expect(at(0.025)).toBe(216);
  });

  it('is more than there are', () => {
    expect(at(0.2)).toBe(42);
  });

  it('is not known without an interval', () => {
    expect(
      pairsToSettle({ estimate: 0.1, interval: () => ({}) }, bounds, { pairs: 2, criticalValue: 2, drift: 3 }),
    ).toBeUndefined();
    expect(
      pairsToSettle({ estimate: 0, interval: () => ({ low: -1, high: 1 }) }, bounds, {
        pairs: 2,
        criticalValue: Number.POSITIVE_INFINITY,
        drift: 3,
      }),
    ).toBeUndefined();
  });
});
