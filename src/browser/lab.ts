import { setTimeout } from 'node:timers/promises';
import { fileShortage } from '../core/browser-start.ts';
import { defined } from '../core/text/defined.ts';
import type { Lab, LoadOutcome, LoadRequest } from '../model/recording/lab.ts';
import type { Failure } from '../model/result/failure.ts';
import type { BrowserSettings } from '../model/settings.ts';
import { openFilesLimit } from '../shell/host/open-files.ts';
import { failure } from '../wording/result/failure.ts';
import type { RunningBrowser } from './connect/browser.ts';
import { closingIsOver } from './connect/closing.ts';
import type { RemoteCheck } from './connect/remote-browser.ts';
import { startBrowser } from './connect/start-browser.ts';
import { withTimeout } from './connect/with-timeout.ts';
import { runLighthouse } from './lighthouse.ts';
import { loadPage } from './record/load.ts';

/** Chrome as a lab: one browser, with a new context for each load. */
export interface ChromeLab extends Lab {
  readonly pid: number | undefined;
}

/**
 * Starts the browser, or connects to one; rejects with a `QuiesceError` when that cannot be done.
 *
 * @param isRemote whether a browser that was connected to runs on another machine; its clock or address decide when absent
 */
export async function openChromeLab(
  settings: BrowserSettings,
  executablePath: string | undefined,
  isRemote?: RemoteCheck,
): Promise<ChromeLab> {
  const browser = await startBrowser(settings, executablePath, isRemote);
  let alive = true;
  void browser.gone.then(() => {
    alive = false;
  });
  return {
    product: browser.product,
    userAgent: browser.userAgent,
    ...(browser.sandbox !== undefined && { sandbox: browser.sandbox }),
    ...(browser.isRemote && { elsewhere: true }),
    ...(browser.notes.length > 0 && { notes: browser.notes }),
    ...(browser.path !== undefined && { path: browser.path }),
    pid: browser.pid,
    alive: () => alive,
    async close() {
      // A browser that does not answer any more is ended all the same.
      await withTimeout(closingIsOver(browser));
      await browser.close();
    },
    record: async (request, signal) =>
      (await recordUnlessGone(browser, request, signal)) ?? { ok: false, failure: await failureOf(browser, request) },
    async lighthouse(request, signal) {
      await closingIsOver(browser);
      return await runLighthouse(browser, request, signal);
    },
  };
}

/** How long after a broken connection the browser's end may become known, ms. */
const DISCONNECT_GRACE_MS = 500;

/** Why a load failed whose browser is gone. */
async function failureOf(browser: RunningBrowser, { url }: LoadRequest): Promise<Failure> {
  if (browser.isConnected) return failure('browser-lost', { url });
  const shortage = fileShortage((await browser.lastWords?.()) ?? '', openFilesLimit());
  return failure('browser-died', defined({ url, shortage }));
}

/**
 * A browser that is gone ends the load, whatever the load was waiting for, and whichever error comes first: the outcome is
 * undefined then.
 */
async function recordUnlessGone(
  browser: RunningBrowser,
  request: LoadRequest,
  signal: AbortSignal,
): Promise<LoadOutcome | undefined> {
  const gone = browser.gone.then(() => undefined);
  const ended = new AbortController();
  const loading = loadPage(browser, request, AbortSignal.any([signal, ended.signal]));
  try {
    const outcome = await Promise.race([loading, gone]);
    // Without an answer from the browser, a navigation or a script fails before the end of the browser is known.
    if (outcome === undefined || outcome.ok || !/^(?:navigation|script)-failed$/.test(outcome.failure.code))
      return outcome;
    return await Promise.race([gone, setTimeout(DISCONNECT_GRACE_MS, outcome)]);
  } catch (error) {
    if (signal.aborted) throw error;
    return await Promise.race([
      gone,
      setTimeout(DISCONNECT_GRACE_MS).then((): never => {
        throw error;
      }),
    ]);
  } finally {
    loading.catch(() => undefined);
    // A load in a dead browser would report progress until its time-out, in the middle of the next attempt.
    ended.abort();
  }
}
