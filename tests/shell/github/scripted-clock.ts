import type { Clock } from '../../../src/shell/github/client.ts';

/** A clock on which waiting takes no time; it tells what was waited, ms. */
export interface ScriptedClock extends Clock {
  readonly waited: readonly number[];
}

/** Begins at a fixed moment; random is always in the middle. */
export function scriptedClock(): ScriptedClock {
  const waited: number[] = [];
  let now = Date.UTC(2026, 10, 2, 3, 4, 5);
  return {
    waited,
    now: () => now,
    random: () => 0.5,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      waited.push(ms);
      now += ms;
    },
  };
}
