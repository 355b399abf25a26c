import type { Build } from '../../model/comparison.ts';

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

const TWO_TO_32 = 2 ** 32;
/** 2³² divided by the golden ratio: multiples of it spread over all 32 bits. Source: Knuth, TAOCP 6.4. */
const GOLDEN = 0x9e3779b9;

/**
 * The builds of one block in the order in which they are loaded: four, two of each, all six arrangements equally likely
 * (to one part in 10⁹). Follows from seed and index alone, so that a comparison that is resumed goes on as it would
 * have. `seed` is any safe integer, `index` the block's number.
 */
export function blockOrder(seed: number, index: number): readonly Build[] {
  const low = mix(seed >>> 0);
  const high = mix((Math.floor(seed / TWO_TO_32) >>> 0) ^ GOLDEN);
  const drawn = mix((low + Math.imul(high, 3) + Math.imul(index, GOLDEN)) >>> 0);
  return ARRANGEMENTS[Math.floor((drawn / TWO_TO_32) * ARRANGEMENTS.length)] ?? [];
}

/** A bijection of 32 bits in which each bit of the input flips each bit of the result half of the time. Source: MurmurHash3, fmix32. */
function mix(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
