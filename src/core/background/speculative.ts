import type { Header } from '../../model/network.ts';
import type { Request } from '../../model/timeline.ts';
import type { Detector } from '../../model/verdict.ts';

/** What the browser fetches for a page that is not there yet. Source: https://wicg.github.io/nav-speculation/ */
export const speculative: Detector = {
  detect: (timeline) =>
    timeline.requests.filter(isSpeculative).map((request) => ({
      requestId: request.id,
      kind: 'speculative',
      reason: { code: 'fetched-ahead' },
      confidence: 'certain',
    })),
};

function isSpeculative(request: Request): boolean {
  if (request.mainDocument && !purposeOf(request)) return false;
  return request.type === 'prefetch' || purposeOf(request);
}

/** Headers are looked at with every judgement; they seldom change. */
const known = new WeakMap<readonly Header[], boolean>();

function purposeOf({ requestHeaders }: Request): boolean {
  const before = known.get(requestHeaders);
  if (before !== undefined) return before;
  const isPurpose = requestHeaders.some(
    ({ name, value }) => /^(?:sec-)?purpose$/i.test(name) && /prefetch|prerender/i.test(value),
  );
  known.set(requestHeaders, isPurpose);
  return isPurpose;
}
