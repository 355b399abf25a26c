import type { Picture } from '../../model/recording/picture.ts';
import type { Difference } from './difference.ts';

/** How far around what changed the background is looked for, px. */
const AROUND = 4;
/** Bits of red, green and blue by which colours are told apart: what is drawn softly has many shades. */
export const SHADE_BITS = 4;

/**
 * How much of what changed had shown something before, 0 to 1: of the pixels that show something in either picture, the
 * share of those that did in the first. 0 where a place was empty, about a half where a text takes the place of another, 1
 * where something goes. What the background is, the most frequent colour around tells.
 */
export function coveredShare(before: Picture, after: Picture, difference: Difference): number {
  const { left, top, width, height, changed } = difference;
  if (width === 0 || height === 0) return 0;
  const [empty, emptyAfter] = [before, after].map((picture) => backgroundOf(picture, difference)) as [number, number];
  let [shown, shownAfter] = [0, 0];
  for (let i = changed.indexOf(1); i >= 0; i = changed.indexOf(1, i + 1)) {
    const [x, y] = [left + (i % width), top + Math.floor(i / width)];
    if (shadeAt(before, x, y) !== empty) shown += 1;
    if (shadeAt(after, x, y) !== emptyAfter) shownAfter += 1;
  }
  return shown === 0 ? 0 : shown / (shown + shownAfter);
}

/** The most frequent colour in the rectangle of a change and around it. */
function backgroundOf(picture: Picture, { left, top, width, height }: Difference): number {
  const counts = new Uint32Array(1 << (3 * SHADE_BITS));
  let most = 0;
  for (let y = Math.max(0, top - AROUND); y < Math.min(picture.height, top + height + AROUND); y += 1) {
    for (let x = Math.max(0, left - AROUND); x < Math.min(picture.width, left + width + AROUND); x += 1) {
      const shade = shadeAt(picture, x, y);
      counts[shade] = (counts[shade] ?? 0) + 1;
      if ((counts[shade] ?? 0) > (counts[most] ?? 0)) most = shade;
    }
  }
  return most;
}

/** The shade of a pixel. */
export function shadeAt({ pixels, width }: Picture, x: number, y: number): number {
  const at = (y * width + x) * 4;
  const rest = 8 - SHADE_BITS;
  const red = (pixels[at] ?? 0) >> rest;
  const green = (pixels[at + 1] ?? 0) >> rest;
  const blue = (pixels[at + 2] ?? 0) >> rest;
  return (((red << SHADE_BITS) | green) << SHADE_BITS) | blue;
}
