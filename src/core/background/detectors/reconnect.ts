import type { VerdictReason } from '../../../model/background/reason.ts';
import type { Detector, Verdict } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import { callSiteOf } from '../../requests/initiators.ts';
import { defined } from '../../text/defined.ts';
import { HABIT } from '../../time/lags.ts';
import { isAlive, rhythmOf } from '../rhythm.ts';
import { isStream } from '../series.ts';
import { mayBeByUser } from './by-user.ts';

/**
 * A socket, stream or request that fails and comes back again and again. One that gave up, or got through in the end,
 * is something the page wanted: that is content, or broken content.
 */
export const reconnect: Detector = {
  detect: (timeline, { suspectMs }, series) =>
    series.flatMap(({ requests }): readonly Verdict[] => {
      const attempts = failingAtTheEnd(requests);
      if (attempts.length < HABIT || !isAlive(attempts, timeline) || mayBeByUser(attempts, timeline)) return [];
      const reason = reasonOf(attempts, timeline);
      const [first] = attempts;
      return attempts.map((request) => ({
        requestId: request.id,
        kind: 'reconnect',
        reason,
        confidence: 'likely',
        // A question that is asked once more after it failed may still get its answer; a socket would stay anyway.
        ...(first && !isStream(first) && { decidedAt: first.startedAt + suspectMs }),
      }));
    }),
};

/** The attempts since the last success; the newest may still be under way. */
function failingAtTheEnd(requests: readonly Request[]): readonly Request[] {
  const lastSuccess = requests.findLastIndex(
    (request, i) => !hasFailed(request) && !(i === requests.length - 1 && isUnderWay(request)),
  );
  return requests.slice(lastSuccess + 1);
}

function isUnderWay(request: Request): boolean {
  return request.endedAt === undefined && request.messages.length === 0 && request.chunks.length === 0;
}

/** Refused, broken, or ended without having brought anything, which is a failure for what is made to stay open. */
function hasFailed(request: Request): boolean {
  if (request.outcome === 'failed' || request.outcome === 'lost') return true;
  if ((request.response?.status ?? 0) >= 400) return true;
  // Given up by the page before an answer came: a time limit of its own.
  if (request.outcome === 'canceled' && !request.response) return true;
  const staysOpen = request.type === 'websocket' || request.type === 'eventsource';
  return staysOpen && request.endedAt !== undefined && request.messages.every(({ direction }) => direction === 'sent');
}

function reasonOf(attempts: readonly Request[], { observedUntil }: Timeline): VerdictReason {
  const failed = attempts.find((each) => hasFailed(each) && (each.error ?? each.response?.status) !== undefined);
  const last = attempts.at(-1);
  return defined({
    code: 'keeps-failing',
    times: attempts.filter(hasFailed).length,
    within: observedUntil - (attempts[0]?.startedAt ?? 0),
    error: failed?.error,
    status: failed?.error === undefined ? failed?.response?.status : undefined,
    period: rhythmOf(attempts).period,
    ...(last ? callSiteOf(last) : {}),
  });
}
