import { ConnectionError } from './connection-error.ts';
import type { SharedTransport } from './shared-transport.ts';

/** Name, version and user agent of a browser. */
export interface BrowserVersion {
  /** 'Chrome/156.0.8078.79'. */
  readonly product: string;
  readonly userAgent: string;
}

/** The number of the command. Puppeteer, which uses the connection later, counts from 1 again. */
const COMMAND_ID = 1;

/**
 * Asks a browser for its version, over a connection that is not in use yet. Anything may be at the other end: a page's own
 * socket, another protocol such as WebDriver BiDi, an echo server. Rejects with the reason when it is no browser. The caller
 * has to deal with silence, and with the end of the connection.
 */
export async function handshake(transport: SharedTransport): Promise<BrowserVersion> {
  const answer = new Promise<Answer>((resolve) => {
    transport.onmessage = (text) => {
      const message = parsed(text);
      const isEvent = message.method !== undefined && message.id === undefined;
      if (!isEvent) resolve(message);
    };
  });
  transport.send(JSON.stringify({ id: COMMAND_ID, method: 'Browser.getVersion' }));
  const { result, error } = await answer;
  const { product, userAgent } = result ?? {};
  if (typeof product === 'string' && typeof userAgent === 'string') return { product, userAgent };
  const said = typeof error?.message === 'string' ? `: ${error.message}` : '';
  throw new ConnectionError(`the program that answers does not speak the DevTools protocol of a browser${said}`);
}

/** The parts of an answer that are read; each may be missing. */
interface Answer {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: Partial<Record<keyof BrowserVersion, unknown>>;
  readonly error?: { readonly message?: unknown };
}

function parsed(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return {};
  }
}
