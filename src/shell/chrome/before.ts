import { setTimeout } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { DESKTOP } from '../../core/conditions/devices.ts';
import type { LoadRequest } from '../../model/lab.ts';
import type { Failure } from '../../model/result.ts';
import type { ScriptOf } from '../../model/script.ts';
import type { RunningBrowser } from './browser.ts';
import { applyConditions } from './conditions.ts';
import { createPatience } from './patience.ts';
import type { Profile } from './profile.ts';
import { type PuppeteerPage, pageInContext } from './puppeteer-pages.ts';
import { PUPPETEER_SHARE, placeOf, ScriptTimeout, useScript } from './script-failure.ts';
import type { BeforeStart } from './targets.ts';
import { LAST_WORD_MS, within } from './within.ts';

/** How soon to look again whether a page is gone, ms. */
const LOOK_AGAIN_MS = 10;

/**
 * Runs the script's `before` in a page of the profile, and closes that page and all that it opened: cookies and storage
 * stay. The page has the load's device and its ways in, but the machine's own network and processor. Nothing of it is
 * recorded. For a cold view the HTTP cache is emptied afterwards: what the login page had fetched, the load fetches again.
 *
 * `beforeStart` are the load's ways in, which are in force already. Gives the reason when it failed; rejects when the user ended it.
 */
export async function runBefore(
  browser: RunningBrowser,
  { browserContextId, root }: Profile,
  request: Pick<LoadRequest, 'script' | 'conditions'>,
  beforeStart: readonly BeforeStart[],
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { script } = request;
  const given = script?.script as ScriptOf<Page> | undefined;
  if (script === undefined || given?.before === undefined) return undefined;
  signal.throwIfAborted();
  const { network: _network, ...conditions } = request.conditions ?? { device: DESKTOP, view: 'cold' };
  const applied = applyConditions({ ...conditions, cpu: 1 }, browser, () => undefined);
  const use = useScript(script);
  let taken: PuppeteerPage | undefined;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
  });
  aborted.catch(() => undefined);
  signal.addEventListener('abort', stop);
  const patience = createPatience(script.timeout, () => new ScriptTimeout(script.timeout));
  try {
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = browser.session(sessionId);
    if (session === undefined) throw new Error('the page has no session');
    for (const prepare of [applied.beforeStart, ...beforeStart]) prepare(session, 'page', targetId);
    await Promise.all([
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      session.send('Page.enable'),
      session.send('Runtime.runIfWaitingForDebugger'),
      applied.inForce(),
    ]);
    taken = await pageInContext(browser, browserContextId);
    const { page } = taken;
    try {
      page.setDefaultTimeout(script.timeout * PUPPETEER_SHARE);
      patience.restart();
      await Promise.race([given.before(page, use.context), patience.lost, aborted]);
    } catch (error) {
      if (signal.aborted) throw error;
      return use.failed('before()', error, placeOf(page.url()));
    }
    if (conditions.view === 'cold') await within(LAST_WORD_MS, session.send('Network.clearBrowserCache'));
    return undefined;
  } finally {
    patience.stop();
    signal.removeEventListener('abort', stop);
    await taken?.release();
    await closePages(browserContextId, root);
  }
}

/** Closes what is open in the context, and waits until it is gone: the load must not take it for its own. */
async function closePages(browserContextId: string, root: Profile['root']): Promise<void> {
  const open = async (): Promise<readonly string[]> => {
    const { targetInfos } = await root.send('Target.getTargets', { filter: [{ type: 'page' }, { type: 'tab' }] });
    return targetInfos.flatMap((each) => (each.browserContextId === browserContextId ? each.targetId : []));
  };
  const until = performance.now() + LAST_WORD_MS;
  for (let left = await open(); left.length > 0 && performance.now() < until; left = await open()) {
    for (const targetId of left) await root.send('Target.closeTarget', { targetId }).catch(() => undefined);
    await setTimeout(LOOK_AGAIN_MS);
  }
}
