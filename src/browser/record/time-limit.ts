import type { Ms } from '../../model/units.ts';

/**
 * Calls `over` when `elapsed` has reached `limit` ms. It is a clock of its own, whose zero may be set later: a timer alone
 * would count from now.
 */
export function startTimeLimit(limit: Ms, elapsed: () => Ms, over: () => void): { stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const wait = (ms: Ms): void => {
    timer = setTimeout(() => {
      const left = limit - elapsed();
      if (left > 0) wait(left);
      else over();
    }, Math.ceil(ms));
  };
  wait(limit);
  return { stop: () => clearTimeout(timer) };
}
