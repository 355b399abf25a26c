import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { isIP } from 'node:net';
import { finished } from 'node:stream/promises';
import { valuesByName } from '../../core/text/values-by-name.ts';
import type { LoadRequests, LoadTarget } from '../../model/network/load.ts';
import type { Ms } from '../../model/units.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** What one request showed before the load begins. */
export interface Preflight {
  readonly status: number;
  readonly contentType?: string;
  /** How long it took, with the connection. */
  readonly took: Ms;
  /** The server does not speak HTTP/1.1. */
  readonly isHttp2Only?: true;
}

/** Errors of TLS that say that the server does not offer HTTP/1.1. Source: RFC 7301, 3.2, no_application_protocol. */
const NO_HTTP1 = /no application protocol|NO_APPLICATION_PROTOCOL/i;

/** The addresses of a host, as this machine resolves it. Rejects with `host-not-found`. */
export async function addressesOf(url: string): Promise<readonly string[]> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new QuiesceError('host-not-found', { url }, { cause: error });
  }
}

/** The head of an answer that has come as a whole. */
interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly location: string | undefined;
  readonly isHttp2Only?: true;
}

/**
 * Asks once, and reads the whole answer: what cannot be answered once is not to be asked a thousand times. Rejects with a
 * `QuiesceError` for a server that refuses, breaks off, does not end, or speaks another protocol, and for a redirect.
 *
 * @param speaksHttp2 what makes the load speaks HTTP/2, too: a server that knows nothing else can be loaded
 */
export async function askOnce(
  target: LoadTarget,
  requests: Omit<LoadRequests, 'targets'>,
  ignoreCertificateErrors: boolean,
  signal: AbortSignal,
  speaksHttp2 = false,
): Promise<Preflight> {
  const { url } = target;
  const { timeout } = requests;
  const from = performance.now();
  const limit = AbortSignal.timeout(timeout);
  let isAnswering = false;
  const ask = (by: Ask): Promise<Answer> =>
    by(target, requests, !ignoreCertificateErrors, AbortSignal.any([signal, limit]), () => {
      isAnswering = true;
    });
  try {
    const { status, type, location, isHttp2Only } = await ask(askHttp1).catch(async (error: NodeJS.ErrnoException) => {
      if (!(speaksHttp2 && url.startsWith('https:') && isOtherProtocol(error))) throw error;
      return { ...(await ask(askHttp2)), isHttp2Only: true as const };
    });
    if (status >= 300 && status < 400 && location !== undefined) {
      throw new QuiesceError('capacity-redirects', { url, detail: location });
    }
    return {
      status,
      took: performance.now() - from,
      contentType: type,
      ...(isHttp2Only && { isHttp2Only }),
    };
  } catch (error) {
    if (error instanceof QuiesceError) throw error;
    signal.throwIfAborted();
    throw refusal(url, error as NodeJS.ErrnoException, limit.aborted, isAnswering, timeout);
  }
}

/** Asks once over a connection of its own. `onHead` is called as soon as the server begins to answer. */
type Ask = (
  target: LoadTarget,
  requests: Omit<LoadRequests, 'targets'>,
  rejectUnauthorized: boolean,
  signal: AbortSignal,
  onHead: () => void,
) => Promise<Answer>;

const askHttp1: Ask = ({ url, headers }, { method, body }, rejectUnauthorized, signal, onHead) =>
  new Promise((resolve, reject) => {
    const secure = url.startsWith('https:');
    const request = (secure ? https : http).request(url, {
      method,
      headers: valuesByName(headers),
      // Without a pool: the load makes its own connections.
      agent: false,
      signal,
      ...(secure && { rejectUnauthorized, ALPNProtocols: ['http/1.1'] }),
    });
    request.once('error', reject);
    request.once('response', (response) => {
      onHead();
      response.once('error', reject);
      const { statusCode: status = 0, headers: head } = response;
      response.once('end', () => resolve({ status, type: head['content-type'], location: head.location }));
      response.resume();
    });
    request.end(body);
  });

const askHttp2: Ask = async ({ url, headers }, { method, body }, rejectUnauthorized, signal, onHead) => {
  const { origin, pathname, search } = new URL(url);
  const session = http2.connect(origin, { rejectUnauthorized });
  try {
    await once(session, 'connect', { signal });
    session.on('error', () => undefined);
    const named = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
    const request = session.request({ ':method': method, ':path': `${pathname}${search}`, ...named }, { signal });
    request.end(body);
    const [head] = (await once(request, 'response')) as [http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader];
    onHead();
    await finished(request.resume());
    return { status: head[':status'] ?? 0, type: head['content-type'], location: head.location };
  } finally {
    session.destroy();
  }
};

/** The server speaks something else than HTTP/1.1. */
function isOtherProtocol({ code = '', message }: NodeJS.ErrnoException): boolean {
  return NO_HTTP1.test(`${code} ${message}`) || code.startsWith('HPE_');
}

function refusal(
  url: string,
  error: NodeJS.ErrnoException,
  isLate: boolean,
  isAnswering: boolean,
  timeout: Ms,
): QuiesceError {
  const { code = '', message } = error;
  const cause = { cause: error };
  if (isLate) return new QuiesceError(isAnswering ? 'capacity-endless' : 'no-answer', { url, timeout }, cause);
  if (code === 'ECONNREFUSED') return new QuiesceError('connection-refused', { url, detail: code }, cause);
  if (isOtherProtocol(error)) {
    return new QuiesceError('capacity-http2', { url, detail: code || message }, cause);
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT/.test(code)) {
    return new QuiesceError('tls-invalid', { url, detail: code }, cause);
  }
  return new QuiesceError('connection-failed', { url, detail: code || message }, cause);
}
