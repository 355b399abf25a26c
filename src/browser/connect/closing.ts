import type { RunningBrowser } from './browser.ts';

/** What is being closed in each browser. */
const underWay = new WeakMap<RunningBrowser, Set<Promise<void>>>();

/** Closes what a load had opened while the next one is prepared, which navigates only when that is over. */
export function closeMeanwhile(browser: RunningBrowser, close: () => Promise<void>): void {
  const all = underWay.get(browser) ?? new Set();
  underWay.set(browser, all);
  // What cannot be closed belongs to a browser that is gone.
  const closing = close()
    .catch(() => undefined)
    .finally(() => all.delete(closing));
  all.add(closing);
}

/** Resolves when nothing is being closed any more. */
export async function closingIsOver(browser: RunningBrowser): Promise<void> {
  await Promise.all(underWay.get(browser) ?? []);
}
