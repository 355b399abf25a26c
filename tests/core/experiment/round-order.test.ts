import { expect, test } from 'vitest';
import { roundOrder } from '../../../src/core/experiment/round-order.ts';

test('a round has every page once, and the same order again', () => {
  for (const pages of [0, 1, 2, 3, 7, 100]) {
    for (let round = 1; round <= 5; round++) {
      const order = roundOrder(pages, round);
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: pages }, (_, i) => i));
      expect(roundOrder(pages, round)).toEqual(order);
    }
  }
});

test('every page comes to every place about as often, and after every other page', () => {
  const [pages, rounds] = [5, 5000];
  const placed = new Map<string, number>();
  const follows = new Map<string, number>();
  for (let round = 1; round <= rounds; round++) {
    const order = roundOrder(pages, round);
    for (const [place, page] of order.entries()) {
      placed.set(`${page}@${place}`, (placed.get(`${page}@${place}`) ?? 0) + 1);
      const after = `${order[place - 1]}>${page}`;
      if (place > 0) follows.set(after, (follows.get(after) ?? 0) + 1);
    }
  }
  // Both are 1000 and 800 on average; five standard deviations are 141 and 130.
  expect(placed.size).toBe(25);
  for (const count of placed.values()) expect(Math.abs(count - 1000)).toBeLessThan(141);
  expect(follows.size).toBe(20);
  for (const count of follows.values()) expect(Math.abs(count - 1000)).toBeLessThan(141);
});
