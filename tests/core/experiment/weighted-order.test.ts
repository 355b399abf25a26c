import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Weighed, weightedOrder } from '../../../src/core/experiment/weighted-order.ts';

const order = (...classes: readonly (readonly [weight: number, ...values: number[]])[]) =>
  weightedOrder(classes.map(([weight, ...values]) => ({ weight, values: new Float64Array(values) })));

/** Few values, so that many are equal; weights are multiples of a quarter, so that their sums are exact. */
const classes = fc.array(
  fc.record({
    weight: fc.integer({ min: 1, max: 12 }).map((quarters) => quarters / 4),
    values: fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 9 }),
  }),
  { minLength: 1, maxLength: 4 },
);
const ordered = (drawn: readonly { readonly weight: number; readonly values: readonly number[] }[], sign = 1) =>
  weightedOrder(
    drawn.map(({ weight, values }): Weighed => ({ weight, values: new Float64Array(values.map((v) => v * sign)) })),
  );

describe('weightedOrder', () => {
  it('has the usual order statistics where all weigh 1', () => {
    const { weight, median, low, high } = order([1, 5, 3, 1], [1, 7, 9, 11]);
    expect(weight).toBe(6);
    expect(median).toBe(6);
    expect([low(1), low(2), low(2.9), low(6)]).toEqual([1, 3, 3, 11]);
    expect([high(1), high(2), high(2.9), high(6)]).toEqual([11, 9, 9, 1]);
    expect([low(0.9), high(0.9), low(Number.NEGATIVE_INFINITY)]).toEqual([undefined, undefined, undefined]);
    expect(order([1, 2, 1, 9]).median).toBe(2);
  });

  it('counts weights', () => {
    const { weight, median, low, high } = order([2, 10, 40], [0.5, 20, 30, 50]);
    expect(weight).toBe(5.5);
    // From below 2, 2.5, 3, 5, 5.5; half is 2.75.
    expect(median).toBe(30);
    expect([low(1.9), low(2), low(2.5), low(4.9), low(5)]).toEqual([undefined, 10, 20, 30, 40]);
    expect([high(0.4), high(0.5), high(2.4), high(2.5), high(3)]).toEqual([undefined, 50, 50, 40, 30]);
  });

  it('counts the lightest of equal values, from either end', () => {
    const { low, high } = order([3, 1, 1], [0.5, 1, 2]);
    expect([low(0.4), low(0.5), low(7)]).toEqual([undefined, 1, 2]);
    expect([high(0.5), high(0.9), high(1)]).toEqual([2, 2, 1]);
  });

  it('does what counting from the ends one by one does', () => {
    fc.assert(
      fc.property(classes, fc.integer({ min: 0, max: 400 }), (drawn, quarters) => {
        const limit = quarters / 4;
        const { median, low, high, weight } = ordered(drawn);
        const all = drawn
          .flatMap(({ weight: own, values }) => values.map((value) => ({ value, own })))
          .toSorted((a, b) => a.value - b.value || a.own - b.own);
        const from = (list: typeof all): number | undefined =>
          list.filter((_, i) => list.slice(0, i + 1).reduce((sum, { own }) => sum + own, 0) <= limit).at(-1)?.value;
        expect(low(limit)).toBe(from(all));
        const falling = all.toSorted((a, b) => b.value - a.value || a.own - b.own);
        expect(high(limit)).toBe(from(falling));
        const beside = (side: 1 | -1) =>
          drawn.reduce(
            (sum, each) => sum + each.weight * each.values.filter((value) => side * (value - median) > 0).length,
            0,
          );
        expect(beside(1)).toBeLessThanOrEqual(weight / 2);
        expect(beside(-1)).toBeLessThanOrEqual(weight / 2);
      }),
    );
  });

  it('mirrors', () => {
    fc.assert(
      fc.property(classes, fc.double({ min: 0, max: 60, noNaN: true }), (drawn, limit) => {
        const [one, other] = [ordered(drawn), ordered(drawn.toReversed(), -1)];
        expect(other.median + one.median).toBe(0);
        expect((other.low(limit) ?? 99) + (one.high(limit) ?? -99)).toBe(0);
        expect((other.high(limit) ?? 99) + (one.low(limit) ?? -99)).toBe(0);
      }),
    );
  });

  it('leaves its input as it is', () => {
    const values = new Float64Array([3, 1, 2]);
    weightedOrder([{ weight: 1, values }]);
    expect([...values]).toEqual([3, 1, 2]);
  });
});
