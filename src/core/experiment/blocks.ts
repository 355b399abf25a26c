import type { Build } from '../../model/compare/comparison.ts';
import { fmix32, GOLDEN, TWO_TO_32 } from './hash32.ts';

/** A pair is one load of each build. */
export const PAIRS_PER_BLOCK = 2;

/** All ways to lay out two loads of each build. */
const ARRANGEMENTS: readonly (readonly Build[])[] = [
  ['base', 'base', 'candidate', 'candidate'],
  ['base', 'candidate', 'base', 'candidate'],
  ['base', 'candidate', 'candidate', 'base'],
  ['candidate', 'base', 'base', 'candidate'],
  ['candidate', 'base', 'candidate', 'base'],
  ['candidate', 'candidate', 'base', 'base'],
];

/**
 * The builds of one block in the order in which they are loaded: four, two of each, all six arrangements equally likely
 * (to one part in 10⁹). Follows from seed and index alone, so that a comparison that is resumed goes on as it would
 * have. `seed` is any safe integer, `index` the block's number.
 */
export function blockOrder(seed: number, index: number): readonly Build[] {
  return ARRANGEMENTS[Math.floor(draw(seed, index) * ARRANGEMENTS.length)] ?? [];
}

/**
 * The same where only one build can be there at a time: one twice, then the other, and the next block begins with the build
 * that is there. What drifts evenly speaks for one build in one block and for the other in the next. Which is the first of
 * all follows from the seed.
 */
export function turnsOrder(seed: number, index: number): readonly Build[] {
  const isBaseFirst = draw(seed, 0) < 0.5 === (index % 2 === 0);
  return isBaseFirst ? ['base', 'base', 'candidate', 'candidate'] : ['candidate', 'candidate', 'base', 'base'];
}

/** From 0 to 1, evenly. */
function draw(seed: number, index: number): number {
  const low = fmix32(seed >>> 0);
  const high = fmix32((Math.floor(seed / TWO_TO_32) >>> 0) ^ GOLDEN);
  const drawn = fmix32((low + Math.imul(high, 3) + Math.imul(index, GOLDEN)) >>> 0);
  return drawn / TWO_TO_32;
}
