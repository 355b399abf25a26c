import { fields, finite, list } from '../requests/har-fields.ts';
import { detailOf, filled, type TraceEvent } from './trace-events.ts';

/** A thread whose work belongs to the page. */
export interface PageThread {
  readonly kind: 'main' | 'frame' | 'worker';
  readonly pid: number;
  readonly tid: number;
  readonly url?: string;
}

const WORKER = /^(?:DedicatedWorker|ServiceWorker|SharedWorker) thread/;

/**
 * The threads that work for a page: its main thread, of which there are several when it moved from process to process;
 * main threads of other processes that hold frames of it; and workers.
 *
 * @param frameId the page's outermost frame
 * @param from when the page began, microseconds: a process that its frame had left before is none of it
 */
export function threadsOf(events: readonly TraceEvent[], frameId: string, from: number): readonly PageThread[] {
  const named = events.filter(({ ph, name }) => ph === 'M' && name === 'thread_name');
  const threadName = new Map(named.map(({ pid, tid, args }) => [`${pid}:${tid}`, filled(args.name) ?? '']));
  const processes = processesOf(events, frameId, from);
  const workers = workersOf(events, processes);
  return [...threadName].flatMap(([key, name]): readonly PageThread[] => {
    const [pid = 0, tid = 0] = key.split(':').map(Number);
    if (name === 'CrRendererMain') {
      const role = processes.get(pid);
      return role === undefined ? [] : [{ ...role, pid, tid }];
    }
    if (!WORKER.test(name)) return [];
    const url = workers.get(key);
    return processes.has(pid) || url !== undefined ? [{ kind: 'worker', pid, tid, url }] : [];
  });
}

type Role = Pick<PageThread, 'url'> & { readonly kind: 'main' | 'frame' };

/** What each process of the page holds: its outermost frame, or only others. */
function processesOf(events: readonly TraceEvent[], frameId: string, from: number): ReadonlyMap<number, Role> {
  const frames = events.flatMap((event) => {
    const { ts, name } = event;
    if (name === 'TracingStartedInBrowser')
      return list(detailOf(event).frames).map((frame) => ({ ts, frame: fields(frame) }));
    return name === 'FrameCommittedInBrowser' ? [{ ts, frame: detailOf(event) }] : [];
  });
  const ids = new Set([frameId]);
  const roles = new Map<number, Role>();
  let main: number | undefined;
  for (const { ts, frame } of frames.toSorted((a, b) => a.ts - b.ts)) {
    const [id, parent, pid, url] = [
      filled(frame.frame),
      filled(frame.parent),
      finite(frame.processId),
      filled(frame.url),
    ];
    if (id === undefined || pid === undefined) continue;
    if (id === frameId) {
      // The blank page before the load may have had another process.
      if (main !== undefined && main !== pid && ts < from) roles.delete(main);
      main = pid;
      roles.set(pid, { kind: 'main', url });
    } else if (parent !== undefined && ids.has(parent)) {
      ids.add(id);
      if (!roles.has(pid)) roles.set(pid, { kind: 'frame', url });
    }
  }
  return roles;
}

/** Addresses of workers by their thread. */
function workersOf(events: readonly TraceEvent[], processes: ReadonlyMap<number, Role>): ReadonlyMap<string, string> {
  return new Map(
    events.flatMap((event) => {
      if (event.name !== 'TracingSessionIdForWorker') return [];
      const { workerThreadId, url } = detailOf(event);
      const tid = finite(workerThreadId);
      const address = filled(url);
      return tid === undefined || address === undefined || !processes.has(event.pid)
        ? []
        : [[`${event.pid}:${tid}`, address]];
    }),
  );
}
