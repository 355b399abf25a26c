import { expect, it } from 'vitest';
import { cutAt, gapsBetween, mergedRanges, outermostWithin, usedRanges } from '../../../src/core/coverage/ranges.ts';

const range = (from: number, to: number, used: boolean) => ({ from, to, used });

it('the innermost range decides what was used', () => {
  const ranges = [range(0, 100, true), range(10, 60, false), range(20, 30, true), range(70, 80, false)];
  expect(mergedRanges(usedRanges(ranges))).toEqual([
    { from: 0, to: 10 },
    { from: 20, to: 30 },
    { from: 60, to: 70 },
    { from: 80, to: 100 },
  ]);
});

it('a block that is as long as its function decides, too', () => {
  expect(usedRanges([range(0, 10, true), range(0, 10, false)])).toEqual([]);
});

it('what any of the readings used is used', () => {
  const first = usedRanges([range(0, 100, true), range(10, 20, false), range(50, 60, false)]);
  const later = usedRanges([range(10, 20, true)]);
  expect(mergedRanges([...first, ...later])).toEqual([
    { from: 0, to: 50 },
    { from: 60, to: 100 },
  ]);
});

it('used ranges and gaps are the whole text, whatever the ranges', () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const nested = (from: number, to: number, depth: number): ReturnType<typeof range>[] => {
    const parts = [range(from, to, random(2) === 0)];
    for (let at = from; depth > 0 && at < to; ) {
      const begin = at + random(8);
      const end = Math.min(to, begin + 1 + random(20));
      if (begin < end) parts.push(...nested(begin, end, depth - 1));
      at = Math.max(end, begin + 1);
    }
    return parts;
  };
  for (let round = 0; round < 200; round += 1) {
    const ranges = nested(0, 200, 3);
    const innermost = Array.from(
      { length: 200 },
      (_, at) => ranges.filter(({ from, to }) => from <= at && at < to).at(-1)?.used,
    );
    const used = mergedRanges(usedRanges(ranges));
    const gaps = gapsBetween(used, 200);
    const found = innermost.map((_, at) => used.some(({ from, to }) => from <= at && at < to));
    expect(found).toEqual(innermost);
    const sum = [...used, ...gaps].reduce((total, { from, to }) => total + to - from, 0);
    expect(sum).toBe(200);
  }
});

it('functions that did not run are told without those inside of them', () => {
  const gaps = gapsBetween([{ from: 40, to: 60 }], 100);
  const functions = [range(0, 30, false), range(5, 10, false), range(35, 65, false), range(60, 100, false)];
  const found = outermostWithin(functions, gaps);
  expect(found).toEqual([range(0, 30, false), range(60, 100, false)]);
  expect(cutAt(gaps, found)).toEqual([
    { from: 0, to: 30 },
    { from: 30, to: 40 },
    { from: 60, to: 100 },
  ]);
});
