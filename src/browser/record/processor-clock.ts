import type { CDPSession } from 'puppeteer-core';
import type { RunningBrowser } from '../connect/browser.ts';

/** Second sessions with targets: one session reads the wall's clock of a main thread or the processor's, never both. */
export interface ProcessorClocks {
  /** Undefined where the system has no processor clock of a thread, or the browser's owner allows no more sessions. */
  open(targetId: string): Promise<CDPSession | undefined>;
  close(): Promise<void>;
}

export function createProcessorClocks(browser: RunningBrowser): ProcessorClocks {
  // Of its own, so that the sessions of the load do not take a target for one that was attached to twice.
  const opening = browser.newRootSession().catch(() => undefined);
  return {
    async open(targetId) {
      const root = await opening;
      try {
        const attached = await root?.send('Target.attachToTarget', { targetId, flatten: true });
        const session = attached && browser.session(attached.sessionId);
        await session?.send('Performance.enable', { timeDomain: 'threadTicks' });
        return session;
      } catch {
        // What is said of the page is then what it would be without this clock.
        return undefined;
      }
    },
    close: async () => void (await (await opening)?.detach().catch(() => undefined)),
  };
}
