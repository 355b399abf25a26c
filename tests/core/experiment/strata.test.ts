import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EvaluationInput, evaluate } from '../../../src/core/experiment/evaluate.ts';
import { type BlockValues, estimateShift, type Shift } from '../../../src/core/experiment/hodges-lehmann.ts';
import { hostControl as control } from '../../../src/core/experiment/host-control.ts';
import { onAxis, pairedValues } from '../../../src/core/experiment/paired-values.ts';
import type { ExperimentPlan, PlacedRun } from '../../../src/model/compare/comparison.ts';
import { hostComparisonInWords } from '../../../src/wording/compare/host-comparison.ts';
import { logBlocks, onLogScale, referenceBlocks, runsOf, swapped } from './reference.ts';
import { estimateUnstratified } from './unstratified.ts';

const hostControl = (runs: Parameters<typeof control>[0]) => hostComparisonInWords(control(runs));

/**
 * The same cases every time, and more of them: what rounding does to ties of logarithms may move the end of an interval
 * to the next rank, in one of very many cases.
 */
const CASES = { seed: 20, numRuns: 200 };

const LEVELS = [0, 0.5, 1, 1.959964, 2.955243, Number.POSITIVE_INFINITY];

const times = fc.array(
  fc.oneof(fc.integer({ min: 200, max: 260 }), fc.integer({ min: 200, max: 3000 }), fc.constantFrom(200, 210, 220)),
  { minLength: 1, maxLength: 3 },
);
/** Blocks of any size, with outliers and ties. */
const anyBlocks = fc.array(fc.record({ base: times, candidate: times }), { minLength: 1, maxLength: 10 });

const twoLoads = fc.tuple(fc.integer({ min: 20_000, max: 26_000 }), fc.integer({ min: 20_000, max: 90_000 }));
/** Whole blocks on up to four machines, many enough for an interval; the machines have as many as it comes. */
const fleets: fc.Arbitrary<readonly BlockValues[]> = fc.array(
  fc.record({ base: twoLoads, candidate: twoLoads, stratum: fc.integer({ min: 1, max: 4 }) }),
  { minLength: 3, maxLength: 14 },
);

/** All that an estimate says. */
function saidBy(shift: Shift | undefined) {
  return shift && { ...shift, interval: LEVELS.map((z) => shift.interval(z)) };
}

function onLog(blocks: readonly BlockValues[]): readonly BlockValues[] {
  return onAxis(blocks, Math.log);
}

/** The same to ten digits: what rounding leaves of equal differences may fall on either side of others. */
function expectAlike(one: Shift | undefined, other: Shift | undefined, moved = 0): void {
  const [a, b] = [saidBy(one), saidBy(other)];
  expect(b?.estimate).toBeCloseTo((a?.estimate ?? Number.NaN) + moved, 10);
  if (moved === 0) expect(b?.p).toBeCloseTo(a?.p ?? Number.NaN, 10);
  for (const [i, { low, high }] of (b?.interval ?? []).entries()) {
    const expected = a?.interval[i];
    expect(low ?? 99).toBeCloseTo(expected?.low === undefined ? 99 : expected.low + moved, 10);
    expect(high ?? 99).toBeCloseTo(expected?.high === undefined ? 99 : expected.high + moved, 10);
  }
}

describe('one stratum', () => {
  it('says to the last bit what was said before there were strata', () => {
    fc.assert(
      fc.property(anyBlocks, fc.constantFrom(undefined, 1, 7), (drawn, stratum) => {
        const blocks = drawn.map((block) => (stratum === undefined ? block : { ...block, stratum }));
        for (const scaled of [drawn, onLogScale(drawn)]) {
          const now = estimateShift(scaled.map((block, i) => ({ ...blocks[i], ...block })));
          expect(saidBy(now)).toEqual(saidBy(estimateUnstratified(scaled)));
        }
      }),
      CASES,
    );
    expect(saidBy(estimateShift(logBlocks))).toEqual(saidBy(estimateUnstratified(logBlocks)));
  });
});

describe('strata', () => {
  it('have the estimate and the ranks of their own', () => {
    // Worked out by hand. Machine 1: differences 2 1 3 2, ranks 1 2 | 3 4. Machine 2: 1 3 4 6 (5 loads, one block of 2 and 1).
    const shift = estimateShift([
      { base: [1, 2], candidate: [3, 4], stratum: 1 },
      { base: [100, 103], candidate: [104], stratum: 2 },
    ]);
    // N = 4 and 3, mean 3.5: weights 4.5/5 and 4.5/4, rounded to 2⁻²⁰.
    const [one, two] = [0.9, 1.125].map((weight) => Math.round(weight * 2 ** 20) / 2 ** 20) as [number, number];
    expect(shift?.rankSum.observed).toBe(7 * one + 3 * two);
    expect(shift?.rankSum.expected).toBe(5 * one + 2 * two);
    // Block variances: 2·2/(4·3)·5 and 2·1/(3·2)·2.
    expect(shift?.rankSum.deviation).toBeCloseTo(Math.sqrt((one ** 2 * 5) / 3 + (two ** 2 * 2) / 3), 12);
    // Differences 1, 1, 2, 2, 3 and 4 weigh 1.125, .9, .9, .9, .9 and 1.125; half of 5.85 is reached at 2.
    expect(shift?.estimate).toBe(2);
  });

  it('of one size weigh 1: the interval has the ranks of all differences within them', () => {
    const blocks = [...referenceBlocks.slice(0, 4)].map((block, i) => ({ ...block, stratum: i % 2 }));
    const differences = [0, 1]
      .flatMap((stratum) => {
        const own = blocks.filter((block) => block.stratum === stratum);
        return own.flatMap(({ candidate }) =>
          candidate.flatMap((b) => own.flatMap(({ base }) => base.map((a) => b - a))),
        );
      })
      .toSorted((a, b) => a - b);
    expect(differences).toHaveLength(32);
    const shift = estimateShift(blocks);
    expect(shift?.estimate).toBe(((differences[15] ?? 0) + (differences[16] ?? 0)) / 2);
    const rank = Math.floor(16 - 1.5 * (shift?.rankDeviation ?? Number.NaN));
    expect(rank).toBeGreaterThan(1);
    expect(shift?.interval(1.5)).toEqual({ low: differences[rank - 1], high: differences[32 - rank] });
  });

  it('need loads of both builds in each block, as ever', () => {
    const lone = { base: [5], candidate: [], stratum: 9 };
    expect(saidBy(estimateShift([...logBlocks, lone]))).toEqual(saidBy(estimateShift(logBlocks)));
  });

  it('that are constant are no more certain than chance is', () => {
    // The first machine alone could not be sure after two pairs, and is not with a second beside it.
    const constant = { base: [100, 100], candidate: [101, 101], stratum: 1 };
    const alone = estimateShift([constant]);
    const both = estimateShift([constant, { base: [200, 210], candidate: [201, 211], stratum: 2 }]);
    expect(both?.estimate).toBe(1);
    expect(both?.rankDeviation).toBeGreaterThan(alone?.rankDeviation ?? Number.NaN);
    const equal = estimateShift(
      [1, 2].map((stratum) => ({ base: [stratum, stratum], candidate: [stratum, stratum], stratum })),
    );
    expect(equal).toMatchObject({ estimate: 0, rankDeviation: 0, p: 1 });
    expect(equal?.interval(3)).toEqual({ low: 0, high: 0 });
  });

  it('may have any numbers', () => {
    fc.assert(
      fc.property(fleets, fc.uniqueArray(fc.integer(), { minLength: 5, maxLength: 5 }), (blocks, numbers) => {
        const renamed = blocks.map((block) => ({ ...block, stratum: numbers[block.stratum ?? 0] ?? 0 }));
        expect(saidBy(estimateShift(onLog(renamed)))).toEqual(saidBy(estimateShift(onLog(blocks))));
        expectAlike(estimateShift(onLog(blocks)), estimateShift(onLog(blocks.toReversed())));
      }),
      CASES,
    );
  });

  it('cancel: a machine that is slower by any factor changes nothing', () => {
    fc.assert(
      fc.property(fleets, fc.double({ min: 0.01, max: 100, noNaN: true }), (blocks, factor) => {
        const slower = blocks.map(({ base, candidate, stratum = 0 }) => {
          const by = stratum === 2 ? factor : 1;
          return { base: base.map((t) => t * by), candidate: candidate.map((t) => t * by), stratum };
        });
        expectAlike(estimateShift(onLog(blocks)), estimateShift(onLog(slower)));
      }),
      CASES,
    );
  });

  it('move with the candidate', () => {
    fc.assert(
      fc.property(fleets, fc.integer({ min: -5000, max: 5000 }), (blocks, moved) => {
        // Builds that are constant apart from the shift vary by what the shift makes of their ranks.
        fc.pre(blocks.every(({ base, candidate }) => new Set([...base, ...candidate]).size > 2));
        const later = blocks.map((block) => ({ ...block, candidate: block.candidate.map((value) => value + moved) }));
        const [one, other] = [estimateShift(blocks), estimateShift(later)];
        expectAlike(one, other, moved);
        expect(other?.rankDeviation).toBe(one?.rankDeviation);
      }),
      CASES,
    );
  });

  it('mirror the answer when the builds are swapped', () => {
    fc.assert(
      fc.property(fleets, (blocks) => {
        const other = swapped(blocks).map((block, i) => ({ ...block, stratum: blocks[i]?.stratum ?? 0 }));
        const [one, mirror] = [saidBy(estimateShift(blocks)), saidBy(estimateShift(other))];
        expect((mirror?.estimate ?? 9) + (one?.estimate ?? 9)).toBe(0);
        expect(mirror?.p).toBeCloseTo(one?.p ?? Number.NaN, 12);
        for (const [i, { low, high }] of (mirror?.interval ?? []).entries()) {
          const expected = one?.interval[i];
          expect((low ?? 99) + (expected?.high ?? -99)).toBe(0);
          expect((high ?? 99) + (expected?.low ?? -99)).toBe(0);
        }
      }),
      CASES,
    );
  });

  it('hold the estimate, and widen with z', () => {
    fc.assert(
      fc.property(fleets, (blocks) => {
        const shift = estimateShift(onLog(blocks));
        const estimate = shift?.estimate ?? Number.NaN;
        let [low, high] = [estimate, estimate];
        for (const z of LEVELS) {
          const interval = shift?.interval(z);
          expect(interval?.low ?? Number.NEGATIVE_INFINITY).toBeLessThanOrEqual(low);
          expect(interval?.high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(high);
          [low, high] = [interval?.low ?? Number.NEGATIVE_INFINITY, interval?.high ?? Number.POSITIVE_INFINITY];
        }
      }),
      CASES,
    );
  });

  it('come close to all permutations within blocks', () => {
    const machines = [1, 1, 2, 2, 2];
    const blocks = logBlocks.map((block, i) => ({ ...block, stratum: machines[i] ?? 0 }));
    const shift = estimateShift(blocks);
    const { observed = 0, expected = 0 } = shift?.rankSum ?? {};
    const arrangements = [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ];
    // Every block's loads, dealt to the candidate in all six ways, by the weighted rank sum that each gives.
    const sums = blocks.map(({ base, candidate, stratum }) => {
      const loads = [...base, ...candidate];
      return arrangements.map((chosen) => {
        const dealt = {
          base: loads.filter((_, i) => !chosen.includes(i)),
          candidate: loads.filter((_, i) => chosen.includes(i)),
          stratum,
        };
        const others = blocks.filter((other) => other.base !== base);
        return (estimateShift([...others, dealt])?.rankSum.observed ?? 0) - observed;
      });
    });
    const all = sums.reduce((totals, block) => totals.flatMap((sum) => block.map((each) => sum + each)), [observed]);
    const extreme = Math.abs(observed - expected) - 1e-9;
    const asExtreme = all.filter((sum) => Math.abs(sum - expected) >= extreme).length / all.length;
    expect(all).toHaveLength(7776);
    expect(asExtreme).toBeGreaterThan(0);
    expect(shift?.p).toBeCloseTo(asExtreme, 2);
  });
});

describe('machines', () => {
  const plan: ExperimentPlan = {
    seed: 1,
    looks: [10],
    alpha: 0.05,
    minEffect: { relative: 0.05, absolute: 10 },
    gates: ['pageComplete'],
    strict: false,
  };
  const metrics = [
    { name: 'pageComplete', unit: 'ms' },
    { name: 'totalBlockingTime', unit: 'ms', canBeZero: true },
  ] as const;
  const look = (runs: readonly PlacedRun[], parts: Partial<EvaluationInput> = {}) =>
    evaluate({ runs, plan, metrics, looksTaken: [10], ...parts });
  const reference = runsOf('pageComplete', referenceBlocks);
  /** Blocks dealt to shards by their number, each on the machine that `machineOf` names. */
  const dealt = (runs: readonly PlacedRun[], machineOf: (shard: number) => number) =>
    runs.map((run) => ({ ...run, shard: ((run.block - 1) % 4) + 1, machine: machineOf(((run.block - 1) % 4) + 1) }));
  const byShard = (runs: readonly (PlacedRun & { readonly shard: number })[]) =>
    runs.toSorted((a, b) => a.shard - b.shard);

  it('are strata', () => {
    const runs = dealt(reference, (shard) => shard).slice(0, 8);
    expect(pairedValues(runs, ({ metrics: read }) => read?.pageComplete)).toEqual(
      referenceBlocks.slice(0, 2).map((block, i) => ({ ...block, stratum: i + 1 })),
    );
  });

  it('say on the same blocks to the last bit what one machine says, when they are one', () => {
    const blocks = fc.array(fc.record({ base: twoLoads, candidate: twoLoads }), { minLength: 5, maxLength: 10 });
    fc.assert(
      fc.property(blocks, fc.boolean(), fc.constantFrom(1, 1.2), (drawn, early, factor) => {
        const slower = drawn.map(({ base, candidate }) => ({ base, candidate: candidate.map((t) => t * factor) }));
        const runs = runsOf('pageComplete', slower);
        const pairs = drawn.length * 2;
        const looks = early ? [pairs - 4, pairs] : [pairs];
        const asked = { plan: { ...plan, looks }, looksTaken: looks };
        const whole = look(runs, asked);
        const shards = dealt(runs, () => 3);
        expect(look(shards, asked)).toEqual(whole);
        // As they come when shards are joined one after the other.
        expect(look(byShard(shards), asked)).toEqual(whole);
        expect(look(byShard(shards.map(({ machine: _, ...run }) => run)), asked)).toEqual(whole);
      }),
      { ...CASES, numRuns: 50 },
    );
  });

  it('have one look, at the end, at all of α', () => {
    for (const pairs of [10, 8]) {
      const runs = dealt(reference, (shard) => shard).filter(({ block }) => block * 2 <= pairs);
      const one = look(runs, { plan: { ...plan, looks: [pairs] }, looksTaken: [pairs] });
      expect(one.criticalValue).toBeCloseTo(1.959964, 6);
      const two = look(runs, {
        plan: { ...plan, looks: [pairs], gates: ['pageComplete', 'totalBlockingTime'] },
        looksTaken: [pairs],
      });
      expect(two.criticalValue).toBeCloseTo(2.241403, 6);
    }
  });

  it('cancel in what is compared by ratio, and offsets cancel in what is compared by difference', () => {
    const blocks = Array.from({ length: 12 }, (_, i) => ({
      base: [1000 + 7 * i, 1040 - 3 * i],
      candidate: [1100 + 5 * i, 1130 - 6 * i],
    }));
    const speeds = [1, 1.3, 1.1, 1.25];
    const asked = { plan: { ...plan, looks: [24] }, looksTaken: [24] };
    const on = (change: (value: number, machine: number) => number, metric: string) =>
      look(
        dealt(
          runsOf(
            metric,
            blocks.map(({ base, candidate }, i) => ({
              base: base.map((value) => change(value, i % 4)),
              candidate: candidate.map((value) => change(value, i % 4)),
            })),
          ),
          (shard) => shard,
        ),
        asked,
      ).comparisons.find((each) => each.metric === metric);
    const [equal, apart] = [
      on((value) => value, 'pageComplete'),
      on((value, machine) => value * (speeds[machine] ?? 1), 'pageComplete'),
    ];
    expect(apart?.decision).toBe('slower');
    expect(apart?.difference?.relative).toBeCloseTo(equal?.difference?.relative ?? Number.NaN, 10);
    expect(apart?.difference?.low).toBeCloseTo(equal?.difference?.low ?? Number.NaN, 10);
    expect(apart?.difference?.high).toBeCloseTo(equal?.difference?.high ?? Number.NaN, 10);
    const [together, moved] = [
      on((value) => value, 'totalBlockingTime'),
      on((value, machine) => value + 500 * machine, 'totalBlockingTime'),
    ];
    expect(moved?.scale).toBe('shift');
    expect(moved?.difference?.absolute).toBe(together?.difference?.absolute);
    expect(moved?.difference?.low).toBe(together?.difference?.low);
  });

  it('are each compared with themselves by the control, and are told as several', () => {
    const steady = (index: number, machine: number) => 12 * (1 + 0.4 * machine) * (1 + 0.01 * ((index * 7) % 5));
    const runs = (slow: number, verdict: 'fit' | 'unfit' = 'fit') =>
      Array.from({ length: 80 }, (_, i): PlacedRun => {
        const build = [0, 3].includes(i % 4) ? 'base' : 'candidate';
        const block = Math.floor(i / 4) + 1;
        const machine = (block % 2) + 1;
        const microBenchmark = steady(i, machine) * (build === 'candidate' ? slow : 1);
        const host = { verdict, reasons: [], microBenchmark };
        return { index: i + 1, role: 'timed', ok: true, build, block, order: i % 4, machine, host };
      });
    const same = hostControl(runs(1));
    expect(same).toMatchObject({ verdict: 'fit', control: { differs: false } });
    expect(same.sentence).toMatch(/^The machines were the same for both builds/);
    const differs = hostControl(runs(1.08));
    expect(differs).toMatchObject({ verdict: 'differs', control: { relative: expect.closeTo(0.08, 2) } });
    expect(differs.sentence).toMatch(
      /^The machines themselves were 8\.\d% slower .* the machines' and not the build's\.$/,
    );
    expect(hostControl(runs(1, 'unfit')).sentence).toMatch(/^The machines were busy .* measure again on such\.$/);
    const one = runs(1).map(({ machine: _, ...run }) => run);
    expect(hostControl(one.map((run) => ({ ...run, machine: 2 })))).toEqual(hostControl(one));
  });
});
