import type { CDPSession } from 'puppeteer-core';
import { toMicroseconds } from '../../../core/time/time.ts';
import type { MainThreadSample, WorkerThread } from '../../../model/recording/recording.ts';
import type { Ms } from '../../../model/units.ts';
import { readThreadTime, workerThreadsOf } from '../../../shell/host/worker-threads.ts';
import type { BeforeStart } from '../targets.ts';

/** What the kernel counts of workers' threads: Chrome has no clocks of them. */
export interface WorkerClocks {
  /** Begins to read with the first worker; without one nothing is read, nor when the load is over and its steps go on. */
  readonly beforeStart: BeforeStart;
  stop(): void;
  threads(): readonly WorkerThread[];
}

/** So often they are read, ms: three small files of a thread take 0.1 ms of this program. */
const READ_EVERY_MS = 25;
/** So often its thread is looked for, which takes 2 ms each time: it gets its name when it starts, and may end at once. */
const LOOK_TIMES = 4;

/**
 * @param root the session of a browser that this program started; undefined for any other, whose processes may be elsewhere
 * @param now undefined as long as the recording's zero is not known
 */
export function createWorkerClocks(root: CDPSession | undefined, now: () => Ms | undefined): WorkerClocks {
  const threads = new Map<string, MainThreadSample[]>();
  let workers = 0;
  let looks = 0;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const find = async (): Promise<void> => {
    looks -= 1;
    const { processInfo = [] } = (await root?.send('SystemInfo.getProcessInfo').catch(() => undefined)) ?? {};
    const renderers = processInfo.flatMap(({ type, id }) => (type === 'renderer' ? [id] : []));
    const found = workerThreadsOf(renderers);
    // Those of another load in the same browser cannot be told from its own.
    if (found.length > workers) return;
    const at = now() ?? 0;
    for (const folder of found) if (!threads.has(folder)) threads.set(folder, [{ at, taskTime: 0, cpuTime: 0 }]);
  };
  const read = (): void => {
    const at = now();
    if (at === undefined) return;
    if (threads.size < workers && looks > 0) void find();
    for (const [folder, samples] of threads) {
      const time = readThreadTime(folder);
      if (time === undefined) continue;
      const { ran, waited } = time;
      const taskTime = toMicroseconds(ran + waited);
      // Of readings that are the same, the first and the last say when it was idle.
      if (samples.at(-1)?.taskTime === taskTime && samples.at(-2)?.taskTime === taskTime) samples.pop();
      samples.push({ at, taskTime, cpuTime: toMicroseconds(ran) });
    }
  };

  return {
    beforeStart(_session, kind) {
      if (isOver || root === undefined || (kind !== 'worker' && kind !== 'shared-worker')) return;
      workers += 1;
      looks = LOOK_TIMES;
      void find();
      timer ??= setInterval(read, READ_EVERY_MS);
    },
    stop() {
      isOver = true;
      clearInterval(timer);
    },
    threads: () => [...threads.values()].flatMap((samples) => (samples.length > 1 ? [{ samples }] : [])),
  };
}
