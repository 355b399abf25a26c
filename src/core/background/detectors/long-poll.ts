import type { VerdictReason } from '../../../model/background/reason.ts';
import type { Detector, Observation, Verdict } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import { callSiteOf } from '../../requests/initiators.ts';
import { HALF } from '../../time/lags.ts';
import { median } from '../../time/median.ts';
import { endOf } from '../../timeline/inflight.ts';
import { askedAgainWithin, rhythmOf } from '../rhythm.ts';
import { isStream } from '../series.ts';
import { countsPages } from './paging.ts';
import { isPersistentPolling } from './persistent-polling.ts';

/**
 * An answer held back at least this long was withheld, not slow, when the same is asked again at once, and how often
 * that must have been seen: the shorter, the more often. Source of the shorter one: sockets that fall back to polling
 * and are kept alive every second.
 */
const HABITS = [
  { heldMs: 1_500, times: 2 },
  { heldMs: 400, times: 4 },
] as const;
/**
 * The Comet model: the server withholds its answer until there is news; the client then asks again at once. What was
 * answered at once before the first withheld answer is content: the state from which news are counted.
 */
export const longPoll: Detector = {
  detect: (timeline, observation, series) =>
    series.flatMap(({ requests }): readonly Verdict[] => {
      const [first] = requests;
      const background = longPolled(requests, timeline, observation);
      if (!first || background.length === 0) return [];
      const reason = reasonOf(background, timeline);
      const decidedAt = Math.max(first.startedAt + observation.suspectMs, knownToGoOnBy(background));
      return background.map((request) => ({
        requestId: request.id,
        kind: 'long-poll',
        reason,
        confidence: 'likely',
        decidedAt,
      }));
    }),
};

/** By when the next question must have come: a list that is loaded page by page ends with an answer, too. */
function knownToGoOnBy(chain: readonly Request[]): Ms {
  const last = chain.at(-1);
  return last?.endedAt === undefined ? 0 : last.endedAt + askedAgainWithin(last);
}

/** The part of a series that is a long poll; empty when it is none. */
export function longPolled(
  series: readonly Request[],
  timeline: Timeline,
  observation: Observation,
): readonly Request[] {
  const [first] = series;
  if (!first || isStream(first) || countsPages(series)) return [];
  const chain = chainAtTheEnd(series, timeline);
  for (const { heldMs, times } of HABITS) {
    const isShort = heldMs < HABITS[0].heldMs;
    // What the page soon gives up for something else, the server may have answered soon: each letter of a word is searched for.
    const kept = isShort ? chain.filter(({ outcome, response }) => outcome !== 'canceled' || response) : chain;
    const withheld = kept.map((request) => holdOf(request, timeline)).filter((hold) => hold >= heldMs);
    if (withheld.length < times) continue;
    const notAtOnce = Math.min(heldMs, HALF * median(withheld));
    return chain.slice(chain.findIndex((request) => holdOf(request, timeline) >= notAtOnce));
  }
  return isMostlyWaiting(chain) && isPersistentPolling(chain, timeline, observation) ? chain.slice(1) : [];
}

/** Waits for answers longer than it pauses between them; the other way round it is a quick poll. */
function isMostlyWaiting(chain: readonly Request[]): boolean {
  const { holds, pauses } = rhythmOf(chain);
  return median(holds) > median(pauses);
}

/** The end of a series in which each request follows its predecessor's answer at once; empty when it has stopped. */
function chainAtTheEnd(series: readonly Request[], timeline: Timeline): readonly Request[] {
  const last = series.at(-1);
  // A series that stopped has brought what it was asked for: that is content.
  if (!last || (last.endedAt !== undefined && timeline.observedUntil - last.endedAt > askedAgainWithin(last)))
    return [];
  const chain: Request[] = [last];
  for (let i = series.length - 2; i >= 0; i -= 1) {
    const earlier = series[i];
    const later = chain[0];
    if (!earlier || !later) break;
    const gap = later.startedAt - endOf(earlier);
    if (gap < -1 || gap > askedAgainWithin(earlier)) break;
    chain.unshift(earlier);
  }
  return chain;
}

function holdOf(request: Request, timeline: Timeline): Ms {
  return Math.min(endOf(request), timeline.observedUntil) - request.startedAt;
}

function reasonOf(chain: readonly Request[], timeline: Timeline): VerdictReason {
  const answered = chain.filter((request) => request.endedAt !== undefined);
  const held = median((answered.length > 0 ? answered : chain).map((request) => holdOf(request, timeline)));
  const last = chain.at(-1);
  return { code: 'answer-held-back', times: chain.length, held, ...(last ? callSiteOf(last) : {}) };
}
