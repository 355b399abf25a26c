/** Traces of Chrome's form, described in a few lines: times in ms since the page's zero. */

import type { MainThread } from '../../src/model/main-thread.ts';

export const OWN = 'https://shop.test/app.js';
export const VENDOR = 'https://cdn.vendor.test/vendor.js';
export const SCOPE = { frameId: 'MAIN', zero: 5_000_000, pageUrl: 'https://shop.test/' };

/** An event with a duration, and those inside of it. */
export interface Work {
  readonly name?: string;
  readonly at: number;
  readonly ms: number;
  /** Of `ms`, on a processor; nobody tells when absent. */
  readonly onProcessor?: number;
  readonly url?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly inside?: readonly Work[];
}

/** From when to when a stack ran, the outermost function first: name, script, line, and column where it matters. */
export interface Call {
  readonly from: number;
  readonly to: number;
  readonly stack: readonly (readonly [name: string, url: string, line: number, column?: number])[];
}

export interface Traced {
  readonly tasks: readonly Work[];
  readonly calls?: readonly Call[];
  /** Work of threads that are not the page's main thread. */
  readonly elsewhere?: readonly {
    readonly kind: 'frame' | 'worker';
    readonly url: string;
    readonly at: number;
    readonly ms: number;
  }[];
}

const MAIN = { pid: 10, tid: 1 };
/** How often the profiler looks, ms. */
const SAMPLE_EVERY = 0.2;

const ticks = (ms: number): number => Math.round(ms * 1000);
const ts = (ms: number): number => SCOPE.zero + ticks(ms);

/** What a `FunctionCall` says of its function. */
export const page = (functionName: string, lineNumber: number) => ({
  data: { functionName, lineNumber, columnNumber: 1 },
});

/** The events of a trace. */
export function traceOf({ tasks, calls = [], elsewhere = [] }: Traced): readonly unknown[] {
  return [
    { name: 'thread_name', ph: 'M', ts: 0, ...MAIN, args: { name: 'CrRendererMain' } },
    {
      name: 'TracingStartedInBrowser',
      ph: 'I',
      ts: 1,
      pid: 1,
      tid: 1,
      args: { data: { frames: [{ frame: SCOPE.frameId, url: 'about:blank', processId: MAIN.pid }] } },
    },
    ...tasks.flatMap((task) => eventsOf({ name: 'RunTask', ...task })),
    ...profileOf(calls),
    ...elsewhere.flatMap(({ kind, url, at, ms }, i) => {
      const thread = kind === 'frame' ? { pid: 20 + i, tid: 1 } : { pid: MAIN.pid, tid: 30 + i };
      const name = kind === 'frame' ? 'CrRendererMain' : 'DedicatedWorker thread';
      return [
        { name: 'thread_name', ph: 'M', ts: 0, ...thread, args: { name } },
        kind === 'frame'
          ? {
              name: 'FrameCommittedInBrowser',
              ph: 'I',
              ts: 2,
              pid: 1,
              tid: 1,
              args: { data: { frame: `F${i}`, parent: SCOPE.frameId, url, processId: thread.pid } },
            }
          : {
              name: 'TracingSessionIdForWorker',
              ph: 'I',
              ts: 2,
              ...MAIN,
              args: { data: { url, workerThreadId: thread.tid } },
            },
        { name: 'RunTask', ph: 'X', ts: ts(at), dur: ticks(ms), ...thread, args: {} },
      ];
    }),
  ];
}

function eventsOf({ name = 'RunTask', at, ms, onProcessor, url, args = {}, inside = [] }: Work): readonly unknown[] {
  const data = { ...(url !== undefined && { url }), ...(args.data as object | undefined) };
  const tdur = onProcessor !== undefined && { tdur: ticks(onProcessor) };
  return [
    { name, ph: 'X', ts: ts(at), dur: ticks(ms), ...tdur, ...MAIN, args: { ...args, data } },
    ...inside.flatMap(eventsOf),
  ];
}

/** A CPU profile in which each call is a stack of its own nodes. */
function profileOf(calls: readonly Call[]): readonly unknown[] {
  if (calls.length === 0) return [];
  const nodes: unknown[] = [{ id: 1, callFrame: { functionName: '(root)', url: '' } }];
  const taken: { at: number; node: number }[] = [];
  for (const { from, to, stack } of calls) {
    let parent = 1;
    for (const [functionName, url, line, column = 1] of stack) {
      const id = nodes.length + 1;
      nodes.push({ id, parent, callFrame: { functionName, url, lineNumber: line - 1, columnNumber: column - 1 } });
      parent = id;
    }
    for (let at = from; at <= to; at += SAMPLE_EVERY) taken.push({ at: ts(at), node: parent });
  }
  taken.sort((a, b) => a.at - b.at);
  const startTime = ts(0);
  return [
    { name: 'Profile', ph: 'P', ts: startTime, ...MAIN, id: '0x1', args: { data: { startTime } } },
    {
      name: 'ProfileChunk',
      ph: 'P',
      ts: startTime + 1,
      pid: MAIN.pid,
      tid: 99,
      id: '0x1',
      args: {
        data: {
          cpuProfile: { nodes, samples: taken.map(({ node }) => node) },
          timeDeltas: taken.map(({ at }, i) => at - (taken[i - 1]?.at ?? startTime)),
        },
      },
    },
  ];
}

/** What a result says of a trace in which little happened, and where the trace is. */
export function mainThreadOf(trace: string): MainThread {
  return {
    ms: 10,
    until: 400,
    byCategory: { other: 10 },
    byScript: [],
    noScript: { ms: 10, byCategory: { other: 10 } },
    byParty: [],
    longTasks: [],
    elsewhere: [],
    trace,
  };
}
