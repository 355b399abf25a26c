import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateMedian, median } from '../../../src/core/time/median.ts';

describe('median', () => {
  it('is the middle, or the mean of the two middles', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([10, 9, 1, 2])).toBe(5.5);
    expect(median([-1])).toBe(-1);
    expect(median([])).toBeNaN();
  });

  it('sorts numbers as numbers, and leaves what it was given alone', () => {
    const values = [100, 9, 20];
    expect(median(values)).toBe(20);
    expect(values).toEqual([100, 9, 20]);
  });

  it('is the one that is estimated', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
        expect(estimateMedian(values)?.median).toBe(median(values));
      }),
      { seed: 13 },
    );
  });
});
