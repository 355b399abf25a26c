import type { BeforeStart } from './targets.ts';

/** How many asynchronous steps of a stack are kept, as many as DevTools keeps. Source: DevTools, core/sdk/DebuggerModel. */
const DEPTH = 32;

/**
 * Adds to initiators which timer or promise has led to a request, and to a trace where each asynchronous step was registered.
 * That needs the debugger, which makes scripts slower: not for timed runs. `debugger` statements are skipped.
 */
export const traceAsyncStacks: BeforeStart = (session) => {
  session.send('Debugger.enable').catch(() => undefined);
  session.send('Debugger.setSkipAllPauses', { skip: true }).catch(() => undefined);
  session.send('Debugger.setAsyncCallStackDepth', { maxDepth: DEPTH }).catch(() => undefined);
};
