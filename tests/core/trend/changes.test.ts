import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { historyOf, worlds } from '../../../bench/trend/simulate.ts';
import { FEWEST, readSeries, type SeriesPoint } from '../../../src/core/trend/changes.ts';

const settings = { limitAt: () => Math.log(1.05), alpha: 0.025 };
const [steady] = worlds;
if (!steady) throw new Error('the list has worlds');

const points = (...values: readonly number[]): readonly SeriesPoint[] =>
  values.map((value) => ({ value: Math.log(value), error: 0.01 }));
const level = (value: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => value * (1 + 0.01 * ((i % 3) - 1)));
const marksOf = (series: readonly SeriesPoint[]) => readSeries(series, settings).changes.map(({ from }) => from);

describe('what is a change', () => {
  it.each([
    ['nothing', [], []],
    ['one result', [1000], []],
    ['a calm history', level(1000, 40), []],
    ['a step up', [...level(1000, 10), ...level(1200, 5)], [10]],
    ['a step down', [...level(1000, 10), ...level(800, 5)], [10]],
    ['up and back', [...level(1000, 10), ...level(1300, 6), ...level(1000, 6)], [10, 16]],
    ['a step, and a larger one soon after', [...level(1000, 10), ...level(1250, 6), ...level(2400, 8)], [10, 16]],
    ['a step, and a much larger one', [...level(1000, 10), ...level(1100, 6), ...level(5000, 8)], [10, 16]],
    ['a step smaller than matters', [...level(1000, 20), ...level(1030, 20)], []],
    ['one bad night', [...level(1000, 10), 3000, ...level(1000, 10)], []],
    ['two bad nights in a row', [...level(1000, 10), 3000, 2500, ...level(1000, 10)], []],
    ['bad nights among good ones', [...level(1000, 10), 2000, 1000, 2500, 1010, 990, 2000, 1000, 1000], []],
    ['too few before', [1000, 1000, 2000, 2000, 2000], []],
    ['as few as can be', [1000, 1010, 990, 2000, 2010, 1990], [FEWEST]],
  ] as const)('%s', (_, values, marks) => {
    expect(marksOf(points(...values))).toEqual(marks);
  });

  it('estimates how far the level moved, with an interval that holds it', () => {
    const { changes } = readSeries(points(...level(1000, 20), ...level(1200, 20)), settings);
    const [change] = changes;
    expect(Math.exp(change?.estimate ?? 0)).toBeCloseTo(1.2, 2);
    expect(change?.low).toBeLessThan(Math.log(1.2));
    expect(change?.high).toBeGreaterThan(Math.log(1.2));
    expect(change?.low).toBeGreaterThan(0);
  });

  it.each([
    ['one', [...level(1000, 12), 1500], 12],
    ['two', [...level(1000, 12), 1500, 1490], 12],
  ] as const)('tells of %s at the end that lie off, without marking them', (_, values, from) => {
    const { changes, pending } = readSeries(points(...values), settings);
    expect(changes).toEqual([]);
    expect(pending?.from).toBe(from);
    expect(pending?.estimate).toBeGreaterThan(Math.log(1.4));
  });

  it('says nothing of an end that went up and down', () => {
    expect(readSeries(points(...level(1000, 12), 1500, 1000), settings).pending).toBeUndefined();
  });
});

// Three standard errors around what the benchmark measures; `npm run bench:trend` has narrower ones.
describe('properties', () => {
  const series = fc
    .record({
      world: fc.constantFrom(...worlds),
      step: fc.constantFrom(0, 0.08, 0.15, -0.2, 0.5),
      nights: fc.integer({ min: 0, max: 50 }),
      seed: fc.nat(10_000),
    })
    .map((task) => historyOf({ ...task, histories: 1 }, 0));

  test('a mark rests on nothing that came later, is never taken back, and moves only while it is young', () => {
    fc.assert(
      fc.property(series, fc.nat(50), (all, cut) => {
        const before = marksOf(all.slice(0, cut));
        const after = marksOf(all).slice(0, before.length);
        expect(after).toHaveLength(before.length);
        for (const [i, mark] of before.entries()) {
          const moved = Math.abs((after[i] ?? Number.NaN) - mark);
          expect(moved).toBeLessThanOrEqual(cut - mark > 16 ? 0 : 8);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('levels have as many results as a change needs, and input stays as it is', () => {
    fc.assert(
      fc.property(series, (all) => {
        const copy = structuredClone(all);
        const marks = [0, ...marksOf(all), all.length];
        for (const [i, mark] of marks.entries()) {
          if (i > 0 && marks.length > 2) expect(mark - (marks[i - 1] ?? 0)).toBeGreaterThanOrEqual(FEWEST);
        }
        expect(all).toEqual(copy);
      }),
      { numRuns: 40 },
    );
  });

  test('another unit, or a mirrored page, has the same changes', () => {
    fc.assert(
      fc.property(series, fc.double({ min: -5, max: 5, noNaN: true }), (all, by) => {
        const marks = marksOf(all);
        expect(marksOf(all.map((point) => ({ ...point, value: point.value + by })))).toEqual(marks);
        expect(marksOf(all.map((point) => ({ ...point, value: -point.value })))).toEqual(marks);
      }),
      { numRuns: 40 },
    );
  });
});
