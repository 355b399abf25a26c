import type { Request, Timeline } from '../../model/timeline.ts';
import type { Detector } from '../../model/verdict.ts';
import { endOf } from '../timeline/inflight.ts';

/**
 * What a service worker fetches for its own cache: its script, what it stores when it is installed, and the copies that
 * it renews after it has answered from the cache. What a request of the page waits for is content.
 * Source: https://w3c.github.io/ServiceWorker/
 */
export const serviceWorker: Detector = {
  detect: (timeline) =>
    timeline.requests.flatMap((request) => {
      const what = isScript(request)
        ? ('script' as const)
        : request.target === 'service-worker' && !isAwaited(request, timeline)
          ? ('cache' as const)
          : undefined;
      return what
        ? [
            {
              requestId: request.id,
              kind: 'service-worker',
              reason: { code: 'own-cache', what },
              confidence: 'certain',
            },
          ]
        : [];
    }),
};

/** Browsers send "Service-Worker: script" with the worker's own script, and only then. */
function isScript({ requestHeaders }: Request): boolean {
  return requestHeaders.some(
    ({ name, value }) =>
      (name.toLowerCase() === 'service-worker' && value === 'script') ||
      (name.toLowerCase() === 'sec-fetch-dest' && value === 'serviceworker'),
  );
}

/**
 * Was a request of the page open when the worker asked, and answered no sooner than the worker was? Then the worker may
 * have asked for it, under whatever address.
 */
function isAwaited(request: Request, { requests }: Timeline): boolean {
  const answeredAt = request.response?.at ?? endOf(request);
  return requests.some(
    (each) =>
      each.target !== 'service-worker' &&
      !each.fromPreviousDocument &&
      each.startedAt <= request.startedAt &&
      (each.response ? each.response.fromServiceWorker === true : true) &&
      (each.response?.at ?? endOf(each)) >= answeredAt,
  );
}
