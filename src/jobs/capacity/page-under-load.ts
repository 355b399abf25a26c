import { halfWidth } from '../../core/capacity/interval.ts';
import { createRandom, shuffled } from '../../core/capacity/random.ts';
import { defined } from '../../core/text/defined.ts';
import { median } from '../../core/time/median.ts';
import type { Policy } from '../../model/background/verdict.ts';
import type { PageAtLoad, PageUnderLoad } from '../../model/capacity.ts';
import type { LoadRequests } from '../../model/network/load.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { RunResult } from '../../model/result/result.ts';
import type { LoadOptions } from '../../settings/resolved.ts';
import type { LiveEngine, RunningLoad } from '../../shell/load/engine.ts';
import { loadRun, retryDeadBrowser } from '../engine/run.ts';

/** Loads of the page at each load of its server, unless the job says otherwise. */
const ROUNDS = 5;
/** Answers of each connection before the page is loaded: all are made by then, and the queue is as long as it will be. */
const SETTLED = 2;

/** Where a page is loaded, and what loads its server meanwhile. */
export interface PageJob {
  readonly url: string;
  readonly knee: number;
  readonly engine: LiveEngine;
  readonly requests: LoadRequests;
  readonly options: LoadOptions;
  readonly policy: Policy;
  readonly seed: number;
  /** How often the page is loaded at each load. */
  readonly rounds?: number;
  readonly signal: AbortSignal;
  lab(): Promise<Lab>;
  onProgress(event: Progress): void;
}

/** Loads the page with nothing else, at half of the knee and at the knee: once each a round, in a new order each time. */
export async function pageUnderLoad(job: PageJob): Promise<PageUnderLoad> {
  const { knee, seed, rounds = ROUNDS } = job;
  const loads: readonly Pick<PageAtLoad, 'load' | 'concurrency'>[] = [
    { load: 'none', concurrency: 0 },
    ...(knee >= 2 ? [{ load: 'half' as const, concurrency: Math.round(knee / 2) }] : []),
    { load: 'knee', concurrency: knee },
  ];
  const random = createRandom(seed);
  const runs = new Map<PageAtLoad['load'], RunResult[]>(loads.map(({ load }) => [load, []]));
  let index = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const { load, concurrency } of shuffled(loads, random)) {
      index += 1;
      const run = await loadUnder(job, concurrency, index, rounds * loads.length);
      if (run) runs.get(load)?.push(run);
    }
  }
  return { points: loads.map((load) => pointOf(load, runs.get(load.load) ?? [])) };
}

async function loadUnder(job: PageJob, concurrency: number, index: number, of: number): Promise<RunResult | undefined> {
  const { url, engine, requests, signal, options, policy } = job;
  const settled = Promise.withResolvers<void>();
  // While the load is being started it is not awaited yet.
  settled.promise.catch(() => undefined);
  const onAbort = (): void => settled.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  // Before a load without others one request waits for its turn: those of the load before may still be in the queue.
  const isAlone = concurrency === 0;
  let answers = isAlone ? 1 : SETTLED * concurrency;
  const plan = { ...requests, connections: Math.max(1, concurrency), most: isAlone ? 1 : Number.MAX_SAFE_INTEGER };
  let load: RunningLoad | undefined;
  try {
    load = await engine.start(plan, (tick) => {
      // A failure is an answer, too: with a server that has broken down nothing else comes.
      answers -= tick.answered + Object.values(tick.errors).reduce((sum, count) => sum + count, 0);
      if (answers <= 0) settled.resolve();
    });
    await Promise.race([settled.promise, load.broken]);
    if (isAlone) await load.stop();
    const finished = await loadRun(
      { index, role: 'timed', policy },
      {
        target: url,
        url,
        of,
        content: false,
        options,
        signal,
        retry: retryDeadBrowser,
        lab: job.lab,
        onProgress: job.onProgress,
      },
    );
    signal.throwIfAborted();
    return finished?.run;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await load?.stop();
  }
}

function pointOf(load: Pick<PageAtLoad, 'load' | 'concurrency'>, runs: readonly RunResult[]): PageAtLoad {
  const times = runs.flatMap(({ pageComplete }) => (pageComplete?.state === 'complete' ? (pageComplete.at ?? []) : []));
  const base = runs.flatMap(({ breakdown }) => breakdown?.basePage ?? []);
  const half = halfWidth(times);
  const pageComplete = times.length === 0 ? undefined : median(times);
  return {
    ...load,
    n: times.length,
    of: runs.length,
    ...defined({
      pageComplete,
      low: pageComplete === undefined || half === undefined ? undefined : Math.max(0, pageComplete - half),
      high: pageComplete === undefined || half === undefined ? undefined : pageComplete + half,
      basePage: base.length === 0 ? undefined : median(base),
    }),
  };
}
