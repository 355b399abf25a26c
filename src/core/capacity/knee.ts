import type { CapacityLevel, Knee } from '../../model/capacity.ts';
import { DRIVER_LIMIT } from './level.ts';
import { MAX_ERRORS, PRECISION } from './pass.ts';

/** A level with so much of the highest throughput is on the plateau. */
const PLATEAU = 0.95;

/** The levels that speak of the server: few errors, and a driver that could have asked for more. Ends at the first that does not. */
export function usableLevels(levels: readonly CapacityLevel[]): readonly CapacityLevel[] {
  const sorted = inOrder(levels);
  const limit = driverLimitFrom(sorted);
  return sorted.filter(
    ({ concurrency, errorShare, throughput }) =>
      errorShare <= MAX_ERRORS && throughput > 0 && (limit === undefined || concurrency < limit),
  );
}

/** By connections, and in an open load by rate. */
function inOrder(levels: readonly CapacityLevel[]): readonly CapacityLevel[] {
  return levels.toSorted((a, b) => a.concurrency - b.concurrency || (a.rate ?? 0) - (b.rate ?? 0));
}

/** From which level on the driver is what is measured: there, and at every level above. */
export function driverLimitFrom(levels: readonly CapacityLevel[]): number | undefined {
  const sorted = inOrder(levels);
  const last = sorted.findLastIndex(({ driverBusy = 0 }) => driverBusy <= DRIVER_LIMIT);
  return sorted[last + 1]?.concurrency;
}

/** The level with the highest throughput. */
export function highest(levels: readonly CapacityLevel[]): CapacityLevel | undefined {
  return levels.reduce<CapacityLevel | undefined>(
    (best, level) => (best === undefined || level.throughput > best.throughput ? level : best),
    undefined,
  );
}

/**
 * The lowest level on the plateau: more load only makes it slower. Where levels are less certain than they should be, the
 * luckiest of them does not decide: its throughput counts without what its interval is too wide.
 */
export function kneeLevel(usable: readonly CapacityLevel[]): CapacityLevel | undefined {
  const most = surest(usable);
  return usable.find(({ throughput }) => throughput >= PLATEAU * most);
}

/** What counts of a throughput at least, however wide its interval is: half of a level is no plateau. */
const LEAST_SURE = 0.9;

/** The highest throughput that is known as well as levels should be. */
function surest(usable: readonly CapacityLevel[]): number {
  return usable
    .map(({ throughput, throughputLow = throughput }) =>
      Math.min(throughput, Math.max(throughputLow + PRECISION * throughput, LEAST_SURE * throughput)),
    )
    .reduce((a, b) => Math.max(a, b), 0);
}

/** The knee as results have it. */
export function kneeOf(usable: readonly CapacityLevel[]): Knee | undefined {
  const level = kneeLevel(usable);
  return level && { concurrency: level.concurrency, throughput: level.throughput, p90: level.p90 };
}

/** The throughput of the plateau: its levels together, so that the luckiest of them does not decide. */
export function plateauThroughput(usable: readonly CapacityLevel[]): number {
  const knee = kneeLevel(usable);
  const most = surest(usable);
  const on = usable.filter(
    ({ concurrency, throughput, throughputHigh = throughput }) =>
      concurrency >= (knee?.concurrency ?? 0) && throughputHigh >= PLATEAU * most,
  );
  return on.length === 0 ? 0 : on.reduce((sum, { throughput }) => sum + throughput, 0) / on.length;
}

/** Throughput that falls by more, from the plateau to the last level, is lost to more load. */
const FALL = 0.9;

/** Whether throughput falls at the end: below the plateau by more than the interval of the last level may be off. */
export function fallsAtEnd(usable: readonly CapacityLevel[]): boolean {
  const last = usable.at(-1);
  const plateau = plateauThroughput(usable);
  if (last === undefined) return false;
  const { throughput, throughputHigh = throughput } = last;
  return throughput < FALL * plateau && throughputHigh < PLATEAU * plateau;
}

/** Whether a plateau was seen: a level above the knee, with twice as many connections or with a fall, brought nothing. */
export function isFlat(usable: readonly CapacityLevel[]): boolean {
  const knee = kneeLevel(usable);
  const last = usable.at(-1);
  if (knee === undefined || last === undefined) return false;
  return last.concurrency >= 1.9 * knee.concurrency || fallsAtEnd(usable);
}
