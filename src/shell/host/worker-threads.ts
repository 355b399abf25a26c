import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Ms } from '../../model/units.ts';
import { readKernelFile } from './kernel-file.ts';

/** What the kernel has counted of a thread so far. */
export interface ThreadTime {
  /** On a processor, ms. */
  readonly ran: Ms;
  /** Ready to run, and not let, ms. */
  readonly waited: Ms;
}

const NS_PER_MS = 1e6;

/** How Chrome calls the threads of workers, as far as the kernel keeps it: 15 letters. */
const WORKER_NAMES: ReadonlySet<string | undefined> = new Set(['DedicatedWorker', 'SharedWorker th']);

/** The folders of the threads in these processes that belong to workers; none where the system tells nothing of threads. */
export function workerThreadsOf(pids: readonly number[], proc = '/proc'): readonly string[] {
  return pids.flatMap((pid) => {
    const tasks = path.join(proc, String(pid), 'task');
    try {
      const folders = readdirSync(tasks).map((thread) => path.join(tasks, thread));
      return folders.filter((folder) => WORKER_NAMES.has(readKernelFile(path.join(folder, 'comm'))));
    } catch {
      return [];
    }
  });
}

/** Undefined when the thread is gone, or the kernel does not count. Source: Documentation/scheduler/sched-stats.rst of Linux. */
export function readThreadTime(folder: string): ThreadTime | undefined {
  const [ran = 0, waited = 0] = (readKernelFile(path.join(folder, 'schedstat')) ?? '').split(' ').map(Number);
  return ran > 0 ? { ran: ran / NS_PER_MS, waited: waited / NS_PER_MS } : undefined;
}
