import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { LoadRequests } from '../../model/load.ts';
import type { Ms } from '../../model/units.ts';
import { QuiesceError } from '../../wording/messages.ts';

/** What one request showed before the load begins. */
export interface Preflight {
  readonly status: number;
  readonly contentType?: string;
  /** How long it took, with the connection. */
  readonly took: Ms;
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

/**
 * Asks once, and reads the whole answer: what cannot be answered once is not to be asked a thousand times. Rejects with a
 * `QuiesceError` for a server that refuses, breaks off, does not end, or speaks another protocol, and for a redirect.
 */
export async function askOnce(
  url: string,
  { method, headers, body, timeout }: Omit<LoadRequests, 'targets'>,
  ignoreCertificateErrors: boolean,
  signal: AbortSignal,
): Promise<Preflight> {
  const from = performance.now();
  const limit = AbortSignal.timeout(timeout);
  let isAnswering = false;
  try {
    const { status, type, location } = await new Promise<{
      status: number;
      type: string | undefined;
      location: string | undefined;
    }>((resolve, reject) => {
      const secure = url.startsWith('https:');
      const request = (secure ? https : http).request(url, {
        method,
        headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
        // Without a pool: the load makes its own connections.
        agent: false,
        signal: AbortSignal.any([signal, limit]),
        ...(secure && { rejectUnauthorized: !ignoreCertificateErrors, ALPNProtocols: ['http/1.1'] }),
      });
      request.once('error', reject);
      request.once('response', (response) => {
        isAnswering = true;
        response.once('error', reject);
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'],
            location: response.headers.location,
          }),
        );
        response.resume();
      });
      request.end(body);
    });
    if (status >= 300 && status < 400 && location !== undefined) {
      throw new QuiesceError('capacity-redirects', { url, detail: location });
    }
    return { status, took: performance.now() - from, ...(type !== undefined && { contentType: type }) };
  } catch (error) {
    if (error instanceof QuiesceError) throw error;
    signal.throwIfAborted();
    throw refusal(url, error as NodeJS.ErrnoException, limit.aborted, isAnswering, timeout);
  }
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
  if (NO_HTTP1.test(`${code} ${message}`) || code.startsWith('HPE_')) {
    return new QuiesceError('capacity-http2', { url, detail: code || message }, cause);
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT/.test(code)) {
    return new QuiesceError('tls-invalid', { url, detail: code }, cause);
  }
  return new QuiesceError('connection-failed', { url, detail: code || message }, cause);
}
