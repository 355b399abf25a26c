import type { CapacityLevel, RampEnd } from '../../model/capacity.ts';
import type { Ms } from '../../model/units.ts';
import { highest, kneeLevel, usableLevels } from './knee.ts';
import { DRIVER_LIMIT } from './level.ts';
import { MAX_ERRORS } from './pass.ts';
import { shapeOf } from './shape.ts';

/** How levels are chosen. */
export interface RampSettings {
  /** Exactly these; found when absent. */
  readonly levels?: readonly number[];
  readonly maxConcurrency: number;
  /** Look for the highest throughput within it. */
  readonly p90?: Ms;
}

/** Connections that are tried at most when nobody says otherwise: one process has as many sockets nearly everywhere. */
export const MOST_CONNECTIONS = 4096;
/** Two levels that add less to throughput add nothing. */
const GROWTH = 1.05;
/** And response times that have grown by so much say that requests wait. */
const SLOWER = 2;
/**
 * How far above the knee the ramp goes: the Universal Scalability Law tells contention from the plateau, and with levels
 * up to four times the knee only it finds half of it. Source: machine repairman with 5 of 20 ms in a lock: σ = 0.13 with
 * levels up to 4 times the knee, 0.18 up to 8, 0.24 up to 16.
 */
const BEYOND_KNEE = 16;
/** A level where requests take longer than this is not worth it, ms. */
const SLOWEST: Ms = 3_000;
/** Below this share of the highest throughput the server has broken down. */
const BROKEN = 0.5;

/** The next level, or why there is none. */
export type NextLevel = { readonly concurrency: number } | { readonly ended: RampEnd };

/** The next level of a ramp by those that were measured, in order. */
export function nextLevel(measured: readonly CapacityLevel[], settings: RampSettings): NextLevel {
  const { levels, maxConcurrency } = settings;
  const last = measured.at(-1);
  if (last === undefined) return { concurrency: levels?.[0] ?? 1 };
  const end = (code: RampEnd['code']): NextLevel => ({ ended: { code, concurrency: last.concurrency } });
  if (last.errorShare > MAX_ERRORS || last.throughput === 0) {
    const { timeout = 0 } = last.errorKinds ?? {};
    return end(timeout > last.errors / 2 || last.errors === 0 ? 'timeouts' : 'errors');
  }
  if ((last.driverBusy ?? 0) > DRIVER_LIMIT) return end('driver');
  if (levels !== undefined) {
    const next = levels[measured.length];
    return next === undefined ? end('levels-done') : { concurrency: next };
  }
  if (isDone(measured)) return end('flat');
  if (last.concurrency >= maxConcurrency) return end('max-concurrency');
  return { concurrency: Math.min(maxConcurrency, last.concurrency * 2) };
}

function isDone(measured: readonly CapacityLevel[]): boolean {
  const last = measured.at(-1);
  const before = highest(measured.slice(0, -2))?.throughput;
  if (last === undefined || before === undefined) return false;
  const now = highest(measured.slice(-2))?.throughput ?? 0;
  const fastest = Math.min(...measured.map(({ mean = Number.POSITIVE_INFINITY }) => mean));
  if (now >= GROWTH * before || (last.mean ?? 0) < SLOWER * fastest) return false;
  const knee = kneeLevel(measured);
  if (last.throughput < BROKEN * Math.max(before, now)) return true;
  return last.concurrency >= BEYOND_KNEE * (knee?.concurrency ?? 1) || 2 * (last.mean ?? 0) > SLOWEST;
}

/** Levels around the knee, around the bound and around the first failures that are worth a look; none that were measured. */
export function refinement(measured: readonly CapacityLevel[], settings: RampSettings): readonly number[] {
  if (settings.levels !== undefined) return [];
  const known = new Set(measured.map(({ concurrency }) => concurrency));
  const sorted = measured.toSorted((a, b) => a.concurrency - b.concurrency);
  const usable = usableLevels(sorted);
  const knee = kneeLevel(usable);
  if (knee === undefined) return [];
  const next = sorted.find(({ concurrency }) => concurrency > knee.concurrency);
  const before = usable.findLast(({ concurrency }) => concurrency < knee.concurrency);
  const corner = shapeOf(usable)?.corner ?? knee.concurrency;
  const wanted = [
    ...(before ? [between(before.concurrency, knee.concurrency)] : []),
    ...(next ? [between(knee.concurrency, next.concurrency)] : []),
    ...(next ? [Math.round(corner)] : []),
    ...edges(sorted, ({ errorShare }) => errorShare <= MAX_ERRORS),
    ...(settings.p90 === undefined
      ? []
      : edges(usable, ({ p90 = Number.POSITIVE_INFINITY }) => p90 <= (settings.p90 ?? 0))),
  ];
  const highestKnown = sorted.at(-1)?.concurrency ?? 1;
  return [...new Set(wanted)].filter((level) => level >= 1 && level <= highestKnown && !known.has(level));
}

/** Times that levels are added between those that were measured. */
export const REFINEMENTS = 2;

/** Half way from the last level that passes to the first that does not. */
function edges(sorted: readonly CapacityLevel[], passes: (level: CapacityLevel) => boolean): readonly number[] {
  const beyond = sorted.findIndex((level) => !passes(level));
  const [low, high] = [sorted[beyond - 1], sorted[beyond]];
  return low === undefined || high === undefined ? [] : [between(low.concurrency, high.concurrency)];
}

function between(low: number, high: number): number {
  return Math.round(Math.sqrt(low * high));
}
