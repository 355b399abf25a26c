import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BlockValues, estimateShift } from '../../../src/core/experiment/hodges-lehmann.ts';
import { logBlocks, onLogScale, referenceBlocks, swapped } from './reference.ts';

const percent = (end: number | undefined) => 100 * Math.expm1(end ?? Number.NaN);

/** Blocks of two and two times, with outliers and ties among them. */
const blocksOfTimes = fc.array(
  fc.record({
    base: fc.tuple(fc.integer({ min: 200, max: 260 }), fc.integer({ min: 200, max: 3000 })),
    candidate: fc.tuple(fc.integer({ min: 200, max: 260 }), fc.integer({ min: 200, max: 3000 })),
  }),
  { minLength: 1, maxLength: 12 },
);
const Z = 1.959964;

describe('estimateShift', () => {
  it('gives the reference values', () => {
    const shift = estimateShift(logBlocks);
    expect(shift?.estimate).toBeCloseTo(0.0379504, 7);
    expect(percent(shift?.estimate)).toBeCloseTo(3.868, 4);
    expect(shift?.rankDeviation).toBeCloseTo(11.32107, 5);
    const usual = shift?.interval(1.959964);
    expect([percent(usual?.low), percent(usual?.high)].map((end) => end.toFixed(4))).toEqual(['2.0819', '5.1231']);
    const wide = shift?.interval(2.955243);
    expect([percent(wide?.low), percent(wide?.high)].map((end) => end.toFixed(4))).toEqual(['0.9085', '5.9524']);
    expect(shift?.rankSum.observed).toBe(143);
    expect(shift?.rankSum.expected).toBe(105);
    expect(shift?.rankSum.deviation).toBeCloseTo(13.6565, 4);
    expect(shift?.p).toBeCloseTo(0.005393, 6);
  });

  it('takes the ranks of the differences that the formula names', () => {
    const { base, candidate } = {
      base: logBlocks.flatMap((b) => b.base),
      candidate: logBlocks.flatMap((b) => b.candidate),
    };
    const differences = candidate.flatMap((b) => base.map((a) => b - a)).sort((a, b) => a - b);
    const shift = estimateShift(logBlocks);
    // C = 27 and C = 16 of 100 differences, from 1.
    expect(shift?.interval(1.959964)).toEqual({ low: differences[26], high: differences[73] });
    expect(shift?.interval(2.955243)).toEqual({ low: differences[15], high: differences[84] });
  });

  it('comes close to all 7776 permutations within blocks', () => {
    const values = logBlocks.map(({ base, candidate }) => [...base, ...candidate]);
    const pooled = values.flat().toSorted((a, b) => a - b);
    const ranks = values.map((block) => block.map((value) => pooled.indexOf(value) + 1));
    const sums = ranks.map(([a = 0, b = 0, c = 0, d = 0]) => [a + b, a + c, a + d, b + c, b + d, c + d]);
    const all = sums.reduce((totals, block) => totals.flatMap((sum) => block.map((each) => sum + each)), [0]);
    const asExtreme = all.filter((sum) => Math.abs(sum - 105) >= 38).length / all.length;
    expect(asExtreme).toBeCloseTo(0.004887, 6);
    expect(estimateShift(logBlocks)?.p).toBeCloseTo(asExtreme, 2);
  });

  it('is unbounded where so few loads cannot bear the level', () => {
    const shift = estimateShift(logBlocks.slice(0, 1));
    expect(shift?.interval(Z)).toEqual({});
    expect(estimateShift(logBlocks)?.interval(Number.POSITIVE_INFINITY)).toEqual({});
  });

  it('knows that equal values do not differ', () => {
    const shift = estimateShift([{ base: [5, 5], candidate: [5, 5] }]);
    expect(shift).toMatchObject({ estimate: 0, rankDeviation: 0, p: 1 });
    expect(shift?.interval(3)).toEqual({ low: 0, high: 0 });
    expect(shift?.interval(Number.POSITIVE_INFINITY)).toEqual({ low: 0, high: 0 });
  });

  it('is not sure after two loads because they were constant', () => {
    const block: BlockValues = { base: [100, 100], candidate: [101, 101] };
    expect(estimateShift([block])?.interval(Z)).toEqual({});
    const five = estimateShift(Array.from({ length: 5 }, () => block));
    expect(five?.interval(2.955243)).toEqual({ low: 1, high: 1 });
    expect(five?.p).toBeLessThan(0.001);
  });

  it('counts ties half, and values that differ by rounding as ties', () => {
    // Ranks 1.5 1.5 3.5 3.5, half of the pairs each way round: no evidence at all.
    const tied = estimateShift([
      { base: [0.1 + 0.2, 1], candidate: [0.3, 1] },
      { base: [0.3, 1], candidate: [0.1 + 0.2, 1] },
    ]);
    expect(tied?.estimate).toBeCloseTo(0, 12);
    expect(tied?.p).toBe(1);
    const alike = estimateShift(
      Array.from({ length: 5 }, () => ({ base: [0.3, 0.3], candidate: [0.1 + 0.2, 0.1 + 0.2] })),
    );
    expect(alike?.interval(Z)).toEqual({ low: 0, high: 0 });
    expect(alike?.p).toBe(1);
  });

  it('follows the formula for blocks of any size', () => {
    // Ranks: base 1, candidate 2, 3 | base 4, 5, candidate 6. V = 2·1·2/(3·2)·… by hand: ⅓·2 + ⅓·2.
    const shift = estimateShift([
      { base: [1], candidate: [2, 3] },
      { base: [4, 5], candidate: [6] },
      { base: [7], candidate: [] },
    ]);
    expect(shift?.rankSum.observed).toBe(11);
    expect(shift?.rankSum.expected).toBe(2 * 2 + 5);
    expect(shift?.rankSum.deviation).toBeCloseTo(Math.sqrt(4 / 3), 12);
    expect(estimateShift([{ base: [7], candidate: [] }])).toBeUndefined();
    expect(estimateShift([])).toBeUndefined();
  });

  it('mirrors the answer when the builds are swapped', () => {
    fc.assert(
      fc.property(blocksOfTimes, (blocks) => {
        const [one, other] = [estimateShift(onLogScale(blocks)), estimateShift(onLogScale(swapped(blocks)))];
        expect(other?.estimate).toBeCloseTo(-(one?.estimate ?? Number.NaN), 12);
        expect(other?.p).toBeCloseTo(one?.p ?? Number.NaN, 12);
        const [interval, mirror] = [one?.interval(Z), other?.interval(Z)];
        expect(mirror?.low === undefined).toBe(interval?.high === undefined);
        if (mirror?.low !== undefined) expect(mirror.low).toBeCloseTo(-(interval?.high ?? Number.NaN), 12);
      }),
    );
  });

  it('does not care for the unit of time, nor for the order of blocks', () => {
    fc.assert(
      fc.property(blocksOfTimes, fc.double({ min: 0.01, max: 100, noNaN: true }), (blocks, unit) => {
        const times = (by: number) =>
          blocks.map(({ base, candidate }) => ({
            base: base.map((t) => t * by),
            candidate: candidate.map((t) => t * by),
          }));
        const one = estimateShift(onLogScale(times(1)));
        for (const other of [estimateShift(onLogScale(times(unit))), estimateShift(onLogScale(blocks.toReversed()))]) {
          expect(other?.estimate).toBeCloseTo(one?.estimate ?? Number.NaN, 10);
          expect(other?.p).toBeCloseTo(one?.p ?? Number.NaN, 10);
          const [a, b] = [one?.interval(Z), other?.interval(Z)];
          expect(b?.low ?? 99).toBeCloseTo(a?.low ?? 99, 10);
          expect(b?.high ?? 99).toBeCloseTo(a?.high ?? 99, 10);
        }
      }),
    );
  });

  it('widens with z, holds its estimate, and never says NaN', () => {
    fc.assert(
      fc.property(blocksOfTimes, (blocks) => {
        const shift = estimateShift(onLogScale(blocks));
        const [narrow, wide] = [shift?.interval(1), shift?.interval(2)];
        const estimate = shift?.estimate ?? Number.NaN;
        expect(Number.isNaN(estimate)).toBe(false);
        expect(shift?.p).toBeGreaterThanOrEqual(0);
        expect(shift?.p).toBeLessThanOrEqual(1);
        expect(narrow?.low ?? Number.NEGATIVE_INFINITY).toBeLessThanOrEqual(estimate);
        expect(wide?.low ?? Number.NEGATIVE_INFINITY).toBeLessThanOrEqual(narrow?.low ?? Number.NEGATIVE_INFINITY);
        expect(wide?.high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(narrow?.high ?? Number.POSITIVE_INFINITY);
      }),
    );
  });

  it('leaves its input as it is', () => {
    const before = structuredClone(referenceBlocks);
    const frozen = referenceBlocks.map((block) =>
      Object.freeze({ base: Object.freeze([...block.base]), candidate: Object.freeze([...block.candidate]) }),
    );
    estimateShift(Object.freeze(frozen))?.interval(2);
    expect(frozen).toEqual(before);
  });
});
