import type { Request } from '../../model/network/timeline.ts';
import type { Failure, LoadFault } from '../../model/result/failure.ts';
import { defined } from '../text/defined.ts';

/** Types of documents that are pages. Source: HTML, "navigate" – what else Chrome shows is wrapped in a viewer. */
const PAGE_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Why Chrome could not navigate, from its network error. Source: chromium net/base/net_error_list.h. */
export function navigationFault(url: string, errorText: string): LoadFault {
  const detail = errorText;
  if (/NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_/.test(errorText)) return { code: 'host-not-found', url };
  if (/CONNECTION_REFUSED/.test(errorText)) return { code: 'connection-refused', url, detail };
  if (/CERT_|SSL_|BAD_SSL|TLS/.test(errorText)) return { code: 'tls-invalid', url, detail };
  if (/TOO_MANY_REDIRECTS/.test(errorText)) return { code: 'redirect-loop', url, detail };
  if (/CONTENT_LENGTH_MISMATCH|INCOMPLETE_CHUNKED/.test(errorText)) return { code: 'truncated', url, detail };
  if (
    /CONNECTION_|EMPTY_RESPONSE|ADDRESS_|INTERNET_|NETWORK_|TIMED_OUT|SOCKET|PROTOCOL|INVALID_RESPONSE/.test(errorText)
  ) {
    return { code: 'connection-failed', url, detail };
  }
  return { code: 'navigation-failed', url, detail };
}

/** What is wrong with the document that came, if anything. */
export function documentFault(url: string, document: Request | undefined): LoadFault | undefined {
  const response = document?.response;
  if (!document || !response) return undefined;
  if (response.status >= 400) return { code: 'http-error', url, status: response.status };
  if (response.status === 204 || response.status === 205) {
    return { code: 'not-a-page', url, status: response.status };
  }
  const mimeType = response.mimeType.toLowerCase();
  if (mimeType !== '' && !PAGE_TYPES.has(mimeType)) return { code: 'not-a-page', url, detail: mimeType };
  if (document.outcome === 'failed') return defined({ code: 'truncated', url, detail: document.error });
  return undefined;
}

/** What a server says of a request, and not of the moment: too early, too late and too often are of the moment. */
const OF_THE_MOMENT: ReadonlySet<number> = new Set([408, 425, 429]);

/** Did the server refuse the page, as it will each time? */
export function isRefusal({ code, status = 0 }: Failure): boolean {
  return code === 'http-error' && status >= 400 && status < 500 && !OF_THE_MOMENT.has(status);
}

/** A page that is not found is not there; any other failure may be a fault of the build. */
export function isNotFound({ code, status }: Failure): boolean {
  return code === 'http-error' && (status === 404 || status === 410);
}

/** A page or a connection that died in the middle of something. */
const DIED: ReadonlySet<string> = new Set(['page-crashed', 'page-not-opened', 'connection-failed', 'truncated']);

/** May a load have failed by accident? What has no address or no page, or never answers, will not have it at once either. */
export function isAccident(failure: Failure): boolean {
  return DIED.has(failure.code) || (failure.code === 'http-error' && !isRefusal(failure));
}
