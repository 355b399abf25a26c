import { expect, it } from 'vitest';
import { lastBetween, lastUntil, sortedByTime } from '../../../src/core/time/last-between.ts';

const come = sortedByTime(
  [
    { name: 'd', at: 30 },
    { name: 'a', at: 10 },
    { name: 'b', at: 20 },
    { name: 'c', at: 20 },
  ],
  ({ at }) => at,
);
const named = (from: number | undefined, until: number, fits = (_: string): boolean => true) =>
  lastBetween(come, { ...(from !== undefined && { after: from }), until }, ({ name }) => fits(name))?.name;

it('is the last until a moment, that moment with it', () => {
  expect(named(undefined, 9)).toBeUndefined();
  expect(named(undefined, 10)).toBe('a');
  expect(named(undefined, 20)).toBe('c');
  expect(named(undefined, 1_000)).toBe('d');
});

it('fits', () => {
  expect(named(undefined, 30, (name) => name < 'c')).toBe('b');
  expect(named(undefined, 30, () => false)).toBeUndefined();
});

it('came later than another moment, without that moment', () => {
  expect(named(10, 10)).toBeUndefined();
  expect(named(10, 20)).toBe('c');
  expect(named(20, 29)).toBeUndefined();
  expect(named(10, 30, (name) => name === 'a')).toBeUndefined();
});

it('looks at nothing that came before', () => {
  const asked: string[] = [];
  named(10, 20, (name) => {
    asked.push(name);
    return false;
  });
  expect(asked).toEqual(['c', 'b']);
});

it('gives the last few, in order', () => {
  const few = (until: number, most: number) => lastUntil(come, until, most).map(({ name }) => name);
  expect(few(9, 2)).toEqual([]);
  expect(few(20, 2)).toEqual(['b', 'c']);
  expect(few(1_000, 10)).toEqual(['a', 'b', 'c', 'd']);
});
