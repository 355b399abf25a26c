import type { Protocol } from 'devtools-protocol';
import type { Initiator, StackFrame } from '../../model/network/network.ts';

const TYPES: Readonly<Record<string, Initiator['type']>> = {
  parser: 'parser',
  script: 'script',
  preload: 'preload',
  preflight: 'preflight',
  SignedExchange: 'signed-exchange',
};

/** What asked for a request, with the calls that led there, the innermost first. */
export function initiatorOf(initiator: Protocol.Network.Initiator): Initiator {
  const stack: StackFrame[] = [];
  const scheduledBy = scheduledByOf(initiator.stack?.parent);
  for (let trace = initiator.stack; trace; trace = trace.parent) {
    for (const frame of trace.callFrames) {
      stack.push({
        functionName: frame.functionName,
        url: frame.url,
        line: frame.lineNumber + 1,
        column: frame.columnNumber + 1,
      });
    }
  }
  const url = initiator.url ?? stack.find((frame) => frame.url !== '')?.url;
  const line =
    initiator.lineNumber === undefined ? stack.find((frame) => frame.url !== '')?.line : initiator.lineNumber + 1;
  return {
    type: TYPES[initiator.type] ?? 'other',
    ...(url !== undefined && { url }),
    ...(line !== undefined && { line }),
    ...(initiator.requestId !== undefined && { requestId: initiator.requestId }),
    ...(stack.length > 0 && { stack }),
    ...(scheduledBy !== undefined && { scheduledBy }),
  };
}

/** Steps of one asynchronous chain that are no event of their own. Source: V8 `async-stack`, Blink `AsyncTaskContext`. */
const CONTINUATIONS: ReadonlySet<string> = new Set([
  'await',
  'async function',
  'Promise.then',
  'Promise.catch',
  'Promise.finally',
  'Promise.all',
  'Promise.resolve',
  'queueMicrotask',
]);

/** What runs script because time has passed, by the names that stacks have for it. */
const TIMERS: ReadonlySet<string> = new Set([
  'setTimeout',
  'setInterval',
  'requestAnimationFrame',
  'requestIdleCallback',
  'postTask',
]);

/**
 * What set the script going: the nearest timer, looking through promises up to the first event of another kind (an
 * answer, a message, a click), else the first asynchronous parent.
 *
 * What V8 keeps is where a step was registered, not what woke it: a loop that awaits a promise which a timer resolves
 * says 'await', one that sets its own next timer says 'setTimeout'; and what follows `await` in a timer's callback
 * still belongs to that timer, however long the awaited answer took.
 */
function scheduledByOf(parent: Protocol.Runtime.StackTrace | undefined): string | undefined {
  for (let trace = parent; trace; trace = trace.parent) {
    const step = trace.description ?? '';
    if (TIMERS.has(step)) return step;
    if (!CONTINUATIONS.has(step)) break;
  }
  return parent?.description;
}
