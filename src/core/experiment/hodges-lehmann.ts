import { normalCdf } from './normal.ts';
import { weightedOrder } from './weighted-order.ts';

/** Values closer than this are ties: below it is what floating point leaves of equal values. Source: docs/internals/statistics.md. */
const TIE = 1e-9;

/** The values of one block, on the scale on which builds are compared: ln(ms) for ratios, the unit itself for shifts. */
export interface BlockValues {
  readonly base: readonly number[];
  readonly candidate: readonly number[];
  /**
   * The stratum: values are compared with values of their own stratum only, so that whatever strata differ in cancels.
   * Any number; blocks without one are in one stratum together.
   */
  readonly stratum?: number;
}

/** An interval; an end that is absent is unbounded. */
export interface Interval {
  readonly low?: number;
  readonly high?: number;
}

/** How far the candidate lies above the base. */
export interface Shift {
  /** Hodges–Lehmann: the median of all differences candidate − base within strata, weighed by stratum. */
  readonly estimate: number;
  /** √V: standard deviation of the candidate's rank sum under permutation within blocks, the estimate taken off. */
  readonly rankDeviation: number;
  /** The candidate's rank sum, strata weighed, and what it is, and varies, without any shift. */
  readonly rankSum: { readonly observed: number; readonly expected: number; readonly deviation: number };
  /** Two-sided, of no shift at all. */
  readonly p: number;
  /** The interval whose ends |z| standard deviations of the rank sum lie beyond. */
  interval(z: number): Interval;
}

/** Weights are multiples of 1 / this: sums of them are exact, so that counting from either end gives the same. */
const WEIGHT_STEPS = 2 ** 20;

/** Blocks that are compared among themselves. */
interface Stratum {
  readonly blocks: readonly BlockValues[];
  readonly weight: number;
}

/**
 * Hodges–Lehmann shift of the candidate against the base, its interval and p-value by permutation within blocks; ranks
 * and differences within strata, whose rank sums are added up with weights. Blocks may have any size with at least one
 * value of each build; others do not count. Undefined when none counts.
 * Sources: Hodges and Lehmann, Annals of Mathematical Statistics 34 (1963); van Elteren (1960) for ranks within blocks
 * and for the weights; the formulas are in docs/internals/statistics.md. O(n² log n) for n values a build in a stratum.
 */
export function estimateShift(blocks: readonly BlockValues[]): Shift | undefined {
  const used = blocks.filter(({ base, candidate }) => base.length > 0 && candidate.length > 0);
  if (used.length === 0) return undefined;
  const strata = strataOf(used);
  const differences = weightedOrder(
    strata.map((each) => ({ weight: each.weight, values: differencesOf(each.blocks) })),
  );
  const estimate = differences.median;
  const unshifted = strata.map((stratum) => rankSum(stratum, 0));
  const shifted = strata.map((stratum) => rankSum(stratum, estimate));
  // Builds that are constant apart from the shift have no variance once it is taken off. Their permutations still have:
  // without it two loads would be enough to be sure.
  const varying = shifted.map((sum, i) => (sum.variance === 0 ? (unshifted[i] ?? sum) : sum));
  const { deviation: rankDeviation } = addedUp(varying);
  const { observed, expected, deviation } = addedUp(unshifted);
  return {
    estimate,
    rankDeviation,
    rankSum: { observed, expected, deviation },
    p: deviation === 0 ? 1 : Math.min(1, 2 * normalCdf(-Math.abs(observed - expected) / deviation)),
    interval(z) {
      const reach = rankDeviation === 0 ? 0 : Math.abs(z) * rankDeviation;
      const outside = differences.weight / 2 - reach;
      // Where all values are equal there is one difference only, whatever its rank.
      const otherwise = rankDeviation === 0 ? estimate : undefined;
      const low = differences.low(outside) ?? otherwise;
      const high = differences.high(outside) ?? otherwise;
      return { low, high };
    },
  };
}

/**
 * Blocks by stratum. A rank sum of N values weighs 1 / (N + 1), which makes a common shift show best and each load count
 * alike, whatever the size of its stratum (van Elteren); measured so that strata of one size weigh 1.
 */
function strataOf(blocks: readonly BlockValues[]): readonly Stratum[] {
  const groups = [...Map.groupBy(blocks, ({ stratum }) => stratum).values()];
  const sizes = groups.map((group) =>
    group.reduce((sum, { base, candidate }) => sum + base.length + candidate.length, 0),
  );
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return groups.map((group, i) => ({
    blocks: group,
    weight: Math.round((WEIGHT_STEPS * (mean + 1)) / ((sizes[i] ?? mean) + 1)) / WEIGHT_STEPS,
  }));
}

/** All differences candidate − base, in no order. */
function differencesOf(blocks: readonly BlockValues[]): Float64Array {
  const base = blocks.flatMap((block) => block.base);
  const candidate = blocks.flatMap((block) => block.candidate);
  const differences = new Float64Array(base.length * candidate.length);
  let i = 0;
  for (const b of candidate) {
    for (const a of base) {
      // What floating point leaves of equal values is no difference, in no direction.
      differences[i] = Math.abs(b - a) < TIE ? 0 : b - a;
      i += 1;
    }
  }
  return differences;
}

/** A candidate's rank sum, what it is without any shift, and its variance. */
interface RankSum {
  readonly observed: number;
  readonly expected: number;
  readonly variance: number;
}

/** Strata have nothing to do with each other: their variances add up as well. */
function addedUp(sums: readonly RankSum[]): Shift['rankSum'] {
  const sum = (key: keyof RankSum): number => sums.reduce((total, each) => total + each[key], 0);
  return { observed: sum('observed'), expected: sum('expected'), deviation: Math.sqrt(sum('variance')) };
}

/**
 * Ranks over all values of a stratum, `shift` taken off the candidate's; expectation and variance by permutation within
 * blocks; all with the stratum's weight.
 */
function rankSum({ blocks, weight }: Stratum, shift: number): RankSum {
  const values = blocks.flatMap(({ base, candidate }) => [...base, ...candidate.map((value) => value - shift)]);
  const ranks = midranks(values.map((value) => Math.round(value / TIE)));
  let observed = 0;
  let expected = 0;
  let variance = 0;
  let from = 0;
  for (const { base, candidate } of blocks) {
    const size = base.length + candidate.length;
    const own = ranks.subarray(from, from + size);
    from += size;
    const mean = own.reduce((sum, rank) => sum + rank, 0) / size;
    const squares = own.reduce((sum, rank) => sum + (rank - mean) ** 2, 0);
    observed += own.subarray(base.length).reduce((sum, rank) => sum + rank, 0);
    expected += candidate.length * mean;
    variance += ((base.length * candidate.length) / (size * (size - 1))) * squares;
  }
  return { observed: weight * observed, expected: weight * expected, variance: weight * weight * variance };
}

/** Ranks from 1; equal values share the mean of theirs. */
function midranks(values: readonly number[]): Float64Array {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Float64Array(values.length);
  let from = 0;
  while (from < order.length) {
    let to = from;
    while (order[to + 1]?.value === order[from]?.value && to + 1 < order.length) to += 1;
    for (const { index } of order.slice(from, to + 1)) ranks[index] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return ranks;
}
