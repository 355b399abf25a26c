import { availableParallelism } from 'node:os';
import type { LevelPlan, MeasuredPass } from '../../core/capacity/level.ts';
import { LoadRecord, SLICE } from '../../core/capacity/load-record.ts';
import { isEnough, isKnownWhenSpent, type PassSettings, passFigures, warmUntil } from '../../core/capacity/pass.ts';
import { defined } from '../../core/text/defined.ts';
import type { LoadRequests, LoadTick } from '../../model/network/load.ts';
import type { Ms } from '../../model/units.ts';
import { readServer } from '../../shell/host/server-processes.ts';
import type { BatchEngine, LiveEngine, LoadEngine, RunningLoad } from '../../shell/load/engine.ts';
import { Watch, type WatchedServer } from './watch.ts';

/** How a pass is measured. */
export interface PassJob {
  readonly engine: LoadEngine;
  readonly requests: LoadRequests;
  readonly server?: WatchedServer;
  readonly levelTime: Ms;
  /** Answers instead of a precision. */
  readonly count?: number;
  /** Requests that may still be sent. */
  readonly most: number;
  readonly signal: AbortSignal;
  onTick?(tick: { readonly elapsed: Ms; readonly throughput: number }): void;
}

/** Ticks between two looks at whether it is enough. */
const LOOK_EVERY = 5;
/** The warm-up of an engine that does not tell while it runs, as a part of the level's time. */
const BATCH_WARM_UP = 0.2;
/** The least that k6 runs, ms. */
const LEAST_BATCH: Ms = 1_000;

/** One pass of a level. Rejects with the signal's reason, and with a `QuiesceError` when the load cannot be made. */
export function measurePass(plan: LevelPlan, job: PassJob): Promise<MeasuredPass> {
  return job.engine.kind === 'live' ? measureLive(plan, job, job.engine) : measureBatch(plan, job, job.engine);
}

async function measureLive(plan: LevelPlan, job: PassJob, engine: LiveEngine): Promise<MeasuredPass> {
  const { signal, most, count, levelTime, requests } = job;
  signal.throwIfAborted();
  const settings: PassSettings = {
    // Of an open load most connections have nothing to do: a second of requests warms as many.
    connections: plan.rate === undefined ? plan.concurrency : Math.min(plan.concurrency, Math.ceil(plan.rate)),
    levelTime,
    isOpen: plan.rate !== undefined,
    requests: count,
  };
  const record = new LoadRecord();
  const watch = new Watch(job.server);
  const cpu = new Map<number, Ms>();
  let answered = 0;
  let ticks = 0;
  const driver = () => [...cpu.values()].reduce((sum, each) => sum + each, 0);
  const done = Promise.withResolvers<void>();
  // While the load is being started it is not awaited yet.
  done.promise.catch(() => undefined);
  const onAbort = (): void => done.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const onTick = (tick: LoadTick): void => {
    record.add(tick);
    cpu.set(tick.worker, tick.cpu);
    answered += tick.answered;
    ticks += 1;
    if (!watch.hasBegun && warmUntil(record, settings) !== undefined) watch.begin(driver(), answered);
    // Nothing more comes. Later ticks would only make the pass look longer than it was.
    if (answered >= most) done.resolve();
    if (ticks % LOOK_EVERY !== 0) return;
    watch.look();
    const { throughput } = passFigures(record, settings);
    job.onTick?.({ elapsed: record.until, throughput });
    if (isEnough(record, settings)) done.resolve();
  };
  let load: RunningLoad | undefined;
  try {
    load = await engine.start(planOf(plan, requests, most), onTick);
    await Promise.race([done.promise, load.broken]);
    watch.stop(driver(), answered);
    const isCut = answered >= most && !isKnownWhenSpent(record, settings);
    return {
      figures: passFigures(record, settings),
      answered,
      ...watch.used(),
      ...(isCut && { isCut }),
    };
  } finally {
    signal.removeEventListener('abort', onAbort);
    await load?.stop();
  }
}

async function measureBatch(plan: LevelPlan, job: PassJob, engine: BatchEngine): Promise<MeasuredPass> {
  const watch = new Watch(job.server);
  const time = {
    warmUp: Math.max(LEAST_BATCH, BATCH_WARM_UP * job.levelTime),
    measured: Math.max(LEAST_BATCH, job.levelTime),
  };
  let looks: NodeJS.Timeout | undefined;
  let stopped: NodeJS.Timeout | undefined;
  try {
    const pass = await engine.measure(planOf(plan, job.requests, job.most), time, job.signal, (pid) => {
      watch.begin(cpuTimeOf(pid), 0);
      looks = setInterval(() => watch.look(), LOOK_EVERY * SLICE);
      stopped = setTimeout(() => watch.stop(cpuTimeOf(pid), 0), time.measured);
    });
    const { figures } = pass;
    const used = watch.used(figures.requests + figures.errors);
    if (used.processors === undefined) return pass;
    // One process that uses all processors.
    return { ...pass, ...used, figures: { ...figures, driver: { own: used.processors / availableParallelism() } } };
  } finally {
    clearInterval(looks);
    clearTimeout(stopped);
  }
}

function cpuTimeOf(pid: number): Ms {
  return [...readServer([pid]).processes.values()].reduce((sum, each) => sum + each, 0);
}

function planOf({ concurrency, rate, thinkTime }: LevelPlan, requests: LoadRequests, most: number) {
  return { ...requests, connections: concurrency, most, ...defined({ rate, thinkTime }) };
}
