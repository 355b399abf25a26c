import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MIN_EFFECT, effectBounds } from '../../../src/core/experiment/effect.ts';

describe('effectBounds', () => {
  const times = { scale: 'ratio', unit: 'ms' } as const;

  it('is a share of the base, mirrored as ratios are', () => {
    const { limit, up, down } = effectBounds(DEFAULT_MIN_EFFECT, { ...times, baseMedian: 1500 });
    expect(up).toBe(0.05);
    expect(limit).toBeCloseTo(Math.log(1.05), 15);
    expect(down).toBeCloseTo(Math.expm1(-limit), 15);
  });

  it('is never less than the floor of short times', () => {
    expect(effectBounds(DEFAULT_MIN_EFFECT, { ...times, baseMedian: 200 }).up).toBe(0.05);
    expect(effectBounds(DEFAULT_MIN_EFFECT, { ...times, baseMedian: 100 }).up).toBe(0.1);
    expect(effectBounds({ relative: 0, absolute: 50 }, { ...times, baseMedian: 1000 }).up).toBe(0.05);
  });

  it('is a frame of the display for paints, unless a time was asked for', () => {
    const paint = { ...times, isPaint: true };
    expect(effectBounds(DEFAULT_MIN_EFFECT, { ...paint, baseMedian: 34 }).up).toBe(0.5);
    expect(effectBounds(DEFAULT_MIN_EFFECT, { ...paint, baseMedian: 1000 }).up).toBe(0.05);
    expect(effectBounds({ relative: 0.05, absolute: 10 }, { ...paint, baseMedian: 40 }).up).toBe(0.25);
  });

  it.each([
    ['ms', 0, 10],
    ['ms', 1000, 50],
    ['bytes', 0, 1024],
    ['bytes', 1e6, 50_000],
    ['count', 4, 1],
    ['count', 100, 5],
    ['score', 0, 0.01],
    ['score', 0.4, 0.02],
  ] as const)('of %s around %d is %d in the unit', (unit, baseMedian, limit) => {
    const bounds = effectBounds(DEFAULT_MIN_EFFECT, { scale: 'shift', unit, baseMedian });
    expect(bounds).toEqual({
      limit: expect.closeTo(limit, 9),
      up: expect.closeTo(limit, 9),
      down: expect.closeTo(-limit, 9),
    });
  });

  it('of ratios in other units has the floor of the unit', () => {
    expect(effectBounds(DEFAULT_MIN_EFFECT, { scale: 'ratio', unit: 'count', baseMedian: 4 }).up).toBe(0.25);
    expect(effectBounds(DEFAULT_MIN_EFFECT, { scale: 'ratio', unit: 'bytes', baseMedian: 10_240 }).up).toBe(0.1);
  });

  it('grows with what is asked for', () => {
    const effect = fc.record({
      relative: fc.double({ min: 0, max: 0.9, noNaN: true }),
      // In ms; what is less than a nanosecond is nothing.
      absolute: fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 500, noNaN: true })),
    });
    fc.assert(
      fc.property(effect, fc.double({ min: 1, max: 1e5, noNaN: true }), (asked, baseMedian) => {
        const { limit, up, down } = effectBounds(asked, { ...times, baseMedian });
        expect(up).toBeGreaterThanOrEqual(asked.relative);
        expect(up * baseMedian).toBeGreaterThanOrEqual(asked.absolute * (1 - 1e-12));
        expect((1 + up) * (1 + down)).toBeCloseTo(1, 9);
        expect(Math.expm1(limit)).toBeCloseTo(up, 9);
      }),
    );
  });
});
