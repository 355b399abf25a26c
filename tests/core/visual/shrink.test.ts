import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shrink } from '../../../src/core/visual/shrink.ts';
import { draw } from './drawing.ts';

describe('shrink', () => {
  it('averages what a pixel stands for', () => {
    const picture = draw([{ x: 0, y: 0, width: 1, height: 2 }], { width: 4, height: 4 });
    const { width, height, pixels } = shrink(picture, 2);
    expect({ width, height }).toEqual({ width: 2, height: 2 });
    expect([...pixels.subarray(0, 8)]).toEqual([128, 128, 128, 255, 255, 255, 255, 255]);
  });

  it('leaves a small picture as it is, and never makes one larger', () => {
    const picture = draw([]);
    expect(shrink(picture, 5_000)).toBe(picture);
    expect(shrink(picture, picture.width)).toBe(picture);
  });

  it('keeps size, proportion and brightness for all widths', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 90 }),
        fc.integer({ min: 0, max: 255 }),
        (width, height, maxWidth, light) => {
          const color = [light, light, light] as const;
          const picture = draw([{ x: 0, y: 0, width, height, color }], { width, height });
          const before = picture.pixels.slice();
          const small = shrink(picture, maxWidth);
          expect(small.width).toBe(Math.min(width, maxWidth));
          expect(small.height).toBeGreaterThanOrEqual(1);
          expect(Math.abs(small.height - (height * small.width) / width)).toBeLessThanOrEqual(1);
          expect(small.pixels).toHaveLength(small.width * small.height * 4);
          expect(small.pixels.every((value, i) => value === (i % 4 === 3 ? 255 : light))).toBe(true);
          expect(picture.pixels).toEqual(before);
        },
      ),
    );
  });
});
