import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaries, crossingProbabilities, type Spending } from '../../../src/core/experiment/alpha-spending.ts';
import { normalCdf, normalQuantile } from '../../../src/core/experiment/normal.ts';

const DEFAULT_LOOKS = [10, 16, 22, 28, 34, 40].map((pairs) => pairs / 40);
const FIVE = [0.2, 0.4, 0.6, 0.8, 1];
const printed = (values: readonly number[]): string => values.map((value) => value.toFixed(4)).join(' ');
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

// Source of both: Lan and DeMets, Biometrika 70 (1983); two-sided, half of α on each side.
const obrienFleming: Spending = (t, alpha) => (t === 0 ? 0 : 4 * normalCdf(normalQuantile(alpha / 4) / Math.sqrt(t)));
const pocock: Spending = (t, alpha) => alpha * Math.log(1 + (Math.E - 1) * t);

describe('boundaries', () => {
  it('gives the reference values to the printed digits', () => {
    expect(printed(boundaries(DEFAULT_LOOKS, 0.05))).toBe('2.9552 2.7433 2.5579 2.4014 2.2640 2.1402');
    expect(printed(boundaries(DEFAULT_LOOKS, 0.025))).toBe('3.1628 2.9704 2.8017 2.6606 2.5379 2.4281');
    expect(printed(boundaries([10 / 22, 16 / 22, 1], 0.05))).toBe('2.5646 2.3071 2.0812');
  });

  it('gives O’Brien–Fleming and Pocock with their spending functions', () => {
    expect(printed(boundaries(FIVE, 0.05, obrienFleming))).toBe('4.8769 3.3570 2.6803 2.2898 2.0310');
    expect(printed(boundaries(FIVE, 0.05, pocock))).toBe('2.4380 2.4268 2.4102 2.3966 2.3860');
  });

  it('integrates the classical shapes as well', () => {
    // Source: Jennison and Turnbull, Group Sequential Methods (2000), tables 2.1 and 2.3: 2.413 and 2.040·√(5/k).
    expect(
      sum(
        crossingProbabilities(
          FIVE,
          FIVE.map(() => 2.413),
        ),
      ),
    ).toBeCloseTo(0.05, 4);
    expect(
      sum(
        crossingProbabilities(
          FIVE,
          FIVE.map((t) => 2.04 / Math.sqrt(t)),
        ),
      ),
    ).toBeCloseTo(0.05, 4);
  });

  it('is the usual quantile for a single look', () => {
    expect(boundaries([1], 0.05)[0]).toBeCloseTo(1.959963984540054, 9);
    expect(boundaries([1], 0.01)[0]).toBeCloseTo(2.575829303548901, 9);
  });

  it('spends what it may, and no more, at any looks', () => {
    const looks = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(looks, fc.double({ min: 0.001, max: 0.5, noNaN: true }), (drawn, alpha) => {
        const fractions = drawn.toSorted((a, b) => a - b).map((look) => look / 60);
        const limits = boundaries(fractions, alpha);
        const crossed = crossingProbabilities(fractions, limits);
        let spent = 0;
        for (const [k, fraction] of fractions.entries()) {
          spent += crossed[k] ?? Number.NaN;
          expect(spent).toBeCloseTo(alpha * fraction ** 2, 8);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does not change what was decided when the looks that follow change', () => {
    const planned = boundaries(DEFAULT_LOOKS, 0.05);
    expect(boundaries(DEFAULT_LOOKS.slice(0, 3), 0.05)).toHaveLength(3);
    for (const [k, limit] of boundaries([...DEFAULT_LOOKS.slice(0, 3), 0.6, 0.65], 0.05)
      .slice(0, 3)
      .entries()) {
      expect(limit).toBeCloseTo(planned[k] ?? Number.NaN, 9);
    }
  });

  it('stays as it was at a look without new loads, and is none without loads', () => {
    const [first, again, last] = boundaries([0.5, 0.5, 1], 0.05);
    expect(again).toBe(first);
    expect(last).toBeCloseTo(boundaries([0.5, 1], 0.05)[1] ?? Number.NaN, 9);
    expect(boundaries([0, 1], 0.05)[0]).toBe(Number.POSITIVE_INFINITY);
    expect(boundaries([], 0.05)).toEqual([]);
  });

  it('holds for many narrow looks', () => {
    const many = Array.from({ length: 166 }, (_, i) => (10 + 6 * i) / 1000);
    const limits = boundaries(many, 0.05);
    expect(sum(crossingProbabilities(many, limits))).toBeCloseTo(0.05 * 1 ** 2, 9);
    expect(limits.at(-1)).toBeGreaterThan(1.96);
  });

  it('finds what is there: power grows with the drift and is α without', () => {
    const limits = boundaries(DEFAULT_LOOKS, 0.05);
    const power = (drift: number): number => sum(crossingProbabilities(DEFAULT_LOOKS, limits, drift));
    expect(power(0)).toBeCloseTo(0.05, 9);
    expect(power(3)).toBeCloseTo(power(-3), 9);
    expect(power(2)).toBeLessThan(power(3));
    // A single look: Φ(drift − z) + Φ(−drift − z).
    const [z = Number.NaN] = boundaries([1], 0.05);
    expect(sum(crossingProbabilities([1], [z], 2.8))).toBeCloseTo(normalCdf(2.8 - z) + normalCdf(-2.8 - z), 9);
  });
});
