import { describe, expect, it } from 'vitest';
import { randomFor } from '../../../bench/statistics/random.ts';
import { type Loads, provenChanges } from '../../../src/core/main-thread/proven.ts';
import { isProven } from '../../../src/core/main-thread/worth-naming.ts';

const LOADS = 8;
const FUNCTIONS = 60;

/**
 * Loads as a busy machine gives them: functions of 3 to 50 ms that take 15% more or less in each load, in one load of ten
 * half as long again because something else ran, and one of which grew.
 */
function lists(seed: number, grown: number): readonly Loads[] {
  const random = randomFor(seed);
  const load = (ms: number): number =>
    ms * Math.exp(0.15 * random.normal()) * (random.uniform() < 0.1 ? 1 + random.uniform() : 1);
  return Array.from({ length: FUNCTIONS }, (_, i) => {
    const ms = 3 * Math.exp(2.8 * random.uniform());
    const values = (more: number) => Array.from({ length: LOADS }, () => load(ms) + more);
    return { base: values(0), candidate: values(i === 0 ? grown : 0) };
  });
}

const provenIn = (list: readonly Loads[]): readonly number[] => {
  const changes = provenChanges(list);
  return list.flatMap((each, i) => (isProven(changes.get(each) ?? {}) ? [i] : []));
};

describe('provenChanges', () => {
  it('proves nothing of equal builds: in at most 5 of 100 lists of functions', () => {
    const wrong = Array.from({ length: 400 }, (_, seed) => provenIn(lists(seed, 0))).filter(
      (found) => found.length > 0,
    );
    expect(wrong.length).toBeLessThanOrEqual(20);
  });

  it('proves the function that grew, and hardly ever another', () => {
    const found = Array.from({ length: 200 }, (_, seed) => provenIn(lists(seed, 40)));
    expect(found.filter((proven) => proven.includes(0)).length).toBeGreaterThan(190);
    expect(found.filter((proven) => proven.some((i) => i !== 0)).length).toBeLessThanOrEqual(10);
  });

  it('is not misled by a load in which the machine did something else', () => {
    const [base, candidate] = [
      [20, 21, 19, 20, 20, 95, 21, 20],
      [40, 41, 39, 40, 42, 40, 41, 39],
    ];
    const loads = { base, candidate };
    const change = provenChanges([loads]).get(loads);
    expect(change?.difference).toBeCloseTo(20, 0);
    expect(isProven(change ?? {})).toBe(true);
  });

  it('takes loads that happen to agree for no better than samples can be', () => {
    const loads = { base: Array(LOADS).fill(10), candidate: Array(LOADS).fill(10.5) };
    expect(isProven(provenChanges([loads]).get(loads) ?? {})).toBe(false);
  });

  it('knows nothing of single loads', () => {
    const loads = { base: [10], candidate: [60] };
    expect(provenChanges([loads]).get(loads)).toEqual({ base: 10, candidate: 60, difference: 50, level: 0.95 });
  });
});
