import type { Request, Timeline } from '../../../model/network/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import { timerOf } from '../../requests/initiators.ts';
import { USUAL_WINDOW_MS } from '../../time/lags.ts';
import { endpointOf, TIME_IN_NAME } from '../endpoint.ts';
import { isEven, rhythmOf } from '../rhythm.ts';

/** How far, as a share of it, the interval of a timer is from the usual one. */
const TIMER_UNEVEN = 0.05;

/**
 * May somebody who used the page have caused these requests: by scrolling, typing or clicking? Each asks something else, or sends
 * once more what the server rejects; all but the first long after the page was loaded, no timer is known to have asked, and they do
 * not come as evenly as a timer lets them come.
 *
 * @param requests of one endpoint, in order of start
 */
export function mayBeByUser(requests: readonly Request[], { marks }: Timeline): boolean {
  const markedAt = (mark: string): Ms | undefined => marks.findLast(({ name }) => name === mark)?.at;
  // Not every file of another tool has the load event.
  const loadAt = markedAt('load') ?? markedAt('dom-content-loaded');
  if (loadAt === undefined || requests.length < 2) return false;
  const isLate = ({ startedAt }: Request): boolean => startedAt >= loadAt + USUAL_WINDOW_MS;
  if (!requests.slice(1).every((each) => isLate(each) && timerOf(each.initiator) === undefined)) return false;
  const { intervals, pauses } = rhythmOf(requests);
  const isTimed = [intervals, pauses].some((each) => isEven(each, TIMER_UNEVEN));
  return !isTimed && (areDifferent(requests) || requests.every(isRejected));
}

/** What was wrong with it: a form that is not filled in well. Programs ask for what fails otherwise. */
function isRejected({ method, response }: Request): boolean {
  return method !== 'GET' && REJECTED.has(response?.status ?? 0);
}

/** Source: RFC 9110, 15.5: the request, who sends it, or its content. */
const REJECTED: ReadonlySet<number> = new Set([400, 401, 403, 409, 422]);

/** Names of what only keeps an answer from being taken out of a cache. */
const CACHE_BUSTER = /^(?:_|ts?|time(?:stamp)?|now|r|rnd|rand(?:om)?|cb|nc|nonce|no-?cache|cache-?bust(?:er)?)$/i;

/** Are these different questions, each asked once? The time at which it is asked makes no other question of one. */
function areDifferent(requests: readonly Request[]): boolean {
  const [first] = requests;
  const names = [...(first ? endpointOf(first).values.keys() : [])].filter(
    (name) => !CACHE_BUSTER.test(name) && !isClock(name, requests),
  );
  const asked = requests.map((request) => {
    const { key, values } = endpointOf(request);
    return JSON.stringify([key, names.map((name) => values.get(name)), request.postBody?.text]);
  });
  return new Set(asked).size === requests.length;
}

/** Does a part of the address tell the time? It goes on with the requests; a place in a list of older ones goes back. */
function isClock(name: string, requests: readonly Request[]): boolean {
  const times = requests.map((each) => Number(endpointOf(each).values.get(name)?.match(TIME_IN_NAME)?.[0]));
  return times.every((time, i) => time >= (times[i - 1] ?? 0));
}
