import type { Request } from '../../../model/network/timeline.ts';
import type { Visit } from '../../../model/network/visit.ts';
import type { Ms } from '../../../model/units.ts';
import { HABIT, PATIENCE } from '../../time/lags.ts';
import { isAnsweredEmpty } from '../empty-answer.ts';
import { endpointOf } from '../endpoint.ts';
import { partsOf } from './source.ts';

/** What scripts ask for data by. */
const DATA: ReadonlySet<Request['type']> = new Set(['fetch', 'xhr', 'websocket', 'eventsource', 'script']);

/**
 * Did the page ask another way for what was held back? A client whose socket is not answered goes on polling, and tries
 * another address after a time-out. Then the page is the same without what was held, and that proves nothing: in the whole
 * load the content came by it.
 *
 * @param without the load in which `held` was held back
 */
export function cameAnotherWay(
  whole: Visit,
  without: Visit,
  held: readonly { readonly requests: readonly Request[] }[],
): boolean {
  const keys = new Set(held.flatMap(({ requests }) => requests.map((each) => endpointOf(each).key)));
  const until = Math.min(whole.timeline.observedUntil, without.timeline.observedUntil);
  const before = askedFor(whole, until);
  return [...askedFor(without, until)].some(([key, times]) => {
    const known = before.get(key) ?? 0;
    // A poll whose rhythm is a little quicker does not ask twice as often.
    return !keys.has(key) && (known === 0 || (times >= known * PATIENCE.factor && times >= known + HABIT));
  });
}

/** How often each endpoint was asked for data, and answered with any. */
function askedFor({ timeline }: Visit, until: Ms): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const request of timeline.requests) {
    const { type, startedAt, response, fromPreviousDocument } = request;
    if (!DATA.has(type) || !response || fromPreviousDocument || startedAt > until) continue;
    if (isAnsweredEmpty(request) || (type === 'websocket' && partsOf(request).length === 0)) continue;
    const { key } = endpointOf(request);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return times;
}
