import type { Detector } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import { withoutHash } from '../../requests/address-parts.ts';
import { LONGEST_PAUSE_MS, USUAL_WINDOW_MS } from '../../time/lags.ts';
import { endOf } from '../../timeline/inflight.ts';

/**
 * What a service worker fetches for its own cache: its script, what it stores when it is installed, and the copies that
 * it renews after it has answered from the cache. What the page waits for is content.
 * Source: https://w3c.github.io/ServiceWorker/
 */
export const serviceWorker: Detector = {
  detect: (timeline) => {
    const own = ownOf(timeline);
    if (own.length === 0) return [];
    const waitedUntil = installationAwaited(own, timeline);
    return own
      .filter((request) => endOf(request) > waitedUntil && isForItself(request, timeline))
      .map((request) => ({
        requestId: request.id,
        kind: 'service-worker',
        reason: { code: 'own-cache', what: isScript(request) ? 'script' : 'cache' },
        // Where nobody wrote down who asked, it is known by what else was asked for.
        confidence: request.initiator === undefined && !isScript(request) ? 'likely' : 'certain',
      }));
  },
};

/**
 * What a worker was installed with, and the page then read or waited for: it looks like the worker's own until the page
 * asks for it.
 */
export function installedForPage(timeline: Timeline): readonly Request[] {
  const own = ownOf(timeline);
  const waitedUntil = own.length === 0 ? 0 : installationAwaited(own, timeline);
  return own.filter((request) => endOf(request) <= waitedUntil && isForItself(request, timeline));
}

function ownOf({ requests }: Timeline): readonly Request[] {
  return requests.filter((request) => isScript(request) || request.target === 'service-worker');
}

function isForItself(request: Request, timeline: Timeline): boolean {
  return !isAwaited(request, timeline) && !isEarly(request, timeline);
}

/**
 * A worker's script that came before the last of the page moves nothing: it is fetched like any other. What the page asks for
 * after a silence is not of its coming.
 */
function isEarly(request: Request, { requests }: Timeline): boolean {
  if (!isScript(request)) return false;
  const until = endOf(request) + USUAL_WINDOW_MS;
  const isOfPage = (each: Request): boolean => each.target === 'page' && each.type !== 'ping' && !isScript(each);
  return requests.some((each) => isOfPage(each) && endOf(each) > endOf(request) && each.startedAt <= until);
}

/** Browsers send "Service-Worker: script" with the worker's own script, and only then. */
function isScript({ requestHeaders }: Request): boolean {
  return requestHeaders.some(
    ({ name, value }) =>
      (name.toLowerCase() === 'service-worker' && value === 'script') ||
      (name.toLowerCase() === 'sec-fetch-dest' && value === 'serviceworker'),
  );
}

/**
 * When the page asked through a worker that it had waited for, or for what the worker had fetched before; what the worker
 * was installed with by then is content.
 */
function installationAwaited(own: readonly Request[], { requests }: Timeline): Ms {
  const through = requests.findLast((request) => {
    if (request.target === 'service-worker' || request.response?.fromServiceWorker !== true) return false;
    return own.some((each) => isAskedSoonAfter(request, each) || isReadFrom(request, each, own));
  });
  return through?.startedAt ?? Number.NEGATIVE_INFINITY;
}

/** Between the last byte that a worker is installed with and a request through it lie its activation and two messages. */
function isAskedSoonAfter({ startedAt }: Request, before: Request): boolean {
  return endOf(before) <= startedAt && startedAt - endOf(before) <= LONGEST_PAUSE_MS;
}

/** Is the answer to the page the one that the worker had fetched before, and not one that it fetched for it? */
function isReadFrom(request: Request, fetched: Request, own: readonly Request[]): boolean {
  const isSame = (each: Request): boolean => withoutHash(each.url) === withoutHash(request.url);
  const pause = request.startedAt - endOf(fetched);
  if (pause < 0 || pause > USUAL_WINDOW_MS || !isSame(fetched)) return false;
  const answeredAt = request.response?.at ?? endOf(request);
  return !own.some(
    (each) => isSame(each) && each.startedAt >= request.startedAt && (each.response?.at ?? endOf(each)) <= answeredAt,
  );
}

/**
 * Was a request of the page open when the worker asked, and answered no sooner than the worker was? Then the worker may
 * have asked for it, under whatever address.
 */
function isAwaited(request: Request, { requests }: Timeline): boolean {
  if (isScript(request)) return false;
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
