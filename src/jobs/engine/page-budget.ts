import type { Ms } from '../../model/units.ts';
import type { Loading } from '../../settings/resolved.ts';

/** Loads of the whole time-out that a page may take beside its timed runs: one on film, and two to prove what that shows. */
const UNTIMED_LOADS = 3;
/** As much again for what is no load: the browser's start, reading what was recorded, reports. */
const REST = 1;

/** How long all loads of a page, or of the two of a comparison, may take, tries included: it follows from the settings. */
export interface PageBudget {
  /** Does the work; its time is the page's. */
  spend<T>(work: () => Promise<T>): Promise<T>;
  /** Is there time for one more load that was not planned, beside those that are still to come? */
  allows(planned: number): boolean;
  /** How much longer it takes at most, ms. */
  left(): Ms;
}

/** How long one load may take, ms: for a warm view the page is loaded twice. */
export function limitOfLoad({ options, policy }: Pick<Loading, 'options' | 'policy'>): Ms {
  return (options.conditions.view === 'warm' ? 2 : 1) * policy.timeout;
}

/**
 * The budget of a page, or of two that are loaded together.
 *
 * @param runs their timed runs, as far as is known by now
 * @param limit how long one load may take, ms
 */
export function createPageBudget(runs: () => number, limit: Ms, pages = 1): PageBudget {
  const loads = (): number => runs() + pages * UNTIMED_LOADS;
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
    allows: (planned) => spent() + (planned + 1) * limit <= loads() * limit,
    left: () => Math.max(0, (loads() + pages * REST) * limit - spent()),
  };
}
