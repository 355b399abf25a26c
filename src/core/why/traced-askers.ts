import type { ScriptPlace } from '../../model/main-thread.ts';
import { ANONYMOUS } from '../main-thread/samples.ts';
import { detailOf, filled, type TraceEvent, traceEvent } from '../main-thread/trace-events.ts';
import { fields, finite } from '../requests/har-fields.ts';

/** What a task runs of a script, with its place. */
const RUNS: ReadonlySet<string> = new Set(['FunctionCall', 'EvaluateScript', 'v8.evaluateModule']);

/**
 * The code that asked for what the browser names nobody for, by address: an image that a script put into the page is
 * fetched in a microtask behind that script, in the same task. Only where all that ran in the task until then is one file.
 */
export function tracedAskers(raw: readonly unknown[]): ReadonlyMap<string, ScriptPlace> {
  const events = raw.flatMap((each) => traceEvent(each) ?? []);
  const threads = Map.groupBy(events, ({ pid, tid }) => `${pid}:${tid}`);
  const found = new Map<string, ScriptPlace>();
  for (const thread of threads.values()) {
    const sends = thread.filter(({ name }) => name === 'ResourceSendRequest');
    if (sends.length === 0) continue;
    const spans = thread.filter(({ ph }) => ph === 'X').toSorted((a, b) => a.ts - b.ts);
    const tasks = spans.filter(({ name }) => name === 'RunTask');
    for (const send of sends) {
      const url = filled(detailOf(send).url);
      const asker = url === undefined || !isUnnamed(send) ? undefined : askerOf(send, tasks, spans);
      if (url !== undefined && asker && !found.has(url)) found.set(url, asker);
    }
  }
  return found;
}

/** Without a stack, and named by markup at most. */
function isUnnamed(send: TraceEvent): boolean {
  const { stackTrace, initiator } = detailOf(send);
  const { type, fetchType } = fields(initiator);
  return stackTrace === undefined && (type === 'other' || (type === 'parser' && fetchType === 'img'));
}

const holds = (span: TraceEvent, { ts }: TraceEvent): boolean => span.ts <= ts && span.ts + span.dur >= ts;

function askerOf(
  send: TraceEvent,
  tasks: readonly TraceEvent[],
  spans: readonly TraceEvent[],
): ScriptPlace | undefined {
  const task = tasks.findLast((each) => holds(each, send));
  if (task === undefined) return undefined;
  const inTask = spans.filter((each) => each.ts >= task.ts && each.ts <= send.ts);
  // What the parser finds it fetches itself.
  if (!inTask.some((each) => each.name === 'RunMicrotasks' && holds(each, send))) return undefined;
  const ran = inTask.filter(({ name }) => RUNS.has(name)).flatMap((each) => placeOf(each) ?? []);
  const last = ran.at(-1);
  return last && ran.every(({ url }) => url === last.url) ? last : undefined;
}

function placeOf(event: TraceEvent): ScriptPlace | undefined {
  const { url, functionName, lineNumber, columnNumber } = detailOf(event);
  const address = filled(url);
  if (address === undefined) return undefined;
  return {
    url: address,
    name: filled(functionName) ?? ANONYMOUS,
    line: finite(lineNumber) ?? 1,
    column: finite(columnNumber) ?? 1,
  };
}
