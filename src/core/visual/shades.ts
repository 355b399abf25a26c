import type { Picture } from '../../model/recording/picture.ts';
import { leftOut, type Mask } from './mask.ts';

/** Bits of red, green and blue by which colours are told apart: what is drawn softly has many shades. */
const BITS = 3;

/** How many pixels of each shade a part of a picture has. */
export type Shades = Uint32Array;

/** The shades of a picture within a mask. */
export function shadesIn({ pixels, width, height }: Picture, mask: Mask): Shades {
  const counts = new Uint32Array(1 << (3 * BITS));
  const isIn = leftOut(mask, width, height);
  const rest = 8 - BITS;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (!isIn(x, y)) continue;
      const at = (y * width + x) * 4;
      const shade =
        (((pixels[at] ?? 0) >> rest) << (2 * BITS)) |
        (((pixels[at + 1] ?? 0) >> rest) << BITS) |
        ((pixels[at + 2] ?? 0) >> rest);
      counts[shade] = (counts[shade] ?? 0) + 1;
    }
  }
  return counts;
}

/** A shade that is there more or less often by this factor is not the same. */
const UNLIKE = 1.5;
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
  const isWithin = (least: number, most: number): boolean => least <= UNLIKE * most + SPECKS * all;
  for (let shade = 0; shade < 1 << (3 * BITS); shade += 1) {
    const [a, b] = [one, other].map((film) => film.map((counts) => counts[shade] ?? 0)) as [number[], number[]];
    if (!isWithin(Math.min(...a), Math.max(...b)) || !isWithin(Math.min(...b), Math.max(...a))) return false;
  }
  return true;
}
