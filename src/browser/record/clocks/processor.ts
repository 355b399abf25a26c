import type { CDPSession, Protocol } from 'puppeteer-core';
import type { RunningBrowser } from '../../connect/browser.ts';

/** Second sessions with targets: one session reads the wall's clock of a main thread or the processor's, never both. */
export interface ProcessorClocks {
  /**
   * That of a page, and from then on those of the frames in it that have a process of their own. Undefined where the system
   * has no processor clock of a thread, or the browser's owner allows no more sessions.
   */
  open(targetId: string): Promise<CDPSession | undefined>;
  close(): Promise<void>;
}

/** Takes the session with a frame as soon as there is one; the frame does not wait for it. */
export type FrameListener = (targetId: string, session: CDPSession) => void;

export function createProcessorClocks(browser: RunningBrowser, onFrame: FrameListener): ProcessorClocks {
  // Of its own, so that the sessions of the load do not take a target for one that was attached to twice.
  const opening = browser.newRootSession().catch(() => undefined);

  const begin = async (session: CDPSession): Promise<void> => {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }: Protocol.Target.AttachedToTargetEvent) => {
      const frame = browser.session(sessionId);
      if (!frame) return;
      // It may be gone already.
      begin(frame).catch(() => undefined);
      onFrame(targetInfo.targetId, frame);
    });
    await Promise.all([
      session.send('Performance.enable', { timeDomain: 'threadTicks' }),
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        waitForDebuggerOnStart: false,
        flatten: true,
        filter: [{ type: 'iframe' }, { exclude: true }],
      }),
    ]);
  };

  return {
    async open(targetId) {
      const root = await opening;
      try {
        const attached = await root?.send('Target.attachToTarget', { targetId, flatten: true });
        const session = attached && browser.session(attached.sessionId);
        if (session) await begin(session);
        return session;
      } catch {
        // What is said of the page is then what it would be without this clock.
        return undefined;
      }
    },
    close: async () => void (await (await opening)?.detach().catch(() => undefined)),
  };
}
