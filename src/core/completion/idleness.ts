import type { Policy, Verdicts } from '../../model/background/verdict.ts';
import type { WaitingFor } from '../../model/completion/completion.ts';
import type { Mark, Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { saysUndone } from '../background/content/awaited-job.ts';
import { endpointOf } from '../background/endpoint.ts';
import { isWatched, marksOfDocument } from '../timeline/document-marks.ts';
import { endOf } from '../timeline/inflight.ts';

/** A stretch in which the network may be silent, and the page is not idle. It is waited for; it is no part of the time. */
export interface Activity {
  readonly from: Ms;
  /** Infinite while it goes on. */
  readonly to: Ms;
  readonly waitingFor: WaitingFor;
}

/**
 * What a silent network does not show: a main thread that runs a long task, a socket whose handshake is not answered, and a
 * job of which the server said that it is not done yet. What the page asks for next may depend on each.
 *
 * @param base when quiet may begin at the earliest
 */
export function activitiesOf(timeline: Timeline, verdicts: Verdicts, policy: Policy, base: Ms): readonly Activity[] {
  const { suspectMs, silentMs } = policy.observation;
  const tasks = timeline.marks.flatMap((mark): readonly Activity[] =>
    mark.name === 'main-thread-busy' && mark.since !== undefined
      ? // A page that computes for ever is not waited for: its tasks belong to its use.
        [{ from: Math.min(mark.since, base + suspectMs), to: Math.min(mark.at, base + suspectMs), waitingFor: TASK }]
      : [],
  );
  // Files of other tools seldom say when a socket was accepted.
  const handshakes = isWatched(timeline)
    ? timeline.requests.filter((request) => isAwaitedSocket(request, verdicts))
    : [];
  return [
    ...tasks,
    ...handshakes.map((request): Activity => {
      const answeredAt = Math.min(request.response?.at ?? Number.POSITIVE_INFINITY, endOf(request));
      const patienceEnds = request.startedAt + silentMs;
      const isOver = answeredAt <= timeline.observedUntil || patienceEnds <= timeline.observedUntil;
      return {
        from: request.startedAt,
        to: isOver ? Math.min(answeredAt, patienceEnds) : Number.POSITIVE_INFINITY,
        waitingFor: { code: 'handshake', endpoint: endpointOf(request).label },
      };
    }),
    ...jobsIn(timeline, verdicts, suspectMs),
  ];
}

/**
 * The pauses between the questions after a job, where the server said that it had accepted it and not done it yet. Who asked
 * twice asks again.
 *
 * @param patience how long the next question is waited for, ms
 */
function jobsIn({ requests, observedUntil }: Timeline, verdicts: Verdicts, patience: Ms): readonly Activity[] {
  const asked = requests.filter(({ method, fromPreviousDocument }) => method === 'GET' && !fromPreviousDocument);
  const undone = asked.filter((each) => saysUndone(each) && !verdicts.has(each.id) && each.endedAt !== undefined);
  const byEndpoint = Map.groupBy(undone, (request) => endpointOf(request).key);
  return [...byEndpoint].flatMap(([key, answers]) => {
    if (answers.length < 2) return [];
    return answers.map((answer): Activity => {
      const from = endOf(answer);
      const next = asked.find((each) => each.startedAt >= from && endpointOf(each).key === key);
      const to = next?.startedAt ?? (observedUntil < from + patience ? Number.POSITIVE_INFINITY : from + patience);
      return { from, to, waitingFor: { code: 'endpoint', endpoint: endpointOf(answer).label } };
    });
  });
}

const TASK: WaitingFor = { code: 'main-thread' };

/** A socket that may still bring content. What the user named, or other runs saw to bring nothing, is not waited for. */
function isAwaitedSocket(request: Request, verdicts: Verdicts): boolean {
  if (request.type !== 'websocket' && request.type !== 'webtransport') return false;
  if (request.fromPreviousDocument || request.outcome === 'blocked') return false;
  const verdict = verdicts.get(request.id);
  return verdict !== undefined && verdict.kind !== 'user' && verdict.kind !== 'reconnect' && verdict.impact !== 'none';
}

/**
 * When the page had painted something that counts: a page that has painted nothing is not complete, whatever its network
 * does. Undefined while that is awaited; `base` where nobody tells, and of a page that paints nothing at all, which whole
 * loads have found out for those that end early.
 *
 * @param marks of the document that is there now
 */
export function paintedAt(
  marks: readonly Mark[],
  { observedUntil }: Timeline,
  policy: Policy,
  base: Ms,
): Ms | undefined {
  if (!isBlank(marks)) return marks.find(isFirstPaint)?.at ?? base;
  const isExpected = policy.expected?.patterns.every(({ blank }) => blank) ?? false;
  return isExpected || observedUntil >= base + policy.observation.suspectMs ? base : undefined;
}

/** Chrome reports no paint of what becomes visible by its opacity or its place alone: there the film shows it. */
const isFirstPaint = ({ name }: Mark): boolean => name === 'first-contentful-paint' || name === 'content-visible';

/** Does only a film tell that the document shows anything? Loads that are not filmed would wait for its first paint in vain. */
export function isSeenInFilmOnly(timeline: Pick<Timeline, 'marks'>): boolean {
  const painted = marksOfDocument(timeline).filter(isFirstPaint);
  return painted.length > 0 && painted.every(({ name }) => name === 'content-visible');
}

/** Has the document painted nothing so far? False where nobody tells. */
export function isBlank(marks: readonly Mark[]): boolean {
  return isWatched({ marks }) && !marks.some(isFirstPaint);
}
