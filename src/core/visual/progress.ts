import type { Picture } from '../../model/recording/picture.ts';
import type { VisualProgress } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { leftOut, type Mask } from './mask.ts';
import { shrink } from './shrink.ts';

/**
 * Side of the squares of a film whose averages are compared, px; 8 px of the page. Small enough that a line of text is
 * there or not; large enough that a font that is swapped, or a line a few pixels off, is not taken for missing.
 */
const SQUARE = 4;

/**
 * Squares whose averages are closer than this in every colour look alike, of 255. Source: light grey 12 px text on white
 * moves an average by 10 and more, a page's ground that is #fff or #fafafa by 5.
 */
const ALIKE_BELOW = 6;

/** A frame of a film in small, to be kept when its picture is not: 300 of them take 25 MB. */
export interface Sketch {
  readonly at: Ms;
  /** Each pixel the average of a square of the frame. */
  readonly squares: Picture;
}

/** A frame in small. */
export function sketchOf(at: Ms, picture: Picture): Sketch {
  return { at, squares: shrink(picture, Math.ceil(picture.width / SQUARE)) };
}

/**
 * How much of what was to be seen in the last sketch up to `until` was there by when: of the squares in which it differs
 * from the first, the share that had come, each counted as far as its colour had. Moving parts are left out; what changes
 * after `until` plays no part. A point for each change, the first with 0, the last with 1; it may fall in between, when
 * something covers the page for a while. Empty when nothing was drawn.
 */
export function progressOf(sketches: readonly Sketch[], until: Ms, moving?: Mask): readonly VisualProgress[] {
  const last = sketches.findLastIndex(({ at }) => at <= until);
  const [first] = sketches;
  const goal = sketches[last];
  if (!first || !goal || !sameSize(first.squares, goal.squares)) return [];
  const toCome = stillSquares(goal, moving)
    .map((square) => ({ square, whole: distance(first.squares, goal.squares, square) }))
    .filter(({ whole }) => whole >= ALIKE_BELOW);
  if (toCome.length === 0) return [];
  const points: VisualProgress[] = [];
  for (const { at, squares } of sketches.slice(0, last + 1)) {
    if (!sameSize(squares, goal.squares)) continue;
    let missing = 0;
    for (const { square, whole } of toCome) missing += Math.min(1, distance(squares, goal.squares, square) / whole);
    const share = Math.round((1 - missing / toCome.length) * 1000) / 1000;
    if (share !== points.at(-1)?.share) points.push({ at, share });
  }
  return points;
}

/** The share at a moment: that of the last point up to then; undefined where there is no curve. */
export function shareAt(progress: readonly VisualProgress[], at: Ms): number | undefined {
  return progress.length === 0 ? undefined : (progress.findLast((point) => point.at <= at)?.share ?? 0);
}

/**
 * The area above the curve: how long, on average, a part of the page was not to be seen yet, ms. Undefined where there
 * is no curve. Source: Speed Index, WebPageTest.
 */
export function speedIndexOf(progress: readonly VisualProgress[]): Ms | undefined {
  const [first] = progress;
  if (!first) return undefined;
  return progress.reduce((area, { at, share }, i) => {
    const until = progress[i + 1]?.at ?? at;
    return area + (1 - share) * (until - at);
  }, first.at);
}

/** The squares of a film that do not move, by their place. */
export function stillSquares({ squares: { width, height } }: Sketch, moving?: Mask): readonly number[] {
  const isOut = leftOut(moving, width, height);
  const still: number[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) if (!isOut(x, y)) still.push(y * width + x);
  }
  return still;
}

/** In how many of these squares two sketches look different; in all of them when their sizes do. */
export function unlikeSquares({ squares: a }: Sketch, { squares: b }: Sketch, of: readonly number[]): number {
  if (!sameSize(a, b)) return of.length;
  let count = 0;
  for (const square of of) if (distance(a, b, square) >= ALIKE_BELOW) count += 1;
  return count;
}

/** Is there no difference at all between two sketches in these squares? */
export function isSame({ squares: a }: Sketch, { squares: b }: Sketch, of: readonly number[]): boolean {
  return sameSize(a, b) && of.every((square) => distance(a, b, square) === 0);
}

function sameSize(a: Picture, b: Picture): boolean {
  return a.width === b.width && a.height === b.height;
}

/** How far apart two colours are in the channel that differs most, 0 to 255. */
function distance({ pixels: a }: Picture, { pixels: b }: Picture, square: number): number {
  const at = square * 4;
  const red = Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  const green = Math.abs((a[at + 1] ?? 0) - (b[at + 1] ?? 0));
  const blue = Math.abs((a[at + 2] ?? 0) - (b[at + 2] ?? 0));
  return red > green ? (red > blue ? red : blue) : green > blue ? green : blue;
}
