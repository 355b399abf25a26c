import type { Access } from '../../model/access.ts';
import type { LoadOutcome, LoadRequest } from '../../model/recording/lab.ts';
import { failure } from '../../wording/result/failure.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { closeMeanwhile, closingIsOver } from '../connect/closing.ts';
import { firstLine } from '../connect/first-line.ts';
import { openProfile } from '../connect/profile.ts';
import { applyAccess } from '../context/access.ts';
import { prepareContext } from '../context/prepare-context.ts';
import { restoreSession, restoreState } from '../context/storage-state.ts';
import { runBefore } from '../script/before.ts';
import { PageLoad } from './page-load.ts';
import { createRequestOwnership } from './request-ownership.ts';

/** The access of a request that names none. */
const NO_ACCESS: Access = { headers: [], cookies: [], block: [], ignoreCertificateErrors: false };

/**
 * Loads a page once in a fresh profile, watches until it is complete, and returns everything recorded. For a warm view the
 * page is loaded twice, and the second load is returned. Bad pages are values: it rejects only when the signal is aborted,
 * or the browser is gone.
 */
export async function loadPage(
  browser: RunningBrowser,
  request: LoadRequest,
  signal: AbortSignal,
): Promise<LoadOutcome> {
  const profile = await openProfile(browser);
  const ownership = createRequestOwnership(browser);
  const access = applyAccess(request.access ?? NO_ACCESS, request.url, browser, ownership);
  const beforeStart = [ownership.beforeStart, ...access.beforeStart, ...restoreSession(request.url, request.access)];
  let load: PageLoad | undefined;
  try {
    await prepareContext(profile, request);
    const refused = await restoreState(browser, profile, request);
    if (refused) return { ok: false, failure: refused };
    await access.begin();
    // A login is done once.
    if (request.script) await closingIsOver(browser);
    const unready = await runBefore(browser, profile, request, beforeStart, signal);
    if (unready) return { ok: false, failure: unready };
    if (request.conditions?.view === 'warm') {
      load = new PageLoad(browser, profile, firstVisitOf(request), beforeStart, ownership);
      const first = await load.run(signal);
      if (!first.ok) return first;
      await load.leave();
    }
    load = new PageLoad(browser, profile, request, beforeStart, ownership);
    const outcome = await load.run(signal);
    const { script } = request;
    if (!outcome.ok || !script?.steps || !script.script.measure) return outcome;
    return { ...outcome, steps: await load.runSteps(outcome.recording, script, signal) };
  } catch (error) {
    const refused = refusal(error);
    if (refused === undefined) throw error;
    return { ok: false, failure: failure('conditions-refused', { url: request.url, detail: refused }) };
  } finally {
    await load?.release();
    closeMeanwhile(browser, async () => {
      ownership.end();
      await access.end();
      await profile.dispose();
      await load?.dispose();
    });
  }
}

/** The visit that fills the caches. It is not kept, so it is not filmed, and no requests are held. */
function firstVisitOf({
  url,
  policy: { expected: _ofSecond, ...policy },
  conditions,
  access,
  onTick,
}: LoadRequest): LoadRequest {
  return {
    url,
    policy,
    content: false,
    ...(conditions && { conditions }),
    ...(access && { access }),
    ...(onTick && { onTick: (tick) => onTick(tick) }),
  };
}

/** The browser's refusal of a condition, cookie or permission; undefined for any other error. */
function refusal(error: unknown): string | undefined {
  const line = firstLine(error);
  return /^Protocol error \((?:Emulation|Network|Storage|Browser\.grant)/.test(line) && !/closed/i.test(line)
    ? line
    : undefined;
}
