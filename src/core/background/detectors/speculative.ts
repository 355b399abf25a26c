import type { Detector } from '../../../model/background/verdict.ts';
import type { Header } from '../../../model/network/network.ts';
import type { Request } from '../../../model/network/timeline.ts';
import { perObject } from '../../per-object.ts';
import { withoutHash } from '../../requests/address-parts.ts';

/**
 * What the browser fetches for a page that is not there yet. What this page reads after all brought content: the request
 * that reads it is answered from a cache. Source: https://wicg.github.io/nav-speculation/
 */
export const speculative: Detector = {
  detect: ({ requests }) => {
    const ahead = requests.filter(isSpeculative);
    if (ahead.length === 0) return [];
    const read = requests.filter((request) => request.response?.fromCache !== undefined && !isSpeculative(request));
    const isRead = ({ url, startedAt }: Request): boolean =>
      read.some((each) => each.startedAt >= startedAt && withoutHash(each.url) === withoutHash(url));
    return ahead
      .filter((request) => !isRead(request))
      .map((request) => ({
        requestId: request.id,
        kind: 'speculative',
        reason: { code: 'fetched-ahead' },
        confidence: 'certain',
      }));
  },
};

function isSpeculative(request: Request): boolean {
  return hasPrefetchHeader(request.requestHeaders) || (request.type === 'prefetch' && !request.mainDocument);
}

/**
 * Browsers say it in `Sec-Purpose`, scripts in `Purpose` and `X-Purpose`, and routers in headers of their own, which name
 * it: `Next-Router-Prefetch: 1`, `X-Moz: prefetch`, `HX-Preloaded: true`.
 */
function saysPrefetch({ name, value }: Header): boolean {
  if (/^(?:(?:x-)?(?:sec-)?purpose|x-moz)$/i.test(name)) return /prefetch|prerender/i.test(value);
  return /(?:^|-)(?:prefetch|prerender|preloaded)(?:-|$)/i.test(name) && !/^(?:|0|false)$/i.test(value.trim());
}

const hasPrefetchHeader = perObject((headers: readonly Header[]) => headers.some(saysPrefetch));
