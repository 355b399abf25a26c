import type { Picture } from '../../model/recording/picture.ts';
import { MARGIN } from '../time/lags.ts';
import { SHADE_BITS, shadeAt } from './covered.ts';
import { leftOut, type Mask } from './mask.ts';

/** How many pixels of each shade a part of a picture has. */
export type Shades = Uint32Array;

/** The shades of a picture within a mask. */
export function shadesIn(picture: Picture, mask: Mask): Shades {
  const { width, height } = picture;
  const counts = new Uint32Array(1 << (3 * SHADE_BITS));
  const isIn = leftOut(mask, width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isIn(x, y)) continue;
      const shade = shadeAt(picture, x, y);
      counts[shade] = (counts[shade] ?? 0) + 1;
    }
  }
  return counts;
}

/** What is drawn at random has some pixels more or less of any shade, as a share of all. */
const SPECKS = 0.002;

/**
 * Do moving pictures show the same, as far as their colours tell? What moves at random is never the same twice, but has as
 * much of each colour; what is drawn in it has colours of its own.
 *
 * @param films the shades of some pictures of each
 */
export function sameShades(films: readonly [readonly Shades[], readonly Shades[]]): boolean {
  const [one, other] = films;
  const all = one[0]?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (one.length === 0 || other.length === 0) return false;
  const isWithin = (least: number, most: number): boolean => least <= MARGIN * most + SPECKS * all;
  for (let shade = 0; shade < 1 << (3 * SHADE_BITS); shade += 1) {
    const [a, b] = [one, other].map((film) => film.map((counts) => counts[shade] ?? 0)) as [number[], number[]];
    if (!isWithin(Math.min(...a), Math.max(...b)) || !isWithin(Math.min(...b), Math.max(...a))) return false;
  }
  return true;
}
