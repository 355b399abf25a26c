import type { Request, Timeline } from '../../model/timeline.ts';
import type { Detector, Verdict } from '../../model/verdict.ts';
import { PATIENCE_MS } from './patience.ts';
import { isAlive, rhythmOf } from './rhythm.ts';
import { isStream, seriesOf } from './series.ts';
import { count, duration, origin } from './words.ts';

/** Attempts that make a habit. */
const MIN_ATTEMPTS = 3;

/**
 * A socket, stream or request that fails and comes back again and again. One that gave up, or got through in the end,
 * is something the page wanted: that is content, or broken content.
 */
export const reconnect: Detector = {
  name: 'reconnect',
  detect: (timeline) =>
    seriesOf(timeline).flatMap(({ requests }): readonly Verdict[] => {
      const attempts = failingAtTheEnd(requests);
      if (attempts.length < MIN_ATTEMPTS || !isAlive(attempts, timeline)) return [];
      const because = sentence(attempts, timeline);
      const [first] = attempts;
      return attempts.map((request) => ({
        requestId: request.id,
        kind: 'reconnect',
        because,
        confidence: 'likely',
        // A question that is asked once more after it failed may still get its answer; a socket would stay anyway.
        ...(first && !isStream(first) && { decidedAt: first.startedAt + PATIENCE_MS }),
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
  const staysOpen = request.type === 'websocket' || request.type === 'eventsource';
  return staysOpen && request.endedAt !== undefined && request.messages.every(({ direction }) => direction === 'sent');
}

function sentence(attempts: readonly Request[], { observedUntil }: Timeline): string {
  const statuses = new Set(attempts.flatMap((each) => (hasFailed(each) ? [each.error ?? each.response?.status] : [])));
  const reason = [...statuses].find((each) => each !== undefined);
  const failed = attempts.filter(hasFailed).length;
  const { period } = rhythmOf(attempts);
  const last = attempts.at(-1);
  return `failed ${count(failed, 'time')} in ${duration(observedUntil - (attempts[0]?.startedAt ?? 0))}${
    reason === undefined ? '' : ` (${reason})`
  } and came back, usually after ${duration(period)}${last ? origin(last) : ''}`;
}
