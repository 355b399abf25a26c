/** A median with an interval that needs no assumption about the distribution. */
export interface MedianEstimate {
  readonly n: number;
  readonly median: number;
  /** Absent for a single value. */
  readonly low?: number;
  readonly high?: number;
  /** The interval's real coverage: with five values even the whole range covers the median only 93.75 % of the time. */
  readonly level?: number;
}

/** The middle of the values; the mean of the two middle ones of an even number. NaN for none. */
export function median(values: readonly number[]): number {
  return middleOf(sort(values));
}

/** The one in the middle by a value; the lower of two. Undefined for none. */
export function middleBy<T>(items: readonly T[], figureOf: (item: T) => number): T | undefined {
  return items.toSorted((a, b) => figureOf(a) - figureOf(b))[(items.length - 1) >> 1];
}

/** Typed arrays sort numbers as numbers, and several times as fast. */
function sort(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

function middleOf(sorted: Float64Array): number {
  const n = sorted.length;
  return ((sorted[(n - 1) >> 1] ?? Number.NaN) + (sorted[n >> 1] ?? Number.NaN)) / 2;
}

/**
 * Median and its order-statistic interval: the narrowest symmetric pair of values whose coverage reaches `level`, or
 * the whole range where no pair does. Source: Conover, Practical Nonparametric Statistics, 3.2. Undefined for none.
 */
export function estimateMedian(values: readonly number[], level = 0.95): MedianEstimate | undefined {
  const sorted = sort(values);
  const n = sorted.length;
  if (n === 0) return undefined;
  const middle = middleOf(sorted);
  if (n === 1) return { n, median: middle };
  // Coverage of [k-th smallest, k-th largest] is 1 − 2·P(Binomial(n, ½) < k).
  let rank = 1;
  let probability = 0.5 ** n;
  let tail = probability;
  let coverage = 1 - 2 * tail;
  for (let k = 2; 2 * k <= n; k += 1) {
    probability *= (n - k + 2) / (k - 1);
    tail += probability;
    if (1 - 2 * tail < level) break;
    rank = k;
    coverage = 1 - 2 * tail;
  }
  const low = sorted[rank - 1];
  const high = sorted[n - rank];
  return low === undefined || high === undefined
    ? { n, median: middle }
    : { n, median: middle, low, high, level: coverage };
}
