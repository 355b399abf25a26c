import type { CDPSession } from 'puppeteer-core';
import type { RunningBrowser } from '../connect/browser.ts';

/** The processor's clock of a page's main thread. */
export interface ProcessorClock {
  readonly session: CDPSession;
  close(): Promise<void>;
}

/**
 * Opens a second session with a page: one session reads the wall's clock or the processor's, never both. Undefined where
 * the system has no processor clock of a thread, or the browser's owner allows no more sessions.
 */
export async function openProcessorClock(
  browser: RunningBrowser,
  targetId: string,
): Promise<ProcessorClock | undefined> {
  // Of its own, so that the sessions of the load do not take the page for one that was attached to twice.
  const root = await browser.newRootSession().catch(() => undefined);
  if (!root) return undefined;
  const close = async (): Promise<void> => void (await root.detach().catch(() => undefined));
  try {
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = browser.session(sessionId);
    if (session) {
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      return { session, close };
    }
  } catch {
    // What is said of the page is then what it would be without this clock.
  }
  await close();
  return undefined;
}
