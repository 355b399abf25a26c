import type { Ms } from '../../model/units.ts';

/** Width of a bucket: values of one bucket differ by less than 0.5%, as in an HDR histogram with two to three digits. */
const GROWTH = 1.005;
const LOG_GROWTH = Math.log(GROWTH);
/** The smallest time that is told from nothing: one microsecond. */
const SMALLEST: Ms = 0.001;

/** Counts by bucket; sparse, because a level has few different times. */
export type Histogram = ReadonlyMap<number, number>;

/** The bucket of a time. */
export function bucketOf(value: Ms): number {
  return Math.round(Math.log(Math.max(value, SMALLEST) / SMALLEST) / LOG_GROWTH);
}

/** The time that a bucket stands for. */
export function timeOf(bucket: number): Ms {
  return SMALLEST * Math.exp(bucket * LOG_GROWTH);
}

/** All counts together. */
export function merged(histograms: Iterable<Histogram>): Histogram {
  const all = new Map<number, number>();
  for (const histogram of histograms) {
    for (const [bucket, count] of histogram) all.set(bucket, (all.get(bucket) ?? 0) + count);
  }
  return all;
}

/** Percentiles of a histogram, by shares in ascending order; undefined where it is empty. Nearest rank. */
export function percentiles(histogram: Histogram, shares: readonly number[]): readonly (Ms | undefined)[] {
  const sorted = [...histogram].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return shares.map(() => undefined);
  let seen = 0;
  let next = 0;
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total));
    while (next < sorted.length && seen + (sorted[next]?.[1] ?? 0) < rank) {
      seen += sorted[next]?.[1] ?? 0;
      next += 1;
    }
    return timeOf(sorted[Math.min(next, sorted.length - 1)]?.[0] ?? 0);
  });
}
