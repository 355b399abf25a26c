import type { CapacityLevel, CapacityLimit, DriverUse, LimitFacts, UslFit } from '../../model/capacity.ts';
import { driverLimitFrom, fallsAtEnd, highest, isFlat, kneeLevel, plateauThroughput, usableLevels } from './knee.ts';
import { DRIVER_LIMIT } from './level.ts';
import { MAX_ERRORS } from './pass.ts';
import { isRound, roundCorner, type Shape, shapeOf } from './shape.ts';
import { throughputAt } from './usl.ts';

/** Share of what the server can have of its processors from which on they are the limit. */
const CPU_FULL = 0.85;
/** A curve that has so much of its plateau at the corner was straight up to there: places are the limit, and no hindrance. */
const SHARP = 0.93;
/** Less than this is no corner, whatever else was going on: a lock that holds a quarter of the work has 0.79 of it. */
const ROUGHLY_SHARP = 0.85;
/** A law that is off by so much less than another is the right one. Pools: 0.03 to 0.3 of it; locks: 0.8 to 2. */
const MUCH_CLOSER = 0.6;
/** Levels whose throughputs differ by less are the same. */
const FLAT = 1.05;
/** A server that can take more has so much of the straight line at its last level. */
const STRAIGHT = 0.85;
/** What is asked of a server at most, in requests for each of its processors: the field's rule of 2 to 2.5 × 4 a core. */
const PER_CORE = 4;
const MOST_OF_IT = 2.5;
/** A knee that is so close to the last level without errors is where these begin. */
const NEXT_TO = 0.5;
/** Answers with which servers refuse what is too much, or fail under it. Source: RFC 6585 and RFC 9110. */
const REFUSALS = /^HTTP (?:429|5\d\d)$/;

/** What is known of the machines. */
export interface LimitContext {
  /** Processors of the server's machine, or those that it may use. */
  readonly cores?: number;
  /** It is the machine that makes the load, too. */
  readonly shared: boolean;
}

/** What stands in the way, and the figures that say so. */
export interface JudgedLimit {
  readonly limit: CapacityLimit;
  readonly facts: LimitFacts;
}

/** Decides what limits a server, by its levels. */
export function limitOf(levels: readonly CapacityLevel[], usl: UslFit | undefined, context: LimitContext): JudgedLimit {
  const usable = usableLevels(levels);
  const driverFrom = driverLimitFrom(levels);
  const [first] = usable;
  const knee = kneeLevel(usable);
  const best = highest(usable);
  if (first === undefined || knee === undefined || best === undefined) {
    return driverFrom === undefined
      ? { limit: 'not-reached', facts: {} }
      : { limit: 'driver', facts: driverFacts(levels, driverFrom) };
  }
  const tryLevels = levelsToTry(context.cores, first.concurrency);
  if (isSaturatedBelow(usable)) {
    const falls = fallsAtEnd(usable);
    return {
      limit: 'already-saturated',
      facts: { ceiling: plateauThroughput(usable), tryLevels, ...(falls && { falls }) },
    };
  }
  const refused = refusedFrom(levels, usable, driverFrom);
  if (!isFlat(usable)) {
    if (driverFrom !== undefined && refused === undefined)
      return { limit: 'driver', facts: driverFacts(levels, driverFrom) };
    // Its processors may be full before the curve is flat.
    const cpu = cpuLimit(knee, usable, context);
    if (cpu) return cpu;
    if (refused) return refused;
    return { limit: 'not-reached', facts: { failingFrom: failingFrom(levels, usable) } };
  }
  const cpu = cpuLimit(knee, usable, context);
  if (cpu) return cpu;
  // What it refuses just above the plateau is the limit, whatever the plateau looks like.
  if (refused && knee.concurrency >= NEXT_TO * (usable.at(-1)?.concurrency ?? 0)) return refused;
  const falls = fallsAtEnd(usable);
  const ceiling = plateauThroughput(usable);
  const shape = shapeOf(usable);
  const idle = idleAt(knee, context);
  const facts = { ceiling, idle, ...(falls && { falls }), cpuPerRequest: knee.server?.cpuPerRequest };
  if (shape && (shape.sharpness >= SHARP || (!falls && arePlaces(usable, shape, usl)))) {
    const round = roundCorner(usable, shape);
    if (round !== undefined) return { limit: 'configured', facts: { ...facts, concurrency: round } };
    return { limit: 'wait', facts: { ...facts, concurrency: Math.round(shape.corner) } };
  }
  if (falls && usl !== undefined && usl.kappa > 0 && usl.kappaLow > 0) return { limit: 'coherence', facts };
  if (usl !== undefined && usl.sigma > 0) return { limit: 'contention', facts };
  return { limit: 'wait', facts: { ...facts, concurrency: shape && Math.round(shape.corner) } };
}

/**
 * Whether all levels together say that places are the limit, though the one at the corner does not: something else may have
 * taken from it what it had.
 */
function arePlaces(usable: readonly CapacityLevel[], shape: Shape, usl: UslFit | undefined): boolean {
  if (usl === undefined || shape.sharpness < ROUGHLY_SHARP) return false;
  const misfit = (law: (n: number) => number) =>
    Math.sqrt(usable.reduce((sum, { concurrency, throughput }) => sum + (law(concurrency) - throughput) ** 2, 0));
  const byPlaces = misfit((n) => shape.perConnection * Math.min(n, shape.corner));
  return byPlaces <= MUCH_CLOSER * misfit((n) => throughputAt(usl, n));
}

/** A server that has so much of the rate that it was asked for keeps up. */
const KEEPS_UP = 0.95;

/** What limits a server that was asked at fixed rates: it keeps up with the highest one, or it does not. */
export function limitOfOpen(levels: readonly CapacityLevel[], context: LimitContext): JudgedLimit {
  const driverFrom = driverLimitFrom(levels);
  const usable = usableLevels(levels);
  const best = highest(usable);
  const behind = levels.find(isBehind);
  if (driverFrom !== undefined && best === undefined)
    return { limit: 'driver', facts: driverFacts(levels, driverFrom) };
  if (behind === undefined || best === undefined) return { limit: 'not-reached', facts: {} };
  return (
    cpuLimit(best, usable, context) ?? {
      limit: 'wait',
      facts: { ceiling: best.throughput, idle: idleAt(best, context) },
    }
  );
}

/** Does a level fall behind its rate, beyond its interval, and by more than the one request that was under way at its end? */
function isBehind({ rate, throughput, throughputHigh = throughput, duration }: CapacityLevel): boolean {
  if (rate === undefined) return false;
  const one = duration === undefined ? 0 : 1_000 / duration;
  return Math.max(throughputHigh, throughput + one) < KEEPS_UP * rate;
}

/** Flat from the lowest level on, which is not one connection. */
function isSaturatedBelow(usable: readonly CapacityLevel[]): boolean {
  const [first, ...others] = usable;
  if (first === undefined || others.length === 0 || first.concurrency <= 1) return false;
  const rates = usable.map(({ throughput }) => throughput);
  if (Math.max(...rates) > FLAT * first.throughput) return false;
  // A server that falls from the first level on is past its knee as well.
  return (usable.at(-1)?.concurrency ?? 0) >= 1.2 * first.concurrency;
}

/** Levels for a server with so many processors; without them, far below the lowest. */
export function levelsToTry(cores: number | undefined, lowest: number): readonly number[] {
  const most = cores === undefined ? Math.max(2, Math.ceil(lowest / 2)) : Math.round(MOST_OF_IT * PER_CORE * cores);
  const steps =
    cores === undefined ? [1, most / 16, most / 4, most] : [1, cores, 2 * cores, 4 * cores, 2 * PER_CORE * cores, most];
  return [...new Set(steps.map((step) => Math.max(1, Math.round(step))))].toSorted((a, b) => a - b);
}

/** Its processors are full at the plateau, or each of its busy threads has one for itself. */
function cpuLimit(
  knee: CapacityLevel,
  usable: readonly CapacityLevel[],
  context: LimitContext,
): JudgedLimit | undefined {
  const plateau = usable.filter(
    ({ concurrency, server }) => concurrency >= knee.concurrency && server?.cpuPerRequest !== undefined,
  );
  const busiest = plateau.reduce<CapacityLevel | undefined>(
    (best, level) => ((level.server?.processors ?? 0) > (best?.server?.processors ?? 0) ? level : best),
    undefined,
  );
  const use = busiest?.server;
  if (busiest === undefined || use?.cpuPerRequest === undefined) return undefined;
  const cores = context.cores ?? 1;
  const free = context.shared ? available(cores, busiest.driver) : cores;
  const isFull = use.processors >= CPU_FULL * free && use.processors >= 0.5;
  const areThreadsFull = use.fullThreads >= 1 && use.fullThreads >= use.workers;
  if (!isFull && !areThreadsFull) return undefined;
  const usedMost = areThreadsFull && !isFull ? use.fullThreads : Math.min(cores, Math.max(free, use.processors));
  return {
    limit: 'cpu',
    facts: {
      ceiling: (usedMost / use.cpuPerRequest) * 1000,
      cores: usedMost,
      cpuPerRequest: use.cpuPerRequest,
      threads: areThreadsFull && !isFull ? use.fullThreads : undefined,
      idle: idleAt(busiest, context),
    },
  };
}

/** Processors that the driver and other programs leave for the server. */
function available(cores: number, driver: DriverUse | undefined): number {
  if (driver === undefined) return cores;
  return Math.max(0.5, cores * (1 - (driver.others ?? 0) - (driver.steal ?? 0)) - (driver.processors ?? driver.own));
}

/** What the server's machine left unused. */
function idleAt({ serverCpu, driver }: CapacityLevel, { cores, shared }: LimitContext): number | undefined {
  if (serverCpu === undefined) return undefined;
  const besides =
    shared && driver
      ? (driver.others ?? 0) + (driver.steal ?? 0) + (driver.processors ?? driver.own) / (cores ?? 1)
      : 0;
  return Math.max(0, 1 - serverCpu - besides);
}

/** A server that answers so many connections and refuses more. */
function refusedFrom(
  levels: readonly CapacityLevel[],
  usable: readonly CapacityLevel[],
  driverFrom = Number.POSITIVE_INFINITY,
): JudgedLimit | undefined {
  const last = usable.at(-1);
  const failing = levels
    .toSorted((a, b) => a.concurrency - b.concurrency)
    .find(({ concurrency, errorShare }) => errorShare > MAX_ERRORS && concurrency > (last?.concurrency ?? 0));
  const shape = shapeOf(usable);
  if (failing === undefined || last === undefined || shape === undefined) return undefined;
  const kinds = Object.entries(failing.errorKinds ?? {});
  const refusals = kinds.reduce((sum, [kind, count]) => sum + (REFUSALS.test(kind) ? count : 0), 0);
  const isStraight = last.throughput >= STRAIGHT * last.concurrency * shape.perConnection;
  // Refusals are cheap and come by the thousand: that the driver is busy with them, from there on, says nothing.
  const isDriver = driverFrom <= failing.concurrency && (driverFrom < failing.concurrency || refusals === 0);
  const isConfigured = refusals > failing.errors / 2 || (isStraight && isRound(last.concurrency));
  if (isDriver) return undefined;
  if (!isConfigured) return undefined;
  return { limit: 'configured', facts: { ceiling: last.throughput, concurrency: last.concurrency } };
}

/** The first level above the usable ones at which requests fail, or nothing is answered. */
function failingFrom(levels: readonly CapacityLevel[], usable: readonly CapacityLevel[]): number | undefined {
  const last = usable.at(-1)?.concurrency ?? 0;
  const above = levels.filter(({ concurrency }) => concurrency > last).map(({ concurrency }) => concurrency);
  return above.length === 0 ? undefined : above.reduce((a, b) => Math.min(a, b));
}

/** Why the driver is the limit, at the first level where it is. */
function driverFacts(levels: readonly CapacityLevel[], from: number): LimitFacts {
  const use = levels.find(({ concurrency }) => concurrency === from)?.driver;
  const { own = 0, waiting = 0, others = 0, steal = 0 } = use ?? {};
  const driver = steal > DRIVER_LIMIT ? 'steal' : others > own + waiting || waiting > own ? 'others' : 'own';
  return { from, driver };
}
