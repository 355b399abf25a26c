import { bucketOf } from '../../../src/core/capacity/histogram.ts';
import type { MeasuredPass } from '../../../src/core/capacity/level.ts';
import { levelOf } from '../../../src/core/capacity/level.ts';
import { SLICE } from '../../../src/core/capacity/load-record.ts';
import type { CapacityLevel, ServerUse } from '../../../src/model/capacity.ts';
import type { LoadTick } from '../../../src/model/network/load.ts';

/** A server by its law: response time in ms with so many requests at a time. */
export type Law = (n: number) => number;

/** A server that works on `places` requests at a time, each in `ms`. */
export const pool =
  (places: number, ms: number): Law =>
  (n) =>
    ms * Math.max(1, n / places);
/** The machine repairman: `alone` of the time in a lock, with times that differ. */
export const lock =
  (alone: number, besides: number): Law =>
  (n) => {
    let queue = 0;
    let response = 0;
    for (let i = 1; i <= n; i += 1) {
      const waiting = alone * (1 + queue);
      response = besides + waiting;
      queue = (i / response) * waiting;
    }
    return response;
  };
/** Agreement among all. */
export const coherence =
  (ms: number, kappa: number): Law =>
  (n) =>
    ms * (1 + kappa * n * (n - 1));

/** What a server's processes use, by level. */
export type Use = (n: number, throughput: number) => Partial<ServerUse> & { readonly processors: number };

/** One pass of a level, as if it were measured; times are all alike. */
export function passOf(n: number, law: Law, over: Partial<MeasuredPass> = {}, use?: Use): MeasuredPass {
  const mean = law(n);
  const throughput = (n / mean) * 1000;
  return {
    figures: {
      duration: 1000,
      requests: throughput,
      throughput,
      answeredRate: throughput,
      answeredMean: mean,
      mean,
      counts: new Map([[bucketOf(mean), 100]]),
      errors: 0,
      errorKinds: {},
      batches: Array.from({ length: 10 }, (_, i) => ({
        throughput: throughput * (1 + 0.01 * Math.cos(i)),
        mean,
        p90: mean,
      })),
      driver: { own: 0.05, sockets: n },
    },
    ...(use && {
      server: { processes: 1, fullThreads: 0, workers: 1, ...use(n, throughput) },
      serverCores: 4,
    }),
    ...over,
  };
}

/** Levels of a server, as if they were measured. */
export function levelsOf(law: Law, levels: readonly number[], use?: Use): readonly CapacityLevel[] {
  return levels.map((n) => levelOf({ concurrency: n }, [passOf(n, law, {}, use)]));
}

/** Levels by their throughput and its interval. */
export function around(measured: readonly (readonly [n: number, x: number, low: number, high: number])[]) {
  return measured.map(([concurrency, throughput, throughputLow, throughputHigh]): CapacityLevel => {
    return { concurrency, throughput, throughputLow, throughputHigh, errors: 0, errorShare: 0, stable: true };
  });
}

/** What a driver would tell of `n` connections that get each answer after `ms`, for so long. */
export function* ticksOf(
  n: number,
  ms: number,
  duration: number,
  status: 'good' | 'failed' = 'good',
): Iterable<LoadTick> {
  let answered = 0;
  for (let at = SLICE; at <= duration; at += SLICE) {
    const due = Math.floor(at / ms) * n - answered;
    answered += due;
    const good = status === 'good' ? due : 0;
    // All of them are worked on all the time.
    const worked = good > 0 || status === 'good' ? (n * SLICE) / ms : 0;
    yield {
      worker: 0,
      at,
      good,
      goodTime: good * ms,
      answered: due,
      answeredTime: due * ms,
      counts: good > 0 ? [[bucketOf(ms), good]] : [],
      spread: worked > 0 ? [[at / SLICE - 1, worked]] : [],
      errors: status === 'failed' && due > 0 ? { 'HTTP 503': due } : {},
      sockets: n,
      cpu: at * 0.1,
      waiting: at * 0.02,
      delay: 0.5,
    };
  }
}
