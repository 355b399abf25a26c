import { setTimeout } from 'node:timers/promises';
import { failure } from '../../core/load-failure.ts';
import type { Lab, LoadOutcome, LoadRequest } from '../../model/lab.ts';
import type { BrowserSettings } from '../../model/settings.ts';
import { runLighthouse } from '../lighthouse.ts';
import { type RunningBrowser, startBrowser } from './browser.ts';
import { loadPage } from './load.ts';
import type { Whereabouts } from './whereabouts.ts';

/** Chrome as a lab: one browser, a fresh context for every load. */
export interface ChromeLab extends Lab {
  readonly pid: number | undefined;
}

/**
 * Starts the browser, or connects to one; rejects with a `UsageError` when that cannot be done.
 *
 * @param whereabouts tells whether a browser that was connected to runs on another machine; its clock or address when absent
 */
export async function openChromeLab(
  settings: BrowserSettings,
  executablePath: string | undefined,
  whereabouts?: Whereabouts,
): Promise<ChromeLab> {
  const browser = await startBrowser(settings, executablePath, whereabouts);
  let alive = true;
  void browser.gone.then(() => {
    alive = false;
  });
  return {
    product: browser.product,
    userAgent: browser.userAgent,
    ...(browser.sandbox !== undefined && { sandbox: browser.sandbox }),
    ...(browser.elsewhere && { elsewhere: true }),
    ...(browser.apart && { apart: true }),
    ...(browser.notes.length > 0 && { notes: browser.notes }),
    ...(browser.path !== undefined && { path: browser.path }),
    pid: browser.pid,
    alive: () => alive,
    close: () => browser.close(),
    record: (request, signal) => recordOrDie(browser, request, signal),
    lighthouse: (request, signal) => runLighthouse(browser, request, signal),
  };
}

/** How long a broken connection may take to be known as the browser's end, ms. */
const NEWS_OF_DEATH_MS = 500;

/** A browser that goes away fails the load, whatever the load was waiting for, and whichever news comes first. */
async function recordOrDie(browser: RunningBrowser, request: LoadRequest, signal: AbortSignal): Promise<LoadOutcome> {
  const died = browser.gone.then(
    (): LoadOutcome => ({
      ok: false,
      failure: failure(browser.connected ? 'browser-lost' : 'browser-died', { url: request.url }),
    }),
  );
  const over = new AbortController();
  const loading = loadPage(browser, request, AbortSignal.any([signal, over.signal]));
  try {
    const outcome = await Promise.race([loading, died]);
    // A script, too, only sees that its page does not answer any more.
    if (outcome.ok || !/^(?:navigation|script)-failed$/.test(outcome.failure.code)) return outcome;
    return await Promise.race([died, setTimeout(NEWS_OF_DEATH_MS, outcome)]);
  } catch (error) {
    if (signal.aborted) throw error;
    return await Promise.race([
      died,
      setTimeout(NEWS_OF_DEATH_MS).then((): never => {
        throw error;
      }),
    ]);
  } finally {
    loading.catch(() => undefined);
    // What is loaded in a dead browser would tell its progress until its time is up, in the middle of the next try.
    over.abort();
  }
}
