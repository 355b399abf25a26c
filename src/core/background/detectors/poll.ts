import type { VerdictReason } from '../../../model/background/reason.ts';
import type { Detector, Verdict } from '../../../model/background/verdict.ts';
import type { Request } from '../../../model/network/timeline.ts';
import { callSiteOf, timerOf } from '../../requests/initiators.ts';
import { HABIT, LONGEST_PAUSE_MS, ONE_MOMENT_MS } from '../../time/lags.ts';
import { median } from '../../time/median.ts';
import { isFailed } from '../../timeline/failed.ts';
import { saysUndone } from '../content/awaited-job.ts';
import { isAlive, isRetriedUntilAnswered, isSteady, keepsTime, type Rhythm, rhythmOf } from '../rhythm.ts';
import { isStream } from '../series.ts';
import { mayBeByUser } from './by-user.ts';
import { longPolled } from './long-poll.ts';
import { isPersistentPolling } from './persistent-polling.ts';

/**
 * A question asked again and again by a timer. The first answer is content; what repeats after it is background. A
 * series that has stopped was waiting for something that then came, so it is content altogether.
 */
export const poll: Detector = {
  detect: (timeline, observation, series) =>
    series.flatMap(({ requests }): readonly Verdict[] => {
      const rounds = askedTogether(requests);
      const heads = rounds.flatMap(([head]) => head ?? []);
      const [first] = heads;
      if (!first || isStream(first) || !isAlive(heads, timeline)) return [];
      if (isRetriedUntilAnswered(requests) || mayBeByUser(heads, timeline)) return [];
      // What was answered at once before it is the state from which a long poll counts: content.
      if (longPolled(requests, timeline, observation).length > 0) return [];
      const rhythm = rhythmOf(heads);
      const relentless = isPersistentPolling(heads, timeline, observation);
      if (!relentless && !isTimed(heads, rhythm)) return [];
      const reason = reasonOf(requests, rhythm);
      const confidence = relentless && !isSteady(rhythm) ? 'possible' : 'likely';
      const decidedAt = first.startedAt + observation.suspectMs;
      const background = rounds.slice(contentIn(heads)).flat();
      return background.map(({ id }) => ({ requestId: id, kind: 'poll', reason, confidence, decidedAt }));
    }),
};

/**
 * The requests by rounds. At one address several questions may be asked at once, which only their bodies tell apart: those of the
 * panels of a dashboard. A round of one is the usual case.
 */
function askedTogether(requests: readonly Request[]): readonly (readonly Request[])[] {
  const rounds: Request[][] = [];
  for (const request of requests) {
    const round = rounds.at(-1) ?? [];
    const last = round.at(-1);
    const text = request.postBody?.text;
    const isOther = text !== undefined && round.every(({ postBody }) => postBody?.text !== text);
    if (last && isOther && request.startedAt - last.startedAt <= ONE_MOMENT_MS) round.push(request);
    else rounds.push([request]);
  }
  return rounds;
}

/**
 * How many of the requests are content: the first, or up to the result where what came before it is none: the server says that it
 * is not done yet, or fails.
 */
function contentIn(requests: readonly Request[]): number {
  // Asking again without having read the first answer shows that nothing waits for it.
  if (requests[0]?.endedAt === undefined) return 0;
  const result = requests.findIndex((request) => !saysUndone(request) && !isFailed(request));
  return result > 0 && requests[result]?.endedAt !== undefined ? result + 1 : 1;
}

function isTimed(requests: readonly Request[], rhythm: Rhythm): boolean {
  // setInterval promises to come back: seeing it do so once is enough.
  if (requests.slice(1).every((each) => timerOf(each.initiator) === 'setInterval')) return true;
  // A script that begins may ask the same a few times at once.
  const lasted = rhythm.intervals.reduce((sum, each) => sum + each, 0);
  return requests.length >= HABIT && lasted >= LONGEST_PAUSE_MS && keepsTime(rhythm);
}

function reasonOf(requests: readonly Request[], { period, deviation }: Rhythm): VerdictReason {
  const last = requests.at(-1);
  const from = last ? callSiteOf(last) : {};
  return { code: 'asked-repeatedly', times: requests.length, period, deviation, ...from, ...sizeOf(requests) };
}

/** How large the answers were; empty when none is known. */
function sizeOf(requests: readonly Request[]): Pick<Extract<VerdictReason, { code: 'asked-repeatedly' }>, 'size'> {
  const known = requests.filter((request) => request.outcome === 'finished').map((request) => request.contentSize);
  if (known.length === 0) return {};
  const same = known.every((size) => size === known[0]);
  return { size: { bytes: Math.round(median(known)), same } };
}
