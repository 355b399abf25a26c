import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile } from '../../../src/core/experiment/normal.ts';

describe('normal distribution', () => {
  // Source: erfc of the C library, by Python 3.
  it.each([
    [-38, 2.88542835e-316, 8],
    [-8, 6.220960574271819e-16, 13],
    [-5, 2.866515718791946e-7, 13],
    [-3.0001, 0.001349454913260717, 12],
    [-3, 0.0013498980316300957, 12],
    [-2.9999, 0.0013503412829549248, 12],
    [-1.96, 0.024997895148220435, 13],
    [-0.5, 0.3085375387259869, 14],
    [0, 0.5, 15],
  ])('Φ(%d) = %d', (z, probability, digits) => {
    expect(Math.abs(normalCdf(z) / probability - 1)).toBeLessThan(10 ** -digits);
    expect(normalCdf(-z)).toBeCloseTo(1 - probability, 14);
  });

  // Source: tables of the normal distribution (Abramowitz and Stegun, 26.5).
  it.each([
    [0.975, 1.959963984540054],
    [0.995, 2.575829303548901],
    [0.8, 0.8416212335729143],
    [0.5, 0],
    [1e-10, -6.361340902404056],
  ])('quantile of %d is %d', (p, z) => {
    expect(normalQuantile(p)).toBeCloseTo(z, 12);
  });

  it('has its ends, and nothing beyond', () => {
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    expect([normalQuantile(-0.1), normalQuantile(1.1), normalQuantile(Number.NaN), normalCdf(Number.NaN)]).toEqual([
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
    expect([normalCdf(Number.NEGATIVE_INFINITY), normalCdf(Number.POSITIVE_INFINITY)]).toEqual([0, 1]);
  });

  it('the quantile undoes the distribution', () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 4, noNaN: true }), (z) => {
        expect(Math.abs(normalQuantile(normalCdf(z)) - z)).toBeLessThan(1e-10);
      }),
    );
  });
});
