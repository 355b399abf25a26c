import type { Ms } from '../../model/units.ts';

/** Loads of the whole time-out that a page may take beside its timed runs: one on film, and two to prove what that shows. */
const UNTIMED_LOADS = 3;
/** As much again for what is no load: the browser's start, reading what was recorded, reports. */
const REST = 1;

/** How long all loads of one page may take, tries included: it follows from the settings. */
export interface PageBudget {
  /** Does the work; its time is the page's. */
  spend<T>(work: () => Promise<T>): Promise<T>;
  /** Is there time for one more load that was not planned, beside those that are still to come? */
  allows(planned: number): boolean;
  /** How much longer it takes at most, ms. */
  left(): Ms;
}

/**
 * The budget of a page.
 *
 * @param runs its timed runs
 * @param limit how long one load may take, ms
 */
export function createPageBudget(runs: number, limit: Ms): PageBudget {
  let before = 0;
  let since: number | undefined;
  const spent = (): Ms => before + (since === undefined ? 0 : performance.now() - since);
  return {
    async spend(work) {
      since = performance.now();
      try {
        return await work();
      } finally {
        before = spent();
        since = undefined;
      }
    },
    allows: (planned) => spent() + (planned + 1) * limit <= (runs + UNTIMED_LOADS) * limit,
    left: () => Math.max(0, (runs + UNTIMED_LOADS + REST) * limit - spent()),
  };
}
