import type { Detector } from '../../../model/background/verdict.ts';
import type { Header } from '../../../model/network/network.ts';
import type { Request } from '../../../model/network/timeline.ts';
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
  if (request.mainDocument && !purposeOf(request)) return false;
  return request.type === 'prefetch' || purposeOf(request);
}

/**
 * Browsers say it in `Sec-Purpose`, scripts in `Purpose` and `X-Purpose`, and routers in headers of their own, which name
 * it: `Next-Router-Prefetch: 1`, `X-Moz: prefetch`, `HX-Preloaded: true`.
 */
function saysPrefetch({ name, value }: Header): boolean {
  if (/^(?:(?:x-)?(?:sec-)?purpose|x-moz)$/i.test(name)) return /prefetch|prerender/i.test(value);
  return /(?:^|-)(?:prefetch|prerender|preloaded)(?:-|$)/i.test(name) && !/^(?:|0|false)$/i.test(value.trim());
}

/** Headers are looked at with every judgement; they seldom change. */
const known = new WeakMap<readonly Header[], boolean>();

function purposeOf({ requestHeaders }: Request): boolean {
  const before = known.get(requestHeaders);
  if (before !== undefined) return before;
  const isPurpose = requestHeaders.some(saysPrefetch);
  known.set(requestHeaders, isPurpose);
  return isPurpose;
}
