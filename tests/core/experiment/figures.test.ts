import { describe, expect, it } from 'vitest';
import { amount, interval, percent, percentChosen } from '../../../src/core/experiment/figures.ts';
import { formatInterval, formatValue } from '../../../src/report/format.ts';

describe('figures', () => {
  it.each([
    [0, '0 %'],
    [0.0387, '3.9 %'],
    [-0.0387, '−3.9 %'],
    [0.06, '6.0 %'],
    [0.1234, '12 %'],
    [1.5, '150 %'],
    [0.0004, '0.04 %'],
    [-0.00000004, '−0.01 %'],
  ])('%d is %s', (share, text) => {
    expect(percent(share)).toBe(text);
  });

  it('writes what was chosen without a figure too many', () => {
    expect([0.05, 0.025, 0.1, 0.2].map(percentChosen)).toEqual(['5 %', '2.5 %', '10 %', '20 %']);
  });

  it('writes intervals as reports write intervals', () => {
    for (const [low, high] of [
      [0, 0],
      [0.4, 3.25],
      [12, 12],
      [980, 1020],
      [1210, 1290],
      [9_000, 61_200],
    ] as const) {
      for (const unit of ['ms', 'bytes', 'count', 'score'] as const) {
        expect(interval(low, high, unit)).toBe(formatInterval(low, high, unit));
      }
    }
  });

  it('writes amounts as reports write values', () => {
    const values = [0, 0.4, 3.25, 9.96, 58, -58, 999.6, 1243, 12_345, 1_234_567, -0.04];
    for (const unit of ['ms', 'bytes', 'count', 'score'] as const) {
      for (const value of values) expect(amount(value, unit)).toBe(formatValue(value, unit));
    }
  });
});
