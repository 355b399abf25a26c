import { lookup } from 'node:dns/promises';
import { HttpError, openWire, type Wire } from './wire.ts';

/** How long a browser may take to say where its WebSocket is, ms. */
const ANSWER_TIMEOUT_MS = 10_000;

/** How Chrome answers whoever calls it by a name. Source: Chromium, RequestIsSafeToServe in devtools_http_handler.cc. */
const NOT_BY_NAME = 500;
/** How it answers at a path that is not its WebSocket's. */
const NO_SUCH_PATH = 404;

/**
 * Connects to a running browser by what a user knows of it: a WebSocket address, whatever its path, or the HTTP address of
 * its DevTools, which stays the same when the browser is started again.
 *
 * Rejects with the reason. A name is looked up only when the browser does not answer to it: what stands before a fleet
 * may tell browsers apart by their names.
 */
export async function connectTo(address: string): Promise<Wire> {
  const url = new URL(address);
  try {
    return await open(url);
  } catch (error) {
    if (!isStatus(error, NOT_BY_NAME)) throw error;
    for (const numbered of await byNumber(url)) {
      const wire = await open(numbered).catch(() => undefined);
      if (wire) return wire;
    }
    throw error;
  }
}

async function open(url: URL): Promise<Wire> {
  if (url.protocol.startsWith('http')) return openWire(await webSocketOf(url));
  try {
    return await openWire(url.href);
  } catch (error) {
    // `ws://host:9222` is what many write: Chrome has its WebSocket at a path that is another one after each start.
    if (url.pathname !== '/' || !isStatus(error, NO_SUCH_PATH)) throw error;
    const found = await webSocketOf(url).catch(() => undefined);
    if (found === undefined) throw error;
    return openWire(found);
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof HttpError && error.status === status;
}

/** The same address with the name looked up; none where that is no use. */
async function byNumber(url: URL): Promise<readonly URL[]> {
  // A certificate is for the name.
  if (url.protocol === 'https:' || url.protocol === 'wss:') return [];
  const found = await lookup(url.hostname, { all: true }).catch(() => []);
  return found.map(({ address, family }) => {
    const numbered = new URL(url);
    numbered.hostname = family === 6 ? `[${address}]` : address;
    return numbered;
  });
}

/** Asks the DevTools at an address for the browser's WebSocket: the host is the one that was asked, whatever it says. */
async function webSocketOf(url: URL): Promise<string> {
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:';
  const asked = new URL(url);
  asked.protocol = isSecure ? 'https:' : 'http:';
  const base = url.pathname.replace(/\/$/, '');
  asked.pathname = `${base}/json/version`;
  const { username, password } = asked;
  asked.username = '';
  asked.password = '';
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const answer = await fetch(asked, {
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    ...(login !== ':' && { headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } }),
  }).catch((error: unknown) => {
    throw (error as { cause?: unknown }).cause ?? error;
  });
  const text = await answer.text();
  if (!answer.ok) throw new HttpError(answer.status);
  const told = toldEndpoint(text);
  if (told === undefined) throw new Error('what answers there is no browser');
  const endpoint = new URL(url);
  endpoint.protocol = isSecure ? 'wss:' : 'ws:';
  // Where a path leads to the browser, it does not know of it.
  endpoint.pathname = told.pathname.startsWith(base) ? told.pathname : base + told.pathname;
  endpoint.search = told.search;
  // A token that was needed to ask is needed to connect.
  for (const [name, value] of url.searchParams) {
    if (!told.searchParams.has(name)) endpoint.searchParams.append(name, value);
  }
  return endpoint.href;
}

function toldEndpoint(text: string): URL | undefined {
  try {
    const { webSocketDebuggerUrl } = JSON.parse(text) as { readonly webSocketDebuggerUrl?: unknown };
    return typeof webSocketDebuggerUrl === 'string' ? new URL(webSocketDebuggerUrl) : undefined;
  } catch {
    return undefined;
  }
}
