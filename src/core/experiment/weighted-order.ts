/** Values that weigh the same each, in any order. */
export interface Weighed {
  /** Above 0. For the weights to add up alike from either end, sums of them have to be exact. */
  readonly weight: number;
  readonly values: Float64Array;
}

/** Order statistics of values of which some weigh more than others. With weights of 1 they are the usual ones. */
export interface WeightedOrder {
  /** Of all values together. */
  readonly weight: number;
  /** Half of the weight lies on either side; half-way between two values where it lies between them. */
  readonly median: number;
  /** The largest value that weighs, with all that lie below it, `weight` at most; of equal ones the lightest counts. */
  low(weight: number): number | undefined;
  /** The same from the other end: the smallest, with all that lie above it. */
  high(weight: number): number | undefined;
}

/** Puts values in order. At least one is needed. O(n log n). */
export function weightedOrder(all: readonly Weighed[]): WeightedOrder {
  const classes = [...Map.groupBy(all, ({ weight }) => weight)].map(([weight, alike]) => ({
    weight,
    values: rising(alike.map(({ values }) => values)),
  }));
  const weightUntil = (isBeyond: (value: number) => boolean): number =>
    classes.reduce((sum, { weight, values }) => sum + weight * firstWhere(values, isBeyond), 0);
  const total = weightUntil(() => false);
  const below = (value: number): number => weightUntil((each) => each >= value);
  const above = (value: number): number => total - weightUntil((each) => each > value);
  // Along the values of a class what lies below only grows, and what lies above only shrinks: each asks once.
  const largest = (isBeyond: (value: number, weight: number) => boolean): number | undefined =>
    extreme(Math.max, classes, ({ weight, values }) => firstWhere(values, (value) => isBeyond(value, weight)) - 1);
  const smallest = (is: (value: number, weight: number) => boolean): number | undefined =>
    extreme(Math.min, classes, ({ weight, values }) => firstWhere(values, (value) => is(value, weight)));
  const [lower = Number.NaN, upper = Number.NaN] = [
    smallest((value) => above(value) <= total / 2),
    largest((value) => below(value) > total / 2),
  ];
  return {
    weight: total,
    median: (lower + upper) / 2,
    low: (weight) => largest((value, own) => below(value) + own > weight),
    high: (weight) => smallest((value, own) => above(value) + own <= weight),
  };
}

function rising(parts: readonly Float64Array[]): Float64Array {
  const values = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const part of parts) {
    values.set(part, from);
    from += part.length;
  }
  return values.sort();
}

/** Index of the first value for which it is so, as it is for all that follow; the length when there is none. */
function firstWhere(values: Float64Array, is: (value: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(values[middle] ?? Number.NaN)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function extreme(
  of: (...values: number[]) => number,
  classes: readonly Weighed[],
  indexIn: (one: Weighed) => number,
): number | undefined {
  const found = classes.flatMap((one) => one.values[indexIn(one)] ?? []);
  return found.length === 0 ? undefined : of(...found);
}
