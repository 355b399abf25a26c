/** The process that makes the load with autocannon: it gets a plan, reports several times a second, and ends when its parent says so or is gone. */

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import type Autocannon from 'autocannon';
import { bucketOf } from '../../core/capacity/histogram.ts';
import { SLICE } from '../../core/capacity/load-record.ts';
import { weightedRoundRobin } from '../../core/capacity/mix.ts';
import { isFailure } from '../../core/capacity/status.ts';
import { valuesByName } from '../../core/text/values-by-name.ts';
import type { LoadPlan, LoadTick } from '../../model/network/load.ts';
import { readKernelFile } from '../host/kernel-file.ts';
import { type PacedClient, paceClient } from './paced-client.ts';

/** The plan of a worker, which it gets once. */
export interface WorkerPlan extends LoadPlan {
  readonly worker: number;
  /** Zero of all times: ms since 1970, so that several processes have the same. */
  readonly zero: number;
  /** Position of its first request among those of all workers, and how many workers there are; for a fixed rate. */
  readonly of: number;
}

const NS_PER_MS = 1e6;
/** How often the delay of timers is looked at, which is counted with it, ms. */
const RESOLUTION = 10;
/** autocannon wants to know when it ends; this process is ended from outside, seconds. */
const FOREVER = 24 * 60 * 60;

process.once('message', async (plan: WorkerPlan) => {
  // Who started this process found the package.
  const [, , entry = ''] = process.argv;
  const { default: autocannon } = (await import(pathToFileURL(entry).href)) as { readonly default: typeof Autocannon };
  run(plan, autocannon);
});
// The parent is gone, and its measurement with it.
process.once('disconnect', () => process.exit(0));

function run(plan: WorkerPlan, autocannon: typeof Autocannon): void {
  const now = (): number => performance.timeOrigin + performance.now() - plan.zero;
  const counts = emptyCounts();
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  delays.enable();
  const clients = new Set<PacedClient>();
  const requests = weightedRoundRobin(plan.targets).map(({ url, headers }) => {
    const { pathname, search } = new URL(url);
    return {
      path: `${pathname}${search}`,
      headers: valuesByName(headers),
    };
  });
  const schedule = plan.rate === undefined ? undefined : scheduleOf(plan.rate / plan.of, plan.worker / plan.of, now);
  const options: Autocannon.Options = {
    url: plan.targets[0]?.url ?? '',
    connections: plan.connections,
    duration: FOREVER,
    // Its own figures are not read.
    sampleInt: 1000,
    timeout: plan.timeout / 1000,
    method: plan.method as Autocannon.Request['method'] & string,
    requests: requests as Autocannon.Request[],
    body: plan.body,
    setupClient(client) {
      const paced = paceClient(client, {
        now,
        thinkTime: plan.thinkTime ?? 0,
        timeout: plan.timeout,
        headOnly: plan.method === 'HEAD',
        skip: clients.size % requests.length,
        nextSlot: schedule,
        maySend: () => {
          counts.sent += 1;
          return counts.sent <= plan.most;
        },
        onError: (kind) => counts.fail(kind),
        onAnswer: (status, from) => counts.answer(status, from, now()),
      });
      clients.add(paced);
    },
  };
  autocannon(options, (error: Error | null) => {
    if (error) counts.fail(error.message);
  });

  const report = (): void => {
    const { user, system } = process.cpuUsage();
    const waiting = waitingTime();
    const tick: LoadTick = {
      worker: plan.worker,
      at: now(),
      ...counts.take(),
      sockets: [...clients].filter(({ isConnected }) => isConnected()).length,
      cpu: (user + system) / 1000,
      ...(waiting !== undefined && { waiting }),
      ...(delays.count > 0 && { delay: Math.max(0, delays.percentile(99) / NS_PER_MS - RESOLUTION) }),
    };
    delays.reset();
    if (process.connected) process.send?.(tick);
  };
  setInterval(report, SLICE);
}

/** Time in which this process wanted a processor and had none, ms. Source: Documentation/scheduler/sched-stats.rst. */
function waitingTime(): number | undefined {
  const waited = readKernelFile('/proc/self/schedstat')?.split(' ')[1];
  return waited === undefined ? undefined : Number(waited) / NS_PER_MS;
}

/** The times at which requests are due: at equal distances, the workers one after the other. */
function scheduleOf(rate: number, offset: number, now: () => number): () => number {
  const gap = 1000 / rate;
  let due = now() + offset * gap;
  return () => {
    const at = due;
    due += gap;
    return at;
  };
}

/** What came since the last tick. */
function emptyCounts() {
  let good = 0;
  let goodTime = 0;
  let answered = 0;
  let answeredTime = 0;
  let buckets = new Map<number, number>();
  let spread = new Map<number, number>();
  let errors: Record<string, number> = {};
  return {
    sent: 0,
    fail(kind: string): void {
      errors[kind] = (errors[kind] ?? 0) + 1;
    },
    answer(status: number, from: number, to: number): void {
      const took = Math.max(0, to - from);
      answered += 1;
      answeredTime += took;
      if (isFailure(status)) {
        this.fail(`HTTP ${status}`);
        return;
      }
      good += 1;
      goodTime += took;
      const bucket = bucketOf(took);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
      const [first, last] = [Math.floor(from / SLICE), Math.floor(to / SLICE)];
      if (first === last || took === 0) return void spread.set(last, (spread.get(last) ?? 0) + 1);
      for (let slice = first; slice <= last; slice += 1) {
        const part = Math.min(to, (slice + 1) * SLICE) - Math.max(from, slice * SLICE);
        spread.set(slice, (spread.get(slice) ?? 0) + part / took);
      }
    },
    take(): Pick<LoadTick, 'good' | 'goodTime' | 'answered' | 'answeredTime' | 'counts' | 'spread' | 'errors'> {
      const tick = { good, goodTime, answered, answeredTime, counts: [...buckets], spread: [...spread], errors };
      good = goodTime = answered = answeredTime = 0;
      buckets = new Map();
      spread = new Map();
      errors = {};
      return tick;
    },
  };
}
