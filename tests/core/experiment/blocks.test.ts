import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockOrder, turnsOrder } from '../../../src/core/experiment/blocks.ts';

/** χ² of five degrees of freedom exceeds this once in 10,000 times. */
const UNLIKELY = 25.74;

function chiSquare(orders: readonly string[]): number {
  const counts = Map.groupBy(orders, (order) => order);
  const expected = orders.length / 6;
  expect(counts.size).toBe(6);
  return [...counts.values()].reduce((sum, { length }) => sum + (length - expected) ** 2 / expected, 0);
}

describe('blockOrder', () => {
  it('loads each build twice, whatever the seed', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(10_000), (seed, index) => {
        const order = blockOrder(seed, index);
        expect(order.toSorted()).toEqual(['base', 'base', 'candidate', 'candidate']);
        expect(blockOrder(seed, index)).toEqual(order);
      }),
    );
  });

  it('takes all six arrangements equally often, along a comparison and over seeds', () => {
    const along = Array.from({ length: 12_000 }, (_, index) => blockOrder(7, index).join());
    const over = Array.from({ length: 12_000 }, (_, seed) => blockOrder(seed, 1).join());
    const large = Array.from({ length: 12_000 }, (_, i) => blockOrder(i * 2 ** 32, 1).join());
    for (const orders of [along, over, large]) expect(chiSquare(orders)).toBeLessThan(UNLIKELY);
  });

  it('does not repeat the block before more often than chance does', () => {
    const pairs = Array.from({ length: 6_000 }, (_, i) => blockOrder(3, i).join() === blockOrder(3, i + 1).join());
    const repeats = pairs.filter(Boolean).length;
    expect(Math.abs(repeats - 1000)).toBeLessThan(4 * Math.sqrt((6000 * 5) / 36));
  });
});

it('in turns each block begins with the build that the one before it has left', () => {
  const first = new Set<string | undefined>();
  for (let seed = 0; seed < 20; seed += 1) {
    const orders = [1, 2, 3].map((index) => turnsOrder(seed, index));
    for (const order of orders) expect(order.toSorted()).toEqual(['base', 'base', 'candidate', 'candidate']);
    expect([orders[0]?.at(-1), orders[1]?.at(-1)]).toEqual([orders[1]?.[0], orders[2]?.[0]]);
    first.add(orders[0]?.[0]);
  }
  expect(first).toEqual(new Set(['base', 'candidate']));
});
