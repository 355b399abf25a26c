/** The numbers that 32 bits can hold. */
export const TWO_TO_32 = 2 ** 32;
/** 2³² divided by the golden ratio: multiples of it spread over all 32 bits. Source: Knuth, TAOCP 6.4. */
export const GOLDEN = 0x9e3779b9;

/** A bijection of 32 bits in which each bit of the input flips each bit of the result half of the time. Source: MurmurHash3, fmix32. */
export function fmix32(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
