import type { DriverUse } from '../../model/capacity.ts';
import type { Ms } from '../../model/units.ts';
import { median } from '../time/median.ts';
import { type Histogram, merged, percentiles } from './histogram.ts';
import { halfWidth } from './interval.ts';
import type { LoadRecord, Slice } from './load-record.ts';
import { SLICE } from './load-record.ts';

/** One pass of a level, measured. */
export interface PassFigures {
  readonly duration: Ms;
  /** Good answers, and good ones per second. */
  readonly requests: number;
  readonly throughput: number;
  /** All answers per second, and their mean time: what Little's law is about. */
  readonly answeredRate: number;
  readonly answeredMean?: Ms;
  readonly mean?: Ms;
  readonly p50?: Ms;
  readonly p90?: Ms;
  readonly p95?: Ms;
  readonly p99?: Ms;
  /** Times of good answers; absent where another tool only told percentiles. */
  readonly counts?: Histogram;
  readonly errors: number;
  readonly errorKinds: Readonly<Record<string, number>>;
  /** Parts of the time, for intervals; none where another tool only told a mean. */
  readonly batches: readonly Batch[];
  readonly driver?: DriverUse;
}

/** A part of a pass. */
export interface Batch {
  readonly throughput: number;
  readonly mean?: Ms;
  readonly p90?: Ms;
}

/** What a pass is measured for. */
export interface PassSettings {
  readonly connections: number;
  /** The most that is measured after the warm-up. */
  readonly levelTime: Ms;
  /** Measure so many answers instead of up to a precision. */
  readonly requests?: number;
  /** Requests come at a fixed rate, answered or not: what waits for its turn is not worked on. */
  readonly isOpen?: boolean;
}

/** Half the interval of throughput, as a share of it, at which a level is known well enough. */
export const PRECISION = 0.05;
/** Share of requests that may fail. */
export const MAX_ERRORS = 0.05;
/** The least that is measured, ms: shorter is decided by what else the machine does. */
const LEAST_TIME: Ms = 1_000;
/** The least in response times: what is in flight at both ends is no more than a tenth. */
const LEAST_CYCLES = 10;
/** The least of a warm-up: connections are made, and code is compiled. */
const WARM_UP: Ms = 300;
/** Answers of each connection in a warm-up: the first one waited for the connection, too. */
const WARM_ANSWERS = 2;
/** The part of the level's time that a warm-up may take. */
const MOST_WARM_UP = 0.5;
const MOST_BATCHES = 20;
const FEWEST_BATCHES = 4;
/** A level of slow answers takes longer than its time, but not more often than this. */
const MOST_LEVEL_TIMES = 3;
/** Response times that a level lasts at least: what is in flight at its end is not known. */
const LEAST_OF_SLOW = 3;
/** Fewer answers do not show a share of errors. */
const FEWEST_ANSWERS = 20;
/** Of so many answers one more or less is 2%, which is less than the precision. */
const MANY_ANSWERS = 50;

/** The time at which the warm-up was over; undefined while it goes on. */
export function warmUntil({ slices, until }: LoadRecord, { connections, levelTime }: PassSettings): Ms | undefined {
  let answered = 0;
  for (const [i, slice] of slices.entries()) {
    const end = (i + 1) * SLICE;
    if (end > until) return undefined;
    // A time-out is an answer, too: nothing else will come.
    answered += slice.answered + sumOf([slice], ({ errors }) => errors.timeout ?? 0);
    if (end >= WARM_UP && answered >= WARM_ANSWERS * connections) return end;
    // The first answers of a queue that fills are faster than all later ones: each connection has had one.
    if (end >= Math.max(WARM_UP, levelTime * MOST_WARM_UP) && answered >= connections) return end;
    if (end >= MOST_LEVEL_TIMES * levelTime) return end;
  }
  return undefined;
}

/** Whether a pass is known well enough, or will never be. */
export function isEnough(record: LoadRecord, settings: PassSettings): boolean {
  const from = warmUntil(record, settings);
  if (from === undefined) return false;
  const figures = passFigures(record, settings);
  const slow = LEAST_OF_SLOW * (figures.mean ?? 0);
  const most = Math.min(MOST_LEVEL_TIMES * settings.levelTime, Math.max(settings.levelTime, slow));
  return record.until - from >= most || isKnown(figures, record.until - from, settings);
}

/** Whether the answers of `elapsed` ms are enough of them. */
function isKnown(figures: PassFigures, elapsed: Ms, settings: PassSettings): boolean {
  if (settings.requests !== undefined) return figures.requests >= settings.requests;
  const answered = figures.requests + figures.errors;
  if (elapsed >= LEAST_TIME / 2 && answered >= FEWEST_ANSWERS && figures.errors > 2 * MAX_ERRORS * answered)
    return true;
  if (elapsed < leastTime(figures)) return false;
  // At a low rate each part has one request, or none: that they are alike says nothing.
  if (settings.isOpen && answered < MANY_ANSWERS) return false;
  const half = halfWidth(figures.batches.map(({ throughput }) => throughput));
  return half !== undefined && half <= PRECISION * figures.throughput;
}

/**
 * Whether a pass in which no more requests may be sent says something of its level. That its time is over does not: a driver
 * that is not let run may need all of it for three answers.
 */
export function isKnownWhenSpent(record: LoadRecord, settings: PassSettings): boolean {
  const from = warmUntil(record, settings);
  if (from === undefined) return false;
  const figures = passFigures(record, settings);
  const elapsed = record.until - from;
  if (isKnown(figures, elapsed, settings)) return settings.requests !== undefined || hasCycles(figures);
  return elapsed >= leastTime(figures) && hasCycles(figures);
}

const hasCycles = ({ requests, errors }: PassFigures): boolean => requests + errors >= LEAST_CYCLES;

function leastTime({ mean = Number.POSITIVE_INFINITY }: PassFigures): Ms {
  return Math.max(LEAST_TIME, LEAST_CYCLES * mean);
}

/** What a pass has shown, without its warm-up. */
export function passFigures(record: LoadRecord, settings: PassSettings): PassFigures {
  const from = Math.round((warmUntil(record, settings) ?? 0) / SLICE);
  const end = Math.max(from, Math.floor(record.until / SLICE));
  const slices = record.slices.slice(from, end);
  const good = sumOf(slices, ({ good }) => good);
  const goodTime = sumOf(slices, ({ goodTime }) => goodTime);
  const answered = sumOf(slices, ({ answered }) => answered);
  const answeredTime = sumOf(slices, ({ answeredTime }) => answeredTime);
  const counts = merged(slices.map(({ counts }) => counts));
  const [p50, p90, p95, p99] = percentiles(counts, [0.5, 0.9, 0.95, 0.99]);
  // What was worked on at the end is known only once it is answered.
  const open = settings.isOpen ? 0 : Math.min(Math.ceil((p99 ?? 0) / SLICE), Math.floor((2 / 3) * slices.length));
  const known = slices.slice(0, slices.length - open);
  const byWork = ({ worked }: Slice): number => worked;
  const byEnd = ({ good }: Slice): number => good;
  // A queue that grows is no work, and one that was there before is no throughput of now.
  const done = settings.isOpen && sumOf(known, byEnd) < sumOf(known, byWork) ? byEnd : byWork;
  const duration = slices.length * SLICE;
  const worked = known.length * SLICE;
  const errorKinds: Record<string, number> = {};
  for (const { errors } of slices) {
    for (const [kind, count] of Object.entries(errors)) errorKinds[kind] = (errorKinds[kind] ?? 0) + count;
  }
  const throughput = worked > 0 ? (sumOf(known, done) / worked) * 1000 : 0;
  const mean = good > 0 ? goodTime / good : undefined;
  const driver = driverUse(record, from * SLICE, end * SLICE);
  return {
    duration,
    requests: good,
    throughput,
    // Those that failed are not spread; in a level without errors both are the same.
    answeredRate: answered === good ? throughput : duration > 0 ? (answered / duration) * 1000 : 0,
    ...(answered > 0 && { answeredMean: answeredTime / answered }),
    mean,
    p50,
    p90,
    p95,
    p99,
    counts,
    errors: Object.values(errorKinds).reduce((sum, count) => sum + count, 0),
    errorKinds,
    batches: batchesOf(known, mean ?? 0, done),
    driver,
  };
}

/** Equal parts that are at least two response times long. */
function batchesOf(slices: readonly Slice[], mean: Ms, done: (slice: Slice) => number): readonly Batch[] {
  const shortest = Math.max(2 * SLICE, 2 * mean);
  const count = Math.min(MOST_BATCHES, Math.max(FEWEST_BATCHES, Math.floor((slices.length * SLICE) / shortest)));
  const length = Math.floor(slices.length / count);
  if (length === 0) return [];
  return Array.from({ length: count }, (_, i): Batch => {
    const part = slices.slice(i * length, (i + 1) * length);
    const good = sumOf(part, ({ good }) => good);
    const [p90] = percentiles(merged(part.map(({ counts }) => counts)), [0.9]);
    return {
      throughput: (sumOf(part, done) / (length * SLICE)) * 1000,
      ...(good > 0 && { mean: sumOf(part, ({ goodTime }) => goodTime) / good }),
      p90,
    };
  });
}

/** What the busiest process of the driver used between two times. */
function driverUse({ workers }: LoadRecord, from: Ms, to: Ms): DriverUse | undefined {
  const used = workers.flatMap((readings) => {
    const inside = readings.filter(({ at }) => at >= from && at <= to);
    const [first] = inside;
    const last = inside.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) return [];
    const elapsed = last.at - first.at;
    const delays = inside.flatMap(({ delay }) => delay ?? []);
    return [
      {
        own: Math.max(0, (last.cpu - first.cpu) / elapsed),
        ...(first.waiting !== undefined &&
          last.waiting !== undefined && { waiting: Math.max(0, (last.waiting - first.waiting) / elapsed) }),
        ...(delays.length > 0 && { eventLoopDelay: median(delays) }),
        sockets: last.sockets,
      },
    ];
  });
  if (used.length === 0) return undefined;
  const busiest = used.reduce((a, b) => (b.own + (b.waiting ?? 0) > a.own + (a.waiting ?? 0) ? b : a));
  return { ...busiest, sockets: used.reduce((sum, { sockets }) => sum + sockets, 0) };
}

function sumOf(slices: readonly Slice[], read: (slice: Slice) => number): number {
  return slices.reduce((sum, slice) => sum + read(slice), 0);
}
