import { performance } from 'node:perf_hooks';
import type { CDPSession } from 'puppeteer-core';
import type { Evaluated } from '../../model/recording/recording.ts';

/** How long all expressions of a page may take together, ms: they are readings, not work. Beyond it Chrome ends them. */
const LONGEST_MS = 1_000;

/** The numbers that expressions give in the page. One that throws, takes too long or gives something else is left out. */
export async function evaluateAll(page: CDPSession, expressions: readonly string[]): Promise<readonly Evaluated[]> {
  const evaluated: Evaluated[] = [];
  const begun = performance.now();
  for (const expression of new Set(expressions)) {
    const timeout = LONGEST_MS - (performance.now() - begun);
    if (timeout <= 0) break;
    // An expression may use the page's own variables: it has to run in the page's world.
    const answer = await page
      .send('Runtime.evaluate', { expression: `(${expression}\n)`, returnByValue: true, silent: true, timeout })
      .catch(() => undefined);
    const value: unknown = answer?.exceptionDetails ? undefined : answer?.result.value;
    if (typeof value === 'number' && Number.isFinite(value)) evaluated.push({ expression, value });
  }
  return evaluated;
}
