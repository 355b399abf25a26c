import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import type { Page } from 'puppeteer-core';
import { lighthouseFlags } from '../core/lighthouse/flags.ts';
import type { Conditions } from '../model/host/conditions.ts';
import type { LighthouseOutcome, LighthouseRequest } from '../model/lighthouse/request.ts';
import type { Ms } from '../model/units.ts';
import { installedPackage } from '../shell/process/optional-package.ts';
import { failure } from '../wording/result/failure.ts';
import type { RunningBrowser } from './connect/browser.ts';
import { firstLine } from './connect/first-line.ts';
import { openProfile, type Profile } from './connect/profile.ts';
import { rejectOnAbort } from './connect/reject-on-abort.ts';
import { withTimeout } from './connect/with-timeout.ts';
import { applyAccess } from './context/access.ts';
import { applyConditions } from './context/conditions.ts';
import { prepareContext } from './context/prepare-context.ts';
import { restoreSession, restoreState } from './context/storage-state.ts';
import { createRequestOwnership } from './record/request-ownership.ts';
import { type BeforeStart, openPage } from './record/targets.ts';
import { runBefore } from './script/before.ts';
import { type PuppeteerPage, pageInContext } from './script/puppeteer-pages.ts';

/** The parts of Lighthouse that are used. Its own types need another version of Puppeteer. */
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
/** How long it may take beside waiting, ms: screenshots, sources and two hundred audits on a slow machine. */
const AUDITS_TIMEOUT_MS = 120_000;

/**
 * Runs Lighthouse on a page in a fresh profile of a running browser, under the conditions and with the headers and login
 * of the other runs. Failures are values: it rejects only when `signal` aborts.
 */
export async function runLighthouse(
  browser: RunningBrowser,
  request: LighthouseRequest,
  signal: AbortSignal,
): Promise<LighthouseOutcome> {
  const abortion = rejectOnAbort(signal);
  const fail = (detail: string): LighthouseOutcome => failed(request.url, detail);
  const limit = (request.cap ?? OWN_CAP_MS) + request.firstVisit + AUDITS_TIMEOUT_MS;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<LighthouseOutcome>((resolve) => {
    timer = setTimeout(() => resolve(fail(`it took longer than ${limit / 1000} s`)), limit);
  });
  const died = browser.gone.then(() => fail('the browser died'));
  const closing: (() => Promise<unknown>)[] = [];
  try {
    return await Promise.race([inspect(browser, request, closing, signal), late, died, abortion.rejected]);
  } catch (error) {
    if (signal.aborted) throw error;
    return fail(firstLine(error));
  } finally {
    clearTimeout(timer);
    abortion.stop();
    for (const close of closing.reverse()) await withTimeout(close());
  }
}

function failed(url: string, detail: string): LighthouseOutcome {
  return { ok: false, failure: failure('lighthouse-failed', { url, detail }) };
}

/** Lighthouse's own report as a page. */
export async function lighthouseReport(lhr: object): Promise<string> {
  return (await importLighthouse()).generateReport(lhr, 'html');
}

/** Imported only when it is used: it is large. */
async function importLighthouse(): Promise<Lighthouse> {
  return (await import(pathToFileURL(installedPackage('lighthouse')).href)) as Lighthouse;
}

async function inspect(
  browser: RunningBrowser,
  request: LighthouseRequest,
  closing: (() => Promise<unknown>)[],
  signal: AbortSignal,
): Promise<LighthouseOutcome> {
  const lighthouse = await importLighthouse();
  const profile = await openProfile(browser);
  closing.push(() => profile.dispose());
  const { url, conditions, access: given, block } = request;
  const ownership = createRequestOwnership(browser);
  const access = applyAccess({ ...given, block: [...given.block, ...block] }, url, browser, ownership);
  const beforeStart = [ownership.beforeStart, ...access.beforeStart, ...restoreSession(url, given)];
  closing.push(() => {
    ownership.end();
    return access.end();
  });
  await prepareContext(profile, { url, access: given, conditions });
  const refused = await restoreState(browser, profile, { url, access: given });
  if (refused) return { ok: false, failure: refused };
  await access.begin();
  const unready = await runBefore(browser, profile, request, beforeStart, signal);
  if (unready) return { ok: false, failure: unready };
  const { page } = await openConditionedPage(browser, profile, conditions, beforeStart, closing);
  if (conditions.view === 'warm') await visit(page, url, request.firstVisit);
  const began = performance.now();
  const running = lighthouse.default(url, lighthouseFlags(request), undefined, page);
  // It fails without its page, when it is no longer awaited.
  running.catch(() => undefined);
  const { lhr } = (await running) ?? {};
  return lhr === undefined ? failed(url, 'it gave no result') : { ok: true, lhr, wallTime: performance.now() - began };
}

/** Opens a page with all conditions in force, for Puppeteer. Our own session applies them to workers and frames, too. */
async function openConditionedPage(
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
    { content: false, device: conditions.device, beforeStart: [applied.beforeStart, ...beforeStart] },
    { message: () => undefined, gone: () => undefined, popup: () => undefined },
  );
  closing.push(() => targets.dispose());
  await applied.inForce();
  const puppeteerPage = await pageInContext(browser, profile.browserContextId);
  closing.push(() => puppeteerPage.release());
  return puppeteerPage;
}

/** The visit before a warm view: it fills the caches. Its errors are ignored. */
async function visit(page: Page, url: string, duration: Ms): Promise<void> {
  const over = performance.now() + duration;
  await page.goto(url, { waitUntil: 'load', timeout: duration }).catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, over - performance.now())));
}
