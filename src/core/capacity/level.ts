import type { CapacityLevel, DriverUse, InstabilityCode, ServerUse } from '../../model/capacity.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../text/defined.ts';
import { merged, percentiles } from './histogram.ts';
import { halfWidth } from './interval.ts';
import { MAX_ERRORS, type PassFigures } from './pass.ts';

/** Above this share the driver answers late, and the level is marked. The rule of the field for load generators. */
export const DRIVER_MARKED = 0.5;
/** Above this share the driver is what was measured. */
export const DRIVER_LIMIT = 0.8;
/** An interval that is wider than this share on either side says too little. */
const WIDE_INTERVAL = 0.1;
/** Two passes that differ by more have seen two different servers. */
const DRIFT = 0.1;

/** One pass with what the machines did meanwhile. */
export interface MeasuredPass {
  readonly figures: PassFigures;
  /** All other programs on the driver's machine but the server, and stolen time, as shares of all processors. */
  readonly others?: number;
  readonly steal?: number;
  /** Processors that the driver used. */
  readonly processors?: number;
  readonly server?: ServerUse;
  /** Processors of the server's machine. */
  readonly serverCores?: number;
  /** All answers, those of the warm-up too; those of the figures when absent. */
  readonly answered?: number;
  /** No more requests might be sent, before it could say anything of its level. */
  readonly isCut?: true;
}

/** What a level is asked for. */
export interface LevelPlan {
  readonly concurrency: number;
  readonly rate?: number;
  readonly thinkTime?: Ms;
}

/** All passes of a level together. */
export function levelOf(plan: LevelPlan, passes: readonly MeasuredPass[]): CapacityLevel {
  const all = passes.map(({ figures }) => figures);
  const duration = total(all, (pass) => pass.duration);
  const weighted = (read: (pass: PassFigures) => number | undefined): number | undefined => {
    const known = all.filter((pass) => read(pass) !== undefined);
    const time = total(known, (pass) => pass.duration);
    return time > 0 ? total(known, (pass) => (read(pass) ?? 0) * pass.duration) / time : undefined;
  };
  const requests = total(all, (pass) => pass.requests);
  const errors = total(all, (pass) => pass.errors);
  const throughput = weighted((pass) => pass.throughput) ?? 0;
  const histograms = all.flatMap(({ counts }) => counts ?? []);
  const times =
    histograms.length === all.length
      ? percentiles(merged(histograms), [0.5, 0.9, 0.95, 0.99])
      : [
          weighted(({ p50 }) => p50),
          weighted(({ p90 }) => p90),
          weighted(({ p95 }) => p95),
          weighted(({ p99 }) => p99),
        ];
  const [p50, p90, p95, p99] = times;
  // Of a table that tells percentiles alone the mean is not known.
  const timed = all.filter((pass) => pass.mean !== undefined);
  const answers = total(timed, (pass) => pass.requests);
  const mean =
    answers > 0 ? total(timed, (pass) => (pass.mean ?? 0) * pass.requests) / answers : weighted((it) => it.mean);
  const batches = all.flatMap((pass) => pass.batches);
  const apart = all.length < 2 ? 0 : (Math.max(...all.map(x)) - Math.min(...all.map(x))) / 2;
  const half = widest(halfWidth(batches.map(x)), apart);
  const meanHalf = halfWidth(batches.flatMap((batch) => batch.mean ?? []));
  const p90Half = halfWidth(batches.flatMap((batch) => batch.p90 ?? []));
  const answeredRate = weighted((pass) => pass.answeredRate) ?? 0;
  const answeredMean = weighted((pass) => pass.answeredMean);
  const little =
    answeredMean === undefined || plan.rate !== undefined
      ? undefined
      : littlesLaw(answeredRate, answeredMean, plan.concurrency, plan.thinkTime);
  const driver = driverOf(passes);
  const driverBusy = driver && busyShare(driver);
  const server = serverOf(passes, mean);
  const cores = passes.find(({ serverCores }) => serverCores !== undefined)?.serverCores;
  const errorShare = errors / Math.max(1, requests + errors);
  const unstable: readonly InstabilityCode[] = [
    ...(little !== undefined && !isInBalance(little) ? (['littles-law'] as const) : []),
    ...(half !== undefined && half > WIDE_INTERVAL * throughput && apart <= DRIFT * throughput
      ? (['wide-interval'] as const)
      : []),
    ...(apart * 2 > DRIFT * throughput && all.length > 1 ? (['drift'] as const) : []),
    ...(errorShare > MAX_ERRORS ? (['errors'] as const) : []),
    ...(driverBusy !== undefined && driverBusy > DRIVER_LIMIT
      ? (['driver-limit'] as const)
      : driverBusy !== undefined && driverBusy > DRIVER_MARKED
        ? (['driver-busy'] as const)
        : []),
  ];
  const errorKinds = kindsOf(all);
  return {
    concurrency: plan.concurrency,
    throughput,
    errors,
    errorShare,
    // A busy driver is a mark, and no doubt in balance or noise.
    stable: unstable.every((code) => code === 'driver-busy'),
    rate: plan.rate,
    ...around(throughput, half, 'throughput'),
    mean,
    ...(mean !== undefined && around(mean, meanHalf, 'mean')),
    p50,
    p90,
    ...(p90 !== undefined && around(p90, p90Half, 'p90')),
    p95,
    p99,
    requests,
    duration,
    errorKinds,
    driverBusy,
    driver,
    serverCpu: server && cores ? Math.min(1, server.processors / cores) : undefined,
    server,
    littlesLaw: little,
    unstable: unstable.length > 0 ? unstable : undefined,
  };
}

/** A driver that spends more of its time without a processor that it wants is held up by others. */
const HELD_UP = 0.5;

/**
 * How busy the driver is: the busiest of what it needs. Other programs are no limit while it gets a processor when it wants
 * one: beside two endless loops for each processor it had none in 64 to 95% of the time, beside 25 programs that came and
 * went, and took 95% of the machine, in 9 to 35%.
 */
export function busyShare({ own, waiting = 0, others = 0, steal = 0 }: DriverUse): number {
  const besides = own + waiting > HELD_UP ? others : Math.min(others, DRIVER_LIMIT);
  return Math.min(1, Math.max(own + waiting, besides, steal));
}

function around<Name extends string>(value: number, half: number | undefined, name: Name) {
  if (half === undefined) return {};
  return { [`${name}Low`]: Math.max(0, value - half), [`${name}High`]: value + half };
}

function driverOf(passes: readonly MeasuredPass[]): DriverUse | undefined {
  const known = passes.flatMap(({ figures, others, steal, processors }) =>
    figures.driver ? [{ ...figures.driver, ...defined({ others, steal, processors }) }] : [],
  );
  if (known.length === 0) return undefined;
  const mean = (read: (use: DriverUse) => number | undefined) => average(known.flatMap((use) => read(use) ?? []));
  return {
    own: mean(({ own }) => own) ?? 0,
    processors: mean(({ processors }) => processors),
    waiting: mean(({ waiting }) => waiting),
    others: mean(({ others }) => others),
    steal: mean(({ steal }) => steal),
    eventLoopDelay: mean(({ eventLoopDelay }) => eventLoopDelay),
    sockets: known.at(-1)?.sockets,
  };
}

function serverOf(passes: readonly MeasuredPass[], mean: Ms | undefined): ServerUse | undefined {
  const known = passes.flatMap(({ server }) => server ?? []);
  const last = known.at(-1);
  if (last === undefined) return undefined;
  const of = (read: (use: ServerUse) => number | undefined) => average(known.flatMap((use) => read(use) ?? []));
  const cpuPerRequest = of((use) => use.cpuPerRequest);
  return {
    ...last,
    processors: of(({ processors }) => processors) ?? 0,
    fullThreads: Math.round(of(({ fullThreads }) => fullThreads) ?? 0),
    ...defined({
      cpuPerRequest,
      waitPerRequest: cpuPerRequest === undefined || mean === undefined ? undefined : Math.max(0, mean - cpuPerRequest),
      acceptQueue: known.some(({ acceptQueue }) => acceptQueue !== undefined)
        ? Math.max(...known.map(({ acceptQueue = 0 }) => acceptQueue))
        : undefined,
    }),
  };
}

function kindsOf(passes: readonly PassFigures[]): Readonly<Record<string, number>> | undefined {
  const all: Record<string, number> = {};
  for (const { errorKinds } of passes) {
    for (const [kind, count] of Object.entries(errorKinds)) all[kind] = (all[kind] ?? 0) + count;
  }
  return Object.keys(all).length > 0 ? all : undefined;
}

const x = ({ throughput }: { readonly throughput: number }): number => throughput;

function total(passes: readonly PassFigures[], read: (pass: PassFigures) => number): number {
  return passes.reduce((sum, pass) => sum + read(pass), 0);
}

function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, each) => sum + each, 0) / values.length;
}

function widest(half: number | undefined, apart: number): number | undefined {
  return half === undefined ? (apart > 0 ? apart : undefined) : Math.max(half, apart);
}

/**
 * How far a level may be from N = X·R. Little's law holds for every system in balance, so a level that is farther off was
 * not in balance: connections that never got an answer, or a queue that still grew.
 * Source: Little, "A Proof for the Queuing Formula L = λW", 1961.
 */
const LITTLE_TOLERANCE = 0.1;

/**
 * Requests at a time by throughput and response time, over the connections that there were.
 *
 * @param throughput 1/s
 * @param thinkTime what each connection waits between an answer and its next request
 */
export function littlesLaw(throughput: number, responseTime: Ms, connections: number, thinkTime: Ms = 0): number {
  return (throughput * (responseTime + thinkTime)) / 1000 / connections;
}

/** Whether a level was in balance. */
export function isInBalance(share: number): boolean {
  return Math.abs(share - 1) <= LITTLE_TOLERANCE;
}
