import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { ANOTHER_ORDER, GOES_ON_WITHIN_MS, MARGIN, SMALL_PART } from '../time/lags.ts';
import { median } from '../time/median.ts';
import { isFailed } from '../timeline/failed.ts';
import { endOf, lastSignOfLife } from '../timeline/inflight.ts';

/**
 * A series is over when its next request is overdue: by its usual interval, and by this much against its longest so far. Jitter
 * and back-off reach a little further each time.
 */
const OVERDUE_LONGEST = 1.25;

/** The same as a share of how long the answer was held: who waited long may pause a little. Below it, it is a poll. */
const ASKED_AGAIN_SHARE = 1 / 3;

/** When the requests of a series were started, and what lies between them, ms. */
export interface Rhythm {
  /** From start to start; one fewer than there are requests. */
  readonly intervals: readonly number[];
  /** From an answer to the next question. */
  readonly pauses: readonly number[];
  /** From a question to its answer, for those that were answered. */
  readonly holds: readonly number[];
  /** The usual interval. */
  readonly period: number;
  /** How far intervals usually are from it. */
  readonly deviation: number;
}

/** The rhythm of requests in order of start. */
export function rhythmOf(requests: readonly Request[]): Rhythm {
  const intervals = requests.slice(1).map((request, i) => request.startedAt - (requests[i]?.startedAt ?? 0));
  const pauses = requests.slice(1).map((request, i) => pauseBetween(requests[i], request));
  const holds = requests.filter((each) => each.endedAt !== undefined).map((each) => endOf(each) - each.startedAt);
  const period = median(intervals);
  return { intervals, pauses, holds, period, deviation: median(intervals.map((each) => Math.abs(each - period))) };
}

/** Does it come as a timer makes it come: evenly, evenly after each answer, or ever more slowly (back-off)? */
export function isSteady({ intervals, pauses }: Rhythm): boolean {
  return isEven(intervals) || isEven(pauses) || backsOff(intervals);
}

/** Does it come as a timer makes it come, with pauses? A chain of dependent requests leaves none. */
export function keepsTime(rhythm: Rhythm): boolean {
  return isSteady(rhythm) && median(rhythm.pauses) >= SMALL_PART * rhythm.period;
}

/** May the next request still come at `timeline.observedUntil`? One that is not answered yet keeps a series alive. */
export function isAlive(requests: readonly Request[], timeline: Timeline): boolean {
  const last = requests.at(-1);
  return last !== undefined && (last.endedAt === undefined || timeline.observedUntil <= nextBy(requests));
}

/** When the next request is overdue: the series is over then. */
export function nextBy(requests: readonly Request[]): Ms {
  const last = requests.at(-1);
  if (!last) return 0;
  const { intervals, period } = rhythmOf(requests);
  const backingOff = backsOff(intervals) && !isRetriedUntilAnswered(requests) ? (intervals.at(-1) ?? 0) * 2 : 0;
  const longest = Math.max(0, ...intervals);
  return last.startedAt + Math.max(MARGIN * Math.max(period, backingOff), OVERDUE_LONGEST * longest);
}

/** Was it only asked again because it failed each time before? Then the answer is what was waited for. */
export function isRetriedUntilAnswered(requests: readonly Request[]): boolean {
  const last = requests.at(-1);
  return last?.outcome === 'finished' && !isFailed(last) && requests.slice(0, -1).every(isFailed);
}

/** Are values for the most part no farther from the middle one than a share of it? */
export function isEven(values: readonly number[], jitter: number = SMALL_PART): boolean {
  const middle = median(values);
  return middle > 0 && median(values.map((each) => Math.abs(each - middle))) <= jitter * middle;
}

/** 1, 2, 4 … or 1, 1.5, 2.25 …: each interval longer than the one before, none out of all proportion. */
function backsOff(intervals: readonly number[]): boolean {
  if (intervals.length < 2) return false;
  return intervals.slice(1).every((each, i) => {
    const before = intervals[i] ?? 0;
    return each > before * 1.1 && each < before * ANOTHER_ORDER;
  });
}

/** The silence between an answer and the next question; an unanswered one leaves none. */
function pauseBetween(before: Request | undefined, request: Request): number {
  // An answer that nobody reads to its end has no end; that it came is what counts.
  if (!before?.response && before?.endedAt === undefined) return 0;
  return Math.max(0, request.startedAt - lastSignOfLife(before));
}

/** How soon after the end of a request the same is asked again by who asks again at once, ms. */
export function askedAgainWithin(request: Request): Ms {
  return Math.max(GOES_ON_WITHIN_MS, ASKED_AGAIN_SHARE * (endOf(request) - request.startedAt));
}
