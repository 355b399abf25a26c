import { createCauseReader } from '../../../src/core/causes/events.ts';

/** The page's main thread, and a worker of its process. */
export const MAIN = { pid: 7, tid: 1 };
export const WORKER = { pid: 7, tid: 2 };
export type Thread = typeof MAIN;

export const SITE = 'https://shop.test';
export const APP = `${SITE}/app.js`;

/** Events of a trace in a few words; times are ms, which a trace has in microseconds of a clock that began long ago. */
export function tracer() {
  const events: object[] = [];
  const ts = (ms: number): number => 28_000_000_000 + Math.round(ms * 1000);
  let flows = 0;
  const span = (name: string, from: number, to: number, args: object = {}, thread: Thread = MAIN) => {
    events.push({ name, ph: 'X', ts: ts(from), dur: ts(to) - ts(from), ...thread, args });
  };
  const data = (name: string, at: number, detail: object, thread: Thread = MAIN) => {
    events.push({ name, ph: 'I', ts: ts(at), ...thread, args: { data: detail } });
  };
  return {
    events,
    span,
    task: (from: number, to: number, thread: Thread = MAIN) => span('RunTask', from, to, {}, thread),
    microtasks: (from: number, to: number, thread: Thread = MAIN) => span('RunMicrotasks', from, to, {}, thread),
    evaluate: (from: number, to: number, url = APP) => span('EvaluateScript', from, to, { data: { url } }),
    send: (id: string, at: number, more: object = {}, thread: Thread = MAIN) =>
      data(
        'ResourceSendRequest',
        at,
        { requestId: id, url: `${SITE}/${id}`, initiator: { type: 'script', fetchType: 'fetch' }, ...more },
        thread,
      ),
    answered: (id: string, at: number) =>
      data('ResourceReceiveResponse', at, { requestId: id, mimeType: 'application/json' }),
    ended: (id: string, at: number) => data('ResourceFinish', at, { requestId: id }),
    event: data,
    /** An asynchronous step: registered at a moment, and run from and to others. */
    step: (taskName: string, at: number, from: number, to: number) => {
      flows += 1;
      const id = `0x${flows}`;
      span('v8::Debugger::AsyncTaskScheduled', at, at + 0.001, { taskName });
      events.push({ name: 'v8::Debugger::AsyncTaskScheduled', ph: 's', id, ts: ts(at), ...MAIN });
      span('v8::Debugger::AsyncTaskRun', from, to);
      events.push({ name: 'v8::Debugger::AsyncTaskScheduled', ph: 'f', id, ts: ts(from), ...MAIN });
    },
    /** The same, run several times, each of which leads to the one before. */
    repeated: (taskName: string, at: number, runs: readonly number[]) => {
      span('v8::Debugger::AsyncTaskScheduled', at, at + 0.001, { taskName });
      let before = at;
      for (const [i, from] of runs.entries()) {
        flows += 1;
        const name = i === 0 ? 'v8::Debugger::AsyncTaskScheduled' : 'v8::Debugger::AsyncTaskRun';
        events.push({ name, ph: 's', id: `0x${flows}`, ts: ts(before), ...MAIN });
        events.push({ name, ph: 'f', id: `0x${flows}`, ts: ts(from), ...MAIN });
        span('v8::Debugger::AsyncTaskRun', from, from + 1);
        before = from;
      }
    },
    /** A message; whoever reads it on another thread may be noted first. */
    message: (at: number, sender: Thread, from: number, receiver: Thread) => {
      flows += 1;
      const id = `0x${flows}`;
      const [first, second] =
        at <= from
          ? ([
              ['SchedulePostMessage', at, sender],
              ['SchedulePostMessage', from, receiver],
            ] as const)
          : ([
              ['HandlePostMessage', from, receiver],
              ['HandlePostMessage', at, sender],
            ] as const);
      events.push({ name: first[0], ph: 's', id, ts: ts(first[1]), ...first[2] });
      events.push({ name: second[0], ph: 'f', id, ts: ts(second[1]), ...second[2] });
    },
    /** What is read of it. */
    read(order: readonly object[] = events) {
      const reader = createCauseReader();
      for (const event of order) reader.add(event);
      return reader.end();
    },
  };
}
