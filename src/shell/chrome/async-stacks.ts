import type { BeforeStart } from './targets.ts';

/** How many asynchronous steps back are kept: a timer is rarely further away than this. */
const DEPTH = 8;

/**
 * Makes initiators tell which timer or promise led to a request. It takes the debugger, which makes scripts slower and
 * would stop at `debugger` statements if it were not told to skip them: nothing for timed runs.
 */
export const traceAsyncStacks: BeforeStart = (session) => {
  session.send('Debugger.enable').catch(() => undefined);
  session.send('Debugger.setSkipAllPauses', { skip: true }).catch(() => undefined);
  session.send('Debugger.setAsyncCallStackDepth', { maxDepth: DEPTH }).catch(() => undefined);
};
