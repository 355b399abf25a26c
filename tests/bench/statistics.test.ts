import { describe, expect, it } from 'vitest';
import { MACHINES, noises, severalMachines } from '../../bench/statistics/noise.ts';
import { randomFor } from '../../bench/statistics/random.ts';
import { quiesce, rules, studentQuantile } from '../../bench/statistics/rules.ts';
import { ourShards, shardRules } from '../../bench/statistics/shards.ts';
import { simulate, type Tally, type Task, total } from '../../bench/statistics/simulate.ts';
import { blockOrder } from '../../src/core/experiment/blocks.ts';
import { evaluate } from '../../src/core/experiment/evaluate.ts';
import type { PlacedRun } from '../../src/model/compare/comparison.ts';

/** Comparisons a scenario: enough to tell 5 % from 10 %, few enough for every day. */
const COMPARISONS = 400;
const USUAL: Task = { noise: 'outliers', rule: 'quiesce', change: 0, from: 0, to: COMPARISONS, seed: 1 };
/** What was simulated once is the same ever after. */
const done = new Map<string, Tally>();
function run(parts: Partial<Task>): Tally {
  const task = { ...USUAL, ...parts };
  const key = JSON.stringify(task);
  const tally = done.get(key) ?? simulate(task);
  done.set(key, tally);
  return tally;
}

describe('the method, simulated', () => {
  // Three standard errors of 400 comparisons around the goals; the full benchmark has the narrow ones.
  it.each(noises.map(({ name }) => name))('%s: is right as often as it says', (noise) => {
    const same = run({ noise });
    expect((same.slower + same.faster) / same.comparisons).toBeLessThan(0.085);
    expect(same.covers / same.comparisons).toBeGreaterThan(0.91);
    const five = run({ noise, change: 0.05 });
    expect(five.covers / five.comparisons).toBeGreaterThan(0.91);
    expect(five.slower / five.comparisons).toBeGreaterThan(0.85);
    expect(five.faster).toBe(0);
  });

  it('has more power and needs fewer pairs than tachometer’s rule, which is wrong more often', () => {
    const [ours, theirs] = ['quiesce', 'tachometer'].map((rule) => ({
      same: run({ rule }),
      five: run({ rule, change: 0.05 }),
    }));
    expect(ours?.five.slower).toBeGreaterThan(theirs?.five.slower ?? Number.NaN);
    expect(ours?.five.pairs).toBeLessThan(theirs?.five.pairs ?? Number.NaN);
    expect(ours?.same.slower).toBeLessThan(theirs?.same.slower ?? Number.NaN);
    expect(theirs?.same.slower).toBeGreaterThan(0);
  });

  it('shows what loading one build after the other costs', () => {
    const wrong = run({ noise: 'strong drift', rule: 'all A, then all B' });
    expect((wrong.slower + wrong.faster) / wrong.comparisons).toBeGreaterThan(0.3);
  });
});

describe('several machines, simulated', () => {
  const shared = (rule: string, parts: Partial<Task> = {}) => run({ noise: 'four machines', rule, ...parts });
  const falsely = ({ slower, faster, comparisons }: Tally) => (slower + faster) / comparisons;

  it.each(ourShards.map(({ name }) => name))('%s: call 5 ± 0.7 percent of 4,000 equal builds different', (rule) => {
    const same = shared(rule, { to: 4000 });
    expect(Math.abs(falsely(same) - 0.05)).toBeLessThanOrEqual(0.007);
    expect(same.covers).toBe(same.comparisons - same.slower - same.faster);
  });

  it('lose nothing against one machine that does it all, and gain by being kept apart', () => {
    const [shards, alone, pooled] = ['four shards', 'one machine alone', 'four shards, pooled'].map((rule) =>
      shared(rule, { change: 0.05 }),
    );
    const width = (tally: Tally | undefined) => (tally?.width ?? Number.NaN) / (tally?.comparisons ?? Number.NaN);
    expect(width(shards)).toBeLessThan(1.05 * width(alone));
    expect(width(shards)).toBeLessThan(0.9 * width(pooled));
    expect(shards?.slower).toBeGreaterThan(pooled?.slower ?? Number.NaN);
  });

  it('show what a machine for each build costs, and a look that is not paid for', () => {
    expect(falsely(shared('a machine for each build'))).toBeGreaterThan(0.7);
    const [twice, once] = ['merged at half, and again', 'four shards'].map((rule) => shared(rule, { to: 1000 }));
    expect(twice && falsely(twice)).toBeGreaterThan(0.065);
    expect(once && falsely(once)).toBeLessThan(0.065);
  });

  it('are 30 % apart, and each what it is without the others', () => {
    const session = severalMachines.begin(randomFor(5));
    const [only, again] = [severalMachines.begin(randomFor(5)), severalMachines.begin(randomFor(5))];
    const medians = Array.from({ length: MACHINES }, (_, machine) => {
      const times = Array.from({ length: 301 }, () => session({ machine, load: 100, second: false }, 1)[0] ?? 0);
      return times.toSorted((a, b) => a - b)[150] ?? Number.NaN;
    });
    const ratio = Math.max(...medians) / Math.min(...medians);
    expect(ratio).toBeGreaterThan(1.22);
    expect(ratio).toBeLessThan(1.39);
    const place = { load: 3, second: true };
    again({ machine: 0, ...place }, 1);
    expect(again({ machine: 2, ...place }, 1)).toEqual(only({ machine: 2, ...place }, 1));
    expect(() => only({ machine: MACHINES, ...place }, 1)).toThrow('no machine 4');
  });
});

describe('the simulation', () => {
  it('comes out the same however the work is divided', () => {
    for (const [noise, all] of [
      ['outliers', rules],
      ['four machines', shardRules],
    ] as const) {
      for (const { name } of all) {
        const { width, ...whole } = run({ noise, rule: name, to: 30 });
        const parts = [run({ noise, rule: name, to: 11 }), run({ noise, rule: name, from: 11, to: 30 })];
        // Widths are added up in another order.
        expect(total(parts)).toEqual({ ...whole, width: expect.closeTo(width, 9) });
      }
    }
    expect(run({ to: 30, seed: 2 })).not.toEqual(run({ to: 30 }));
  });

  it('decides as a comparison does', () => {
    const noise = noises.find(({ name }) => name === 'two gates');
    if (!noise) throw new Error('the scenario is there');
    for (const [seed, factor] of [
      [1, 1],
      [2, 1.04],
      [3, 1.1],
      [4, 0.97],
    ] as const) {
      const outcome = quiesce.compare(noise.begin(randomFor(seed)), factor, seed, 2);
      const session = noise.begin(randomFor(seed));
      const names = ['pageComplete', 'largestContentfulPaint'];
      const runs: PlacedRun[] = [];
      const looksTaken: number[] = [];
      for (const pairs of [10, 16, 22, 28, 34, 40]) {
        while (runs.length < 2 * pairs) {
          const block = runs.length / 4;
          for (const [order, build] of blockOrder(seed, block).entries()) {
            const times = session({ load: runs.length, second: order % 2 === 1 }, build === 'base' ? 1 : factor);
            const metrics = Object.fromEntries(names.map((name, i) => [name, times[i] ?? Number.NaN]));
            runs.push({ index: runs.length + 1, role: 'timed', ok: true, build, block, order, metrics });
          }
        }
        looksTaken.push(pairs);
        const { decided, comparisons } = evaluate({
          runs,
          plan: {
            seed,
            looks: [10, 16, 22, 28, 34, 40],
            alpha: 0.05,
            minEffect: { relative: 0.05, absolute: 10 },
            gates: names,
            strict: false,
          },
          metrics: names.map((name) => ({ name, unit: 'ms' })),
          looksTaken,
        });
        if (!decided && pairs < 40) continue;
        const decisions = comparisons.map(({ decision }) => decision);
        expect(pairs).toBe(outcome.pairs);
        expect(decisions.includes('slower')).toBe(outcome.called === 'slower');
        expect(decisions.includes('faster') && !decisions.includes('slower')).toBe(outcome.called === 'faster');
        break;
      }
    }
  });

  it('has normal noise of the size that it says', () => {
    const random = randomFor(1, 2, 3);
    const drawn = Array.from({ length: 20_000 }, () => random.normal());
    const mean = drawn.reduce((sum, value) => sum + value, 0) / drawn.length;
    const variance = drawn.reduce((sum, value) => sum + (value - mean) ** 2, 0) / drawn.length;
    expect(Math.abs(mean)).toBeLessThan(0.03);
    expect(Math.abs(variance - 1)).toBeLessThan(0.04);
    expect(randomFor(1, 2, 3).uniform()).not.toBe(randomFor(1, 2, 4).uniform());
  });

  it.each([
    [9, 2.262157],
    [49, 2.009575],
    [78, 1.990847],
  ])('has the t-quantile of %d degrees of freedom', (freedom, t) => {
    expect(studentQuantile(0.975, freedom)).toBeCloseTo(t, 4);
  });
});
