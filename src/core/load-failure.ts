import type { Failure } from '../model/result.ts';
import type { Request } from '../model/timeline.ts';
import { type Details, type MessageCode, messageFor } from './messages.ts';

/** Types of documents that are pages. Source: HTML, "navigate" – what else Chrome shows is wrapped in a viewer. */
const PAGE_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** A failure with its line out of the table. */
export function failure(code: MessageCode, details: Details): Failure {
  return { code, message: messageFor(code, details) };
}

/** Why Chrome could not navigate, from its network error. Source: chromium net/base/net_error_list.h. */
export function navigationFailure(url: string, errorText: string): Failure {
  const detail = errorText;
  if (/NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_/.test(errorText)) return failure('host-not-found', { url });
  if (/CONNECTION_REFUSED/.test(errorText)) return failure('connection-refused', { url, detail });
  if (/CERT_|SSL_|BAD_SSL|TLS/.test(errorText)) return failure('tls-invalid', { url, detail });
  if (/TOO_MANY_REDIRECTS/.test(errorText)) return failure('redirect-loop', { url, detail });
  if (/CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED/.test(errorText)) return failure('truncated', { url, detail });
  if (
    /CONNECTION_|EMPTY_RESPONSE|ADDRESS_|INTERNET_|NETWORK_|TIMED_OUT|SOCKET|PROTOCOL|INVALID_RESPONSE/.test(errorText)
  ) {
    return failure('connection-failed', { url, detail });
  }
  return failure('navigation-failed', { url, detail });
}

/** What is wrong with the document that came, if anything. */
export function documentFailure(url: string, document: Request | undefined): Failure | undefined {
  const response = document?.response;
  if (!document || !response) return undefined;
  if (response.status >= 400) return failure('http-error', { url, status: response.status });
  if (response.status === 204 || response.status === 205) {
    return failure('not-a-page', { url, detail: `an empty answer (HTTP ${response.status})` });
  }
  const mimeType = response.mimeType.toLowerCase();
  if (mimeType !== '' && !PAGE_TYPES.has(mimeType)) return failure('not-a-page', { url, detail: mimeType });
  if (document.outcome === 'failed') return failure('truncated', { url, detail: document.error ?? 'unknown error' });
  return undefined;
}
