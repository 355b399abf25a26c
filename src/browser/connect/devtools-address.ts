import { lookup } from 'node:dns/promises';
import { answeredStatus, ConnectionError } from './connection-error.ts';
import { openSharedTransport, type SharedTransport } from './shared-transport.ts';

/** How long a browser may take to answer with the address of its WebSocket, ms. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Chrome's status for requests with a host name. Source: Chromium, RequestIsSafeToServe in devtools_http_handler.cc. */
const HOST_NAME_REFUSED = 500;
/** Its status for a path that is not its WebSocket's. */
const NO_SUCH_PATH = 404;

/**
 * Connects to a running browser, by a WebSocket address with any path, or by the HTTP address of its DevTools, which stays
 * the same when the browser is started again.
 *
 * Rejects with the reason. A host name is replaced by its IP address only when the browser refuses the name: the proxy of
 * a fleet may choose the browser by the name.
 */
export async function connectTo(address: string): Promise<SharedTransport> {
  const url = new URL(address);
  try {
    return await open(url);
  } catch (error) {
    if (!isStatus(error, HOST_NAME_REFUSED)) throw error;
    for (const resolved of await withIpAddresses(url)) {
      const transport = await open(resolved).catch(() => undefined);
      if (transport) return transport;
    }
    throw error;
  }
}

async function open(url: URL): Promise<SharedTransport> {
  if (url.protocol.startsWith('http')) return openSharedTransport(await webSocketOf(url));
  try {
    return await openSharedTransport(url.href);
  } catch (error) {
    // Many write `ws://host:9222`, but Chrome's WebSocket has a path, another one after each start.
    if (url.pathname !== '/' || !isStatus(error, NO_SUCH_PATH)) throw error;
    const found = await webSocketOf(url).catch(() => undefined);
    if (found === undefined) throw error;
    return openSharedTransport(found);
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof ConnectionError && error.status === status;
}

/** The same URL with each IP address of its host; none where that cannot work. */
async function withIpAddresses(url: URL): Promise<readonly URL[]> {
  // A certificate is for the name.
  if (url.protocol === 'https:' || url.protocol === 'wss:') return [];
  const found = await lookup(url.hostname, { all: true }).catch(() => []);
  return found.map(({ address, family }) => {
    const resolved = new URL(url);
    resolved.hostname = family === 6 ? `[${address}]` : address;
    return resolved;
  });
}

/** Asks the DevTools for the address of the browser's WebSocket. The host stays that of `url`. */
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
  if (!answer.ok) throw answeredStatus(answer.status);
  const answered = endpointIn(text);
  if (answered === undefined) throw new ConnectionError('the program that answers is not a browser');
  const endpoint = new URL(url);
  endpoint.protocol = isSecure ? 'wss:' : 'ws:';
  // A proxy may serve the browser below a path, which the browser itself does not know.
  endpoint.pathname = answered.pathname.startsWith(base) ? answered.pathname : base + answered.pathname;
  endpoint.search = answered.search;
  // A token in the URL is needed for the WebSocket, too.
  for (const [name, value] of url.searchParams) {
    if (!answered.searchParams.has(name)) endpoint.searchParams.append(name, value);
  }
  return endpoint.href;
}

function endpointIn(text: string): URL | undefined {
  try {
    const { webSocketDebuggerUrl } = JSON.parse(text) as { readonly webSocketDebuggerUrl?: unknown };
    return typeof webSocketDebuggerUrl === 'string' ? new URL(webSocketDebuggerUrl) : undefined;
  } catch {
    return undefined;
  }
}
