import { DESKTOP } from '../../core/conditions/devices.ts';
import type { LoadRequest } from '../../model/recording/lab.ts';
import type { ScriptWire } from '../../model/recording/script.ts';
import type { Failure } from '../../model/result/result.ts';
import type { RunningBrowser } from '../connect/browser.ts';
import { startInactivityTimeout } from '../connect/inactivity-timeout.ts';
import type { Profile } from '../connect/profile.ts';
import { rejectOnAbort } from '../connect/reject-on-abort.ts';
import { withTimeout } from '../connect/with-timeout.ts';
import { closePages } from '../context/close-pages.ts';
import { applyConditions } from '../context/conditions.ts';
import { windowOf } from '../context/window.ts';
import type { BeforeStart } from '../record/targets.ts';
import { openPageWire } from './puppeteer-pages.ts';
import { addressOf, scriptLate, scriptPage, useScript } from './script-failure.ts';

/**
 * Runs the script's `before` in a page of the profile, and closes that page and all that it opened; cookies and storage
 * stay. The page has the load's device, headers and login, but the machine's own network and processor. Nothing is
 * recorded. For a cold view the HTTP cache is cleared afterwards: the load fetches again what the login page has fetched.
 *
 * Returns the failure, if any; rejects when the signal is aborted.
 *
 * @param beforeStart the load's headers, login and blocked addresses
 */
export async function runBefore(
  browser: RunningBrowser,
  { browserContextId, root }: Profile,
  request: Pick<LoadRequest, 'script' | 'conditions'>,
  beforeStart: readonly BeforeStart[],
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const { script } = request;
  const before = script?.script.before;
  if (script === undefined || before === undefined) return undefined;
  const abortion = rejectOnAbort(signal);
  const { network: _network, ...conditions } = request.conditions ?? { device: DESKTOP, view: 'cold' };
  const applied = applyConditions({ ...conditions, cpu: 1 }, browser, () => undefined);
  const use = useScript(script);
  let wire: ScriptWire | undefined;
  let isRunning = false;
  const limit = startInactivityTimeout(script.timeout, () => scriptLate(script.timeout));
  const prepared = async () => {
    const { targetId } = await root.send('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
      ...windowOf(conditions.device),
    });
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
    wire = await openPageWire(browser, browserContextId);
    return { session, targetId, wire };
  };
  try {
    const opened = await Promise.race([prepared(), limit.expired, abortion.rejected]);
    try {
      limit.restart();
      isRunning = true;
      const running = before(scriptPage(browserContextId, opened.wire, script), use.context).finally(() => {
        isRunning = false;
      });
      await Promise.race([running, limit.expired, abortion.rejected]);
    } catch (error) {
      if (signal.aborted) throw error;
      return use.failed('before', error, await addressOf(root, opened.targetId));
    }
    if (conditions.view === 'cold') await withTimeout(opened.session.send('Network.clearBrowserCache'));
    return undefined;
  } finally {
    limit.stop();
    abortion.stop();
    if (isRunning) script.script.end();
    wire?.close();
    await closePages(browserContextId, root);
  }
}
