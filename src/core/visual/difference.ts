import pixelmatch from 'pixelmatch';
import type { Picture } from '../../model/recording/picture.ts';
import { NEARLY_ALL } from '../time/lags.ts';
import { leftOut, type Mask } from './mask.ts';

/**
 * How far two colours must be apart to count, 0 to 1 (pixelmatch's scale, which follows what an eye tells apart).
 * Source: measured in Chromium 156. Of all pairs of digits in 12 px text, black and #888 on white, in four typefaces,
 * each is told apart at 0.03 also in a film of half the size; at 0.05 some grey ones are not. Headless Chrome draws the
 * same page to the same pixels, so there is no noise that would ask for more.
 */
const COLOR_DISTANCE = 0.03;

/**
 * How far around a pixel its surroundings reach, px: its neighbours and theirs. pixelmatch tells anti-aliasing by them, and the
 * strokes of a letter have gaps.
 */
const NEAR = 2;

/** The pixels that differ between two pictures, within the rectangle that holds them all. */
export interface Difference {
  /** Size of the area that holds both pictures, px. */
  readonly viewWidth: number;
  readonly viewHeight: number;
  /** Pixels that only one of the pictures has. */
  readonly outside: number;
  /** The rectangle, and one byte a pixel of it: 1 differs. Empty when nothing does. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly changed: Uint8Array;
}

/**
 * With more pixels not equal than this, a step of a film is a change whatever a few edges, a caret or a speck do: to look at
 * each pixel's neighbours takes 200 ms a frame when all have changed, and only then.
 */
const FEW_MATTER_BELOW = 5_000;

/**
 * What differs between two pictures, leaving out what anti-aliasing alone draws differently. `quick` leaves it in where
 * much differs.
 */
export function differenceOf(a: Picture, b: Picture, quick = false): Difference {
  const width = Math.min(a.width, b.width);
  const height = Math.min(a.height, b.height);
  const viewWidth = Math.max(a.width, b.width);
  const viewHeight = Math.max(a.height, b.height);
  // What no picture has (the corner between a wide and a tall one) is not different.
  const outside = a.width * a.height + b.width * b.height - 2 * width * height;
  const view = { viewWidth, viewHeight, outside };
  const bounds = boundsOfChange(a, b, width, height);
  if (!bounds) return { ...view, left: 0, top: 0, width: 0, height: 0, changed: new Uint8Array(0) };
  const left = Math.max(0, bounds.left - NEAR);
  const top = Math.max(0, bounds.top - NEAR);
  const box = {
    left,
    top,
    width: Math.min(width, bounds.right + 1 + NEAR) - left,
    height: Math.min(height, bounds.bottom + 1 + NEAR) - top,
  };
  const drawn = new Uint8Array(box.width * box.height * 4);
  pixelmatch(cut(a, box), cut(b, box), drawn, box.width, box.height, {
    threshold: COLOR_DISTANCE,
    diffMask: true,
    includeAA: quick && bounds.unequal > FEW_MATTER_BELOW,
  });
  const changed = new Uint8Array(box.width * box.height);
  // A mask is transparent wherever nothing differs.
  for (let i = 0; i < changed.length; i += 1) changed[i] = (drawn[i * 4 + 3] ?? 0) > 0 ? 1 : 0;
  return { ...view, ...box, changed };
}

/** Of the pixels that differ: those that a person would see, with what is left out taken away. */
export function visiblePixels(difference: Difference, ignore?: Mask): number {
  const { left, top, width, viewWidth, viewHeight, outside } = difference;
  let { changed } = difference;
  if (ignore) {
    const isOut = leftOut(ignore, viewWidth, viewHeight);
    changed = Uint8Array.from(changed);
    for (let i = changed.indexOf(1); i >= 0; i = changed.indexOf(1, i + 1)) {
      if (isOut(left + (i % width), top + Math.floor(i / width))) changed[i] = 0;
    }
  }
  let count = 0;
  for (const bit of changed) count += bit;
  if (count >= FEW_MATTER_BELOW) return outside + count;
  let seen = 0;
  for (const patch of patchesOf(changed, width)) if (!isNegligible(patch)) seen += patch.pixels;
  return outside + seen;
}

/** Pixels that belong together, and the rectangle around them. */
interface Patch {
  readonly pixels: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Fewer pixels together than this are a speck, not a sign. Source: the digits that differ least (1 and 0 in 12 px grey
 * serif type, filmed at half size) leave 3.
 */
const SMALLEST_SIGN = 3;

/** A caret is a filled bar, 1 or 2 px wide and as tall as a line of text; a digit's strokes are shorter or not straight. */
const CARET = { maxWidth: 2, minHeight: 6, maxHeight: 40 } as const;

function isNegligible({ pixels, width, height }: Patch): boolean {
  if (pixels < SMALLEST_SIGN) return true;
  return (
    width <= CARET.maxWidth &&
    height >= CARET.minHeight &&
    height <= CARET.maxHeight &&
    pixels >= NEARLY_ALL * width * height
  );
}

function patchesOf(changed: Uint8Array, width: number): readonly Patch[] {
  const rest = Uint8Array.from(changed);
  const height = width === 0 ? 0 : rest.length / width;
  const patches: Patch[] = [];
  for (let start = 0; start < rest.length; start += 1) {
    if (rest[start] !== 1) continue;
    rest[start] = 0;
    const open = [start];
    let pixels = 0;
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const x = at % width;
      const y = Math.floor(at / width);
      pixels += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      for (let ny = Math.max(0, y - NEAR); ny <= Math.min(height - 1, y + NEAR); ny += 1) {
        for (let nx = Math.max(0, x - NEAR); nx <= Math.min(width - 1, x + NEAR); nx += 1) {
          const next = ny * width + nx;
          if (rest[next] !== 1) continue;
          rest[next] = 0;
          open.push(next);
        }
      }
    }
    patches.push({ pixels, width: right - left + 1, height: bottom - top + 1 });
  }
  return patches;
}

interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly unequal: number;
}

/** The smallest rectangle around all pixels that are not exactly equal; most frames of a film are settled by it. */
function boundsOfChange(a: Picture, b: Picture, width: number, height: number): Bounds | undefined {
  const first = wordsOf(a);
  const second = wordsOf(b);
  let [left, right, top, bottom] = [width, -1, height, -1];
  let unequal = 0;
  for (let y = 0; y < height; y += 1) {
    const rowA = y * a.width;
    const rowB = y * b.width;
    let x = 0;
    while (x < width && first[rowA + x] === second[rowB + x]) x += 1;
    if (x === width) continue;
    let last = width - 1;
    while (first[rowA + last] === second[rowB + last]) last -= 1;
    left = Math.min(left, x);
    right = Math.max(right, last);
    top = Math.min(top, y);
    bottom = y;
    for (let i = x; i <= last; i += 1) if (first[rowA + i] !== second[rowB + i]) unequal += 1;
  }
  return bottom < 0 ? undefined : { left, right, top, bottom, unequal };
}

/** One number a pixel. A view must begin at a multiple of four bytes, which a slice of a shared buffer may not. */
function wordsOf({ pixels, width, height }: Picture): Uint32Array {
  const bytes = pixels.byteOffset % 4 === 0 ? pixels : Uint8Array.from(pixels);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, width * height);
}

function cut(picture: Picture, box: Pick<Difference, 'left' | 'top' | 'width' | 'height'>): Uint8Array {
  const part = new Uint8Array(box.width * box.height * 4);
  for (let y = 0; y < box.height; y += 1) {
    const from = ((box.top + y) * picture.width + box.left) * 4;
    part.set(picture.pixels.subarray(from, from + box.width * 4), y * box.width * 4);
  }
  return part;
}
