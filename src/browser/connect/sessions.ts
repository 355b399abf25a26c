import { type CDPSession, Connection, type ConnectionTransport } from 'puppeteer-core';
import type { BrowserSessions, RunningBrowser } from './browser.ts';
import { ConnectionError } from './connection-error.ts';
import { firstLine } from './first-line.ts';
import { handshake } from './handshake.ts';
import type { SharedTransport } from './shared-transport.ts';

/** Puppeteer's types leave the constructor out; its own `connect` calls it like this. */
const ConnectionOver = Connection as unknown as new (url: string, transport: ConnectionTransport) => Connection;

/**
 * The sessions of the browser at the other end of a connection that is not in use yet. Puppeteer's `Browser` is not used: it
 * takes targets of other clients for its own, and ends its sessions with theirs.
 */
export async function openSessions(
  transport: SharedTransport,
): Promise<BrowserSessions & Pick<RunningBrowser, 'openTransport' | 'close'>> {
  const { product, userAgent } = await handshake(transport);
  const connection = new ConnectionOver('', transport);
  const newRootSession = async (): Promise<CDPSession> => {
    const { sessionId } = await connection.send('Target.attachToBrowserTarget');
    const session = connection.session(sessionId);
    if (!session) throw new ConnectionError('the browser gave no session');
    return session;
  };
  return {
    product,
    userAgent,
    root: await newRootSession().catch((error: unknown): never => {
      throw new ConnectionError(
        `it refuses a session with the whole browser, as the address of a page does: ${firstLine(error)}`,
      );
    }),
    newRootSession,
    session: (sessionId) => connection.session(sessionId) ?? undefined,
    async openTransport() {
      const session = await newRootSession();
      return transport.sessionTransport(session.id(), () => void session.detach().catch(() => undefined));
    },
    gone: transport.gone,
    close: async () => connection.dispose(),
  };
}
