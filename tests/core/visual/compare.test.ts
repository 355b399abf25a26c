import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf, visiblePixels } from '../../../src/core/visual/difference.ts';
import { drawDifference } from '../../../src/core/visual/draw-difference.ts';
import { leftOut, type Mask } from '../../../src/core/visual/mask.ts';
import type { Picture } from '../../../src/model/recording/picture.ts';
import { decodePng } from '../../../src/shell/disk/pictures.ts';
import { cutOut, draw, SIZE } from './drawing.ts';

/** How two pictures differ, by what a person would see; pixels in `ignore` count as equal. */
function compare(a: Picture, b: Picture, ignore?: Mask) {
  const difference = differenceOf(a, b);
  const seen = visiblePixels(difference, ignore);
  return {
    share: seen / Math.max(1, difference.viewWidth * difference.viewHeight),
    same: seen === 0,
    difference: drawDifference(a, b, difference, ignore),
  };
}

const sheet = (name: string): Picture =>
  decodePng(readFileSync(new URL(`./pictures/${name}.png`, import.meta.url)).toString('base64'));

const maskOf = (x: number, y: number, width: number, height: number): Mask => {
  const { pixels } = draw([{ x, y, width, height }]);
  return {
    ...SIZE,
    bits: Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, i) => (pixels[i * 4] === 0 ? 1 : 0)),
  };
};

describe('what a person would see', () => {
  // Sheets drawn by Chromium: ten rows "…12.30 EUR" to "…12.39 EUR" in 12 px sans-serif, serif and monospace, first in
  // black, then in #888; `half` is the same page filmed at half its size.
  describe.each([
    { size: 'full', width: 60, height: 24 },
    { size: 'half', width: 30, height: 12 },
  ])('12 px text in $size size', ({ size, width, height }) => {
    const digits = sheet(`digits-${size}`);
    const caret = sheet(`caret-${size}`);

    it.each([0, 1, 2, 3, 4, 5])('tells every digit from every other (typeface %i)', (column) => {
      const drawn = Array.from({ length: 10 }, (_, row) => cutOut(digits, column * width, row * height, width, height));
      for (const [i, a] of drawn.entries()) {
        for (const [j, b] of drawn.entries()) expect(compare(a, b).same, `${i} and ${j}`).toBe(i === j);
      }
    });

    it.each([0, 1])('takes no notice of a blinking caret (%i)', (column) => {
      const [off, on] = [0, 1].map((row) => cutOut(caret, column * width, row * height, width, height));
      if (!off || !on) throw new Error('no picture');
      expect(off.pixels).not.toEqual(on.pixels);
      expect(compare(off, on)).toMatchObject({ same: true, share: 0 });
    });
  });

  it('does not see a softer edge', () => {
    // A slope whose edge pixels are mixed in two ways, as two rasterisers do.
    const slope = (soften: number): Picture => {
      const picture = draw([]);
      for (let y = 0; y < SIZE.height; y += 1) {
        for (let x = 0; x < SIZE.width; x += 1) {
          const inside = x - y * 1.3;
          const light = inside < -0.5 ? 0 : inside > 0.5 ? 255 : Math.round(255 * Math.min(1, (inside + 0.5) * soften));
          picture.pixels.set([light, light, light], (y * SIZE.width + x) * 4);
        }
      }
      return picture;
    };
    expect(compare(slope(1), slope(0.8)).same).toBe(true);
  });

  it('sees a line across the page and a block of colour, but no speck', () => {
    const blank = draw([]);
    expect(compare(blank, draw([{ x: 10, y: 5, width: 1, height: 70 }])).same).toBe(false);
    expect(compare(blank, draw([{ x: 10, y: 40, width: 100, height: 1 }])).same).toBe(false);
    expect(compare(blank, draw([{ x: 10, y: 10, width: 4, height: 4, color: [255, 200, 200] }])).same).toBe(false);
    expect(compare(blank, draw([{ x: 10, y: 10, width: 2, height: 1 }])).same).toBe(true);
  });

  it('gives the share of the viewport', () => {
    const { share, same } = compare(draw([]), draw([{ x: 0, y: 0, width: 60, height: 80 }]));
    expect(share).toBeCloseTo(0.5, 2);
    expect(same).toBe(false);
  });
});

describe('pictures of different sizes', () => {
  it('compares what they have in common and counts the rest', () => {
    const small = draw([], { width: 100, height: 50 });
    const { share, same, difference } = compare(small, draw([], { width: 100, height: 100 }));
    expect({ share, same }).toEqual({ share: 0.5, same: false });
    expect(difference).toMatchObject({ width: 100, height: 100 });
  });

  it('counts nothing where neither has anything', () => {
    const wide = draw([], { width: 200, height: 50 });
    const tall = draw([], { width: 100, height: 100 });
    expect(compare(wide, tall).share).toBeCloseTo(0.5, 5);
    expect(compare(wide, tall).share).toBe(compare(tall, wide).share);
  });
});

describe('what is left out', () => {
  const box = { x: 40, y: 40, width: 20, height: 20 };

  it('does not count', () => {
    expect(compare(draw([]), draw([box]), maskOf(38, 38, 24, 24)).same).toBe(true);
    expect(compare(draw([]), draw([box]), maskOf(38, 38, 12, 24)).same).toBe(false);
  });

  it('is laid over pictures of another size scaled', () => {
    const size = { width: SIZE.width * 2, height: SIZE.height * 2 };
    const large = draw([{ x: 80, y: 80, width: 40, height: 40 }], size);
    expect(compare(draw([], size), large, maskOf(40, 40, 20, 20)).same).toBe(true);
    const isOut = leftOut(maskOf(40, 40, 20, 20), size.width, size.height);
    expect([isOut(79, 80), isOut(80, 80), isOut(119, 119), isOut(120, 119)]).toEqual([false, true, true, false]);
  });
});

describe('the picture of the difference', () => {
  it('is red where they differ, grey where nothing was compared, pale elsewhere', () => {
    const a = draw([{ x: 0, y: 0, width: 10, height: 10 }]);
    const b = draw([
      { x: 0, y: 0, width: 10, height: 10 },
      { x: 50, y: 50, width: 10, height: 10 },
      { x: 90, y: 50, width: 10, height: 10 },
    ]);
    const { difference } = compare(a, b, maskOf(88, 48, 14, 14));
    const at = (x: number, y: number) => [...difference.pixels.subarray((y * SIZE.width + x) * 4).subarray(0, 3)];
    const [red = 0, green = 255] = at(55, 55);
    expect(red - green).toBeGreaterThan(150);
    expect(new Set(at(5, 5)).size).toBe(1);
    expect(at(5, 5)[0]).toBeGreaterThan(150);
    expect(at(30, 30)).toEqual([255, 255, 255]);
    expect(at(95, 55)).toEqual(at(95, 49));
  });
});

const boxes = fc.array(
  fc.record({
    x: fc.integer({ min: 0, max: 110 }),
    y: fc.integer({ min: 0, max: 70 }),
    width: fc.integer({ min: 1, max: 60 }),
    height: fc.integer({ min: 1, max: 60 }),
    color: fc.tuple(fc.integer({ max: 255, min: 0 }), fc.integer({ max: 255, min: 0 }), fc.constant(128)),
  }),
  { maxLength: 4 },
);

describe('for all pictures', () => {
  it('a picture is the same as itself, the order does not matter, and neither is changed', () => {
    fc.assert(
      fc.property(boxes, boxes, (first, second) => {
        const [a, b] = [draw(first), draw(second)];
        const before = [a.pixels.slice(), b.pixels.slice()];
        const there = compare(a, b);
        expect(compare(a, a)).toMatchObject({ same: true, share: 0 });
        expect(compare(b, a).share).toBe(there.share);
        expect(there.same).toBe(there.share === 0);
        expect(there.share).toBeLessThanOrEqual(1);
        expect(isDeepStrictEqual([a.pixels, b.pixels], before)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it('works on a buffer that begins anywhere', () => {
    const { pixels } = draw([{ x: 3, y: 3, width: 9, height: 9 }]);
    const shifted = new Uint8Array(pixels.length + 1);
    shifted.set(pixels, 1);
    const odd = { ...SIZE, pixels: shifted.subarray(1) };
    expect(compare(odd, { ...SIZE, pixels }).same).toBe(true);
    expect(compare(odd, draw([])).same).toBe(false);
  });
});
