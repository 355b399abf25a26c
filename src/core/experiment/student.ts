import { normalQuantile } from './normal.ts';

/** Student's quantile to what matters here. Source: 26.7.5 of Abramowitz and Stegun. */
export function studentQuantile(p: number, freedom: number): number {
  const z = normalQuantile(p);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}
