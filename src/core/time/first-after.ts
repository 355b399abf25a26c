import type { Ms } from '../../model/units.ts';

/** Index of the first time that is later than `at`, in times in order. */
export function firstAfter(times: readonly Ms[], at: Ms): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
