import type { BlockValues, Shift } from './hodges-lehmann.ts';
import { estimateShift } from './hodges-lehmann.ts';
import { normalCdf } from './normal.ts';

/** What is known of one load and of what the machine took from it. */
export interface DisturbedLoad {
  /** The figure without the stolen time that lay on its path, ms; above 0. */
  readonly undisturbed: number;
  /** Share of the main thread's time that was stolen from it, 0 to 1. */
  readonly stolenShare: number;
  /** What else was seen of the machine: the same list for each load; absent where one is not known. */
  readonly host: readonly (number | undefined)[];
}

/** The loads of one block. */
export interface DisturbedBlock {
  readonly base: readonly DisturbedLoad[];
  readonly candidate: readonly DisturbedLoad[];
  /** As of `BlockValues`. */
  readonly stratum?: number;
}

/** Fewer differences within builds say nothing about a coefficient. */
const FEWEST_DIFFERENCES = 8;
/**
 * What else is seen of the machine is used where it leaves this share of the differences within builds, or less. A weaker
 * limit lets slopes in that are noise: with 1, 6.2 instead of 5.6 % of equal builds were called different in the hardest
 * scenario of bench/statistics/index.ts.
 */
const LEAST_GAIN = 0.95;
/**
 * What is seen of the machine only stands in for what slowed the page, such as a processor's cache that is shared: this
 * share of a correction counts as its standard error. Without it, 6.2% of equal builds were called different where other
 * work differed between the builds and slowed scripts without interrupting them (bench/statistics/index.ts), and 5.1% with it.
 */
const INEXACT = 0.25;
/** Over the share of stolen time, the micro-benchmark, and the busy share. */
const MOST_SLOPES = 3;
/** Standard deviation of a normal distribution whose absolute values have a median of 1. */
const SPREAD_OF_MEDIAN = 1.4826;

/**
 * The shift between two builds, on the scale of logarithms, without what the machine took. Undefined where too few loads
 * of a build can be compared.
 *
 * What a load's own timeline tells was taken off it before: nothing is estimated there. What that leaves shows within
 * builds: were it exact, a load would not depend on how much was stolen from it. So the slope over the share of stolen
 * time is taken off, which does not depend on how much a build computes: one that computes more is robbed of more
 * milliseconds, but of the same share. Then the slopes over what else was seen of the machine, where they help.
 *
 * All slopes come from differences between two loads of one build in one block, never from the difference between builds.
 * A block is corrected by what the others say, so that it cannot make itself look more alike than it is. How uncertain
 * and how inexact the slopes are matters where the machine took more from one build than from the other; it widens the
 * interval.
 */
export function undisturbedShift(blocks: readonly DisturbedBlock[]): Shift | undefined {
  const used = blocks.filter(({ base, candidate }) => base.length > 0 && candidate.length > 0);
  const seen = used[0]?.base[0]?.host.length ?? 0;
  let corrected: Corrected = {
    logs: used.map((block) => mapped(block, ({ undisturbed }) => Math.log(undisturbed))),
    variance: 0,
  };
  const byStolen = slopeTaken(
    corrected,
    used.map((block) => mapped(block, ({ stolenShare }) => stolenShare)),
  );
  if (!byStolen) return undefined;
  corrected = byStolen;
  for (let k = 0; k < seen; k += 1) {
    if (used.some(({ base, candidate }) => [...base, ...candidate].some(({ host }) => host[k] === undefined))) continue;
    const values = used.map((block) => mapped(block, ({ host }) => host[k] ?? 0));
    corrected = slopeTaken(corrected, values, true) ?? corrected;
  }
  const shift = estimateShift(corrected.logs);
  return shift && widened(shift, Math.sqrt(corrected.variance));
}

/** Logarithms from which slopes were taken, and the variance that the slopes' uncertainty gives to the shift. */
interface Corrected {
  readonly logs: readonly BlockValues[];
  readonly variance: number;
}

/** The difference between two loads of one build in one block. */
interface Pair {
  readonly block: number;
  readonly x: number;
  readonly y: number;
}

/** Takes off the slope over `seen`; undefined where it cannot be known, or, if it `mustHelp`, makes loads of a build hardly more alike. */
function slopeTaken(
  { logs, variance }: Corrected,
  seen: readonly BlockValues[],
  mustHelp = false,
): Corrected | undefined {
  const pairs = logs.flatMap((block, i) => [
    ...differences(i, seen[i]?.base ?? [], block.base),
    ...differences(i, seen[i]?.candidate ?? [], block.candidate),
  ]);
  if (pairs.length < FEWEST_DIFFERENCES) return undefined;
  const slopes = logs.map((_, i) => slopeOf(pairs.filter(({ block }) => block !== i)));
  if (mustHelp) {
    const before = sum(pairs.map(({ y }) => Math.abs(y)));
    const after = sum(pairs.map(({ block, x, y }) => Math.abs(y - (slopes[block] ?? 0) * x)));
    if (after > LEAST_GAIN * before) return undefined;
  }
  const apart = mean(seen.flatMap(({ candidate }) => candidate)) - mean(seen.flatMap(({ base }) => base));
  return {
    logs: logs.map((block, i) => {
      const take = (values: readonly number[], x: readonly number[]): readonly number[] =>
        values.map((value, n) => value - (slopes[i] ?? 0) * (x[n] ?? 0));
      return {
        ...block,
        base: take(block.base, seen[i]?.base ?? []),
        candidate: take(block.candidate, seen[i]?.candidate ?? []),
      };
    }),
    variance: variance + (slopeVariance(pairs) + (INEXACT * slopeOf(pairs)) ** 2) * apart ** 2,
  };
}

function differences(block: number, x: readonly number[], y: readonly number[]): readonly Pair[] {
  return y.flatMap((one, i) =>
    y.slice(i + 1).map((other, n) => ({ block, x: (x[i] ?? 0) - (x[i + 1 + n] ?? 0), y: one - other })),
  );
}

/** The line through the origin with the least absolute deviations: a few loads that took longer of themselves change little. */
function slopeOf(pairs: readonly Pair[]): number {
  const ratios = pairs.filter(({ x }) => x !== 0).map(({ x, y }) => ({ value: y / x, weight: Math.abs(x) }));
  return weightedMedian(ratios) ?? 0;
}

/**
 * Source: Koenker and Bassett, Econometrica 46 (1978), for normal residuals, whose spread is told by their median: where
 * the machine took much from one load and little from the other, they are more, and it is these that tell the slope. The
 * differences are few, and several slopes are learnt from them.
 */
function slopeVariance(pairs: readonly Pair[]): number {
  const slope = slopeOf(pairs);
  const squares = sum(pairs.map(({ x }) => x * x));
  const middle = weightedMedian(pairs.map(({ x, y }) => ({ value: Math.abs(y - slope * x), weight: x * x }))) ?? 0;
  const few = pairs.length / (pairs.length - MOST_SLOPES);
  return squares > 0 ? (few * (Math.PI / 2) * (SPREAD_OF_MEDIAN * middle) ** 2) / squares : 0;
}

/** The same shift with an interval and a p-value that know of a second, independent error. */
function widened(shift: Shift, error: number): Shift {
  const { low, high } = shift.interval(1);
  if (error === 0 || low === undefined || high === undefined) return shift;
  const own = (high - low) / 2;
  const { observed, expected, deviation } = shift.rankSum;
  const z = deviation === 0 ? 0 : ((observed - expected) / deviation) * (own / Math.hypot(own, error));
  return {
    ...shift,
    p: Math.min(1, 2 * normalCdf(-Math.abs(z))),
    interval(limit) {
      const interval = shift.interval(limit);
      const reach = (end: number): number => Math.hypot(end - shift.estimate, limit * error);
      return {
        ...(interval.low !== undefined && { low: shift.estimate - reach(interval.low) }),
        ...(interval.high !== undefined && { high: shift.estimate + reach(interval.high) }),
      };
    },
  };
}

function mapped({ base, candidate, stratum }: DisturbedBlock, read: (load: DisturbedLoad) => number): BlockValues {
  return { base: base.map(read), candidate: candidate.map(read), stratum };
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The value that half of the weight lies below; half-way between two where it lies between them. Undefined for none. */
function weightedMedian(values: readonly { readonly value: number; readonly weight: number }[]): number | undefined {
  const sorted = values.toSorted((one, other) => one.value - other.value);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  for (const [i, { value, weight }] of sorted.entries()) {
    below += weight;
    if (below > half) return value;
    if (below === half) return (value + (sorted[i + 1]?.value ?? value)) / 2;
  }
  return undefined;
}
