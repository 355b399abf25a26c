import type { CDPSession } from 'puppeteer-core';
import { ConnectionError } from '../connect/connection-error.ts';

/**
 * Opens a blank page in a context of its own, as every load does, and closes both after `use`. Rejects with the reason when
 * that cannot be done: a gateway may let through only a part of the protocol, and a browser inside another program may not
 * open contexts.
 */
export async function withProbePage<T>(root: CDPSession, use: (page: CDPSession) => Promise<T>): Promise<T> {
  let browserContextId: string | undefined;
  const open = async (): Promise<CDPSession | undefined> => {
    ({ browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true }));
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    return root.connection()?.session(sessionId) ?? undefined;
  };
  try {
    const page = await open().catch((error: unknown): never => {
      throw new ConnectionError(`it refuses a page in a context of its own: ${(error as Error).message}`);
    });
    if (!page) throw new ConnectionError('it refuses sessions with a page');
    return await use(page);
  } finally {
    if (browserContextId !== undefined) {
      await root.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined);
    }
  }
}
