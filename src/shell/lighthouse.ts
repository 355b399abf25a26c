import { performance } from 'node:perf_hooks';
import type { Page } from 'puppeteer-core';
import { lighthouseFlags } from '../core/lighthouse/flags.ts';
import { failure } from '../core/load-failure.ts';
import type { Conditions } from '../model/conditions.ts';
import type { LighthouseOutcome, LighthouseRequest } from '../model/lighthouse-request.ts';
import type { Ms } from '../model/units.ts';
import { applyAccess } from './chrome/access.ts';
import { runBefore } from './chrome/before.ts';
import { firstLine, type RunningBrowser } from './chrome/browser.ts';
import { applyConditions } from './chrome/conditions.ts';
import { furnish } from './chrome/furnish.ts';
import { openProfile, type Profile } from './chrome/profile.ts';
import { type PuppeteerPage, pageInContext } from './chrome/puppeteer-pages.ts';
import { type BeforeStart, openPage } from './chrome/targets.ts';
import { LAST_WORD_MS, within } from './chrome/within.ts';

/** What of Lighthouse is used; its own types are of another Puppeteer. */
interface Lighthouse {
  default(
    url: string,
    flags: object,
    config: object | undefined,
    page: Page,
  ): Promise<{ readonly lhr: unknown } | undefined>;
  generateReport(lhr: object, format: 'html'): string;
}

/** Lighthouse's own cap on waiting, ms. Source: lighthouse core/config/constants.js, maxWaitForLoad. */
const OWN_CAP_MS = 45_000;
/** How long it may take beyond waiting: pictures, sources and two hundred audits on a slow machine. */
const JUDGING_MS = 120_000;

/**
 * Runs Lighthouse on a page in a fresh profile of a running browser, under the conditions and with the ways in of the
 * other runs. What goes wrong is a value. Rejects only when `signal` aborts.
 */
export async function runLighthouse(
  browser: RunningBrowser,
  request: LighthouseRequest,
  signal: AbortSignal,
): Promise<LighthouseOutcome> {
  signal.throwIfAborted();
  const fail = (detail: string): LighthouseOutcome => ({
    ok: false,
    failure: failure('lighthouse-failed', { url: request.url, detail }),
  });
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  signal.addEventListener('abort', stop);
  const limit = (request.cap ?? OWN_CAP_MS) + request.firstVisit + JUDGING_MS;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<LighthouseOutcome>((resolve) => {
    timer = setTimeout(() => resolve(fail(`it took longer than ${limit / 1000} s`)), limit);
  });
  const died = browser.gone.then(() => fail('the browser died'));
  const closing: (() => Promise<unknown>)[] = [];
  try {
    return await Promise.race([inspect(browser, request, closing, signal), late, died, aborted]);
  } catch (error) {
    if (signal.aborted) throw error;
    return fail(firstLine(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    for (const close of closing.reverse()) await within(LAST_WORD_MS, close());
  }
}

/** Lighthouse's own report as a page. */
export async function lighthouseReport(lhr: object): Promise<string> {
  return (await loaded()).generateReport(lhr, 'html');
}

/** It is large, and most jobs do without it. */
async function loaded(): Promise<Lighthouse> {
  return (await import('lighthouse')) as unknown as Lighthouse;
}

async function inspect(
  browser: RunningBrowser,
  request: LighthouseRequest,
  closing: (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<LighthouseOutcome> {
  const lighthouse = await loaded();
  const profile = await openProfile(browser);
  closing.push(() => profile.dispose());
  const { url, conditions, access: given, block } = request;
  const access = applyAccess({ ...given, block: [...given.block, ...block] }, url, browser);
  closing.push(() => access.end());
  await furnish(profile, { url, access: given, conditions });
  await access.begin();
  const unready = await runBefore(browser, profile, request, access.beforeStart, signal);
  if (unready) return { ok: false, failure: unready };
  const { page } = await openedPage(browser, profile, conditions, access.beforeStart, closing);
  if (conditions.view === 'warm') await visit(page, url, request.firstVisit);
  const began = performance.now();
  const running = lighthouse.default(url, lighthouseFlags(request), undefined, page);
  // It may be given up on, and fails then for want of a page.
  running.catch(() => undefined);
  const { lhr } = (await running) ?? {};
  if (lhr === undefined) throw new Error('it gave no result');
  return { ok: true, lhr, wallTime: performance.now() - began };
}

/** A page with everything in force, as Puppeteer knows it: our own session keeps it so, for workers and frames too. */
async function openedPage(
  browser: RunningBrowser,
  profile: Profile,
  conditions: Conditions,
  beforeStart: readonly BeforeStart[],
  closing: (() => Promise<unknown>)[],
): Promise<PuppeteerPage> {
  const applied = applyConditions(conditions, browser, () => undefined);
  const targets = await openPage(
    browser,
    profile.browserContextId,
    { content: false, beforeStart: [applied.beforeStart, ...beforeStart] },
    { message: () => undefined, gone: () => undefined, popup: () => undefined },
  );
  closing.push(() => targets.dispose());
  await applied.inForce();
  const taken = await pageInContext(browser, profile.browserContextId);
  closing.push(() => taken.release());
  return taken;
}

/** The visit before a warm view: it fills the caches. How it ends says nothing of the page. */
async function visit(page: Page, url: string, lasting: Ms): Promise<void> {
  const over = performance.now() + lasting;
  await page.goto(url, { waitUntil: 'load', timeout: lasting }).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, over - performance.now())));
}
