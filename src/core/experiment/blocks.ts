import type { Build } from '../../model/comparison.ts';
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
  const low = fmix32(seed >>> 0);
  const high = fmix32((Math.floor(seed / TWO_TO_32) >>> 0) ^ GOLDEN);
  const drawn = fmix32((low + Math.imul(high, 3) + Math.imul(index, GOLDEN)) >>> 0);
  return ARRANGEMENTS[Math.floor((drawn / TWO_TO_32) * ARRANGEMENTS.length)] ?? [];
}
