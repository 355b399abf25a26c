import type { Policy, Verdicts } from '../../model/background/verdict.ts';
import type { PageComplete, WaitingFor } from '../../model/completion/completion.ts';
import type { Mark, Request, Timeline } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { ForeignSource } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { endpointOf } from '../background/endpoint.ts';
import { type AssumedVerdicts, assumeContinuation, isLeftOpen } from './assume-continuation.ts';
import { FINISHED, judgeWith } from './complete.ts';

/**
 * The answer for a recording of another tool. It may lack the load event, the end of requests, and the silence at its end. So
 * what is not confirmed gets the best estimate that there is.
 */
export function answerOfForeign(
  complete: PageComplete,
  verdicts: Verdicts,
  timeline: Timeline,
  policy: Policy,
  { mayLeaveOutOpen }: ForeignSource,
): PageComplete {
  const isOpen = complete.state === 'complete' && isLeftOpen(timeline, verdicts, policy, mayLeaveOutOpen);
  const answer: PageComplete = isOpen ? { ...UNKNOWN, at: complete.at } : complete;
  return answer.state === 'complete'
    ? answer
    : withEstimate(answer, assumeContinuation(timeline, verdicts, policy, mayLeaveOutOpen), timeline, policy);
}

/** The visit as if the recording held all there was: what is asked of an answer can then be asked of an estimate. */
export function asIfEnded(visit: Visit, policy: Policy): Visit {
  const { foreign } = visit.recording;
  if (foreign === undefined || visit.complete.state === 'complete') return visit;
  const supposed = assumeContinuation(visit.timeline, visit.verdicts, policy, foreign.mayLeaveOutOpen);
  const closed = onlyWhatEnded(visit.timeline, supposed.verdicts, policy);
  return { ...visit, ...closed, complete: judgeWith(closed.verdicts, closed.timeline, policy, FINISHED) };
}

const UNKNOWN = { state: 'unconfirmed', waitingFor: [] } as const;

/** The same answer, with the time that the rule gives for what the recording does hold. */
function withEstimate(
  answer: PageComplete,
  { verdicts, questions }: AssumedVerdicts,
  timeline: Timeline,
  policy: Policy,
): PageComplete {
  if (answer.state === 'complete' || answer.state === 'pending' || policy.completeOn !== undefined) return answer;
  const closed = onlyWhatEnded(timeline, verdicts, policy);
  const said = judgeWith(closed.verdicts, closed.timeline, policy, FINISHED);
  if (said.state !== 'complete') return answer;
  // It was watched to the limit, and what did end was not quiet either.
  if (answer.state === 'never' && said.decidedAt > timeline.observedUntil) return answer;
  const missing = [...stillMissing(answer.waitingFor, verdicts, timeline, said.decidedAt), ...questions];
  return { state: 'unconfirmed', at: said.at, waitingFor: missing.length > 0 ? missing : [{ code: 'quiet-window' }] };
}

/** Of requests only those that are open: what broke the silence last is over. And silence only if it was not seen. */
function stillMissing(
  waitingFor: readonly WaitingFor[],
  verdicts: Verdicts,
  timeline: Timeline,
  decidedAt: Ms,
): readonly WaitingFor[] {
  const open = new Set(
    timeline.requests
      .filter(({ id, endedAt }) => endedAt === undefined && !verdicts.has(id))
      .map((request) => endpointOf(request).label),
  );
  return waitingFor.filter((each) => {
    if (each.code === 'endpoint') return open.has(each.endpoint);
    return each.code !== 'quiet-window' || decidedAt > timeline.observedUntil;
  });
}

/** The recording as if what it holds were all there was: no open requests, a load event, and silence at the end. */
function onlyWhatEnded(
  timeline: Timeline,
  verdicts: Verdicts,
  { quietWindow }: Policy,
): { readonly timeline: Timeline; readonly verdicts: Verdicts } {
  const requests = timeline.requests.filter(({ id, endedAt }) => endedAt !== undefined || verdicts.has(id));
  const last = requests.reduce((end, { endedAt }) => Math.max(end, endedAt ?? 0), timeline.observedUntil);
  const closed = [...verdicts].map(([id, verdict]): [string, typeof verdict] => {
    const { counts, ...rest } = verdict;
    return [id, counts?.to === undefined ? rest : verdict];
  });
  return {
    timeline: {
      requests,
      marks: [...timeline.marks, ...loadOf(timeline)],
      // Marks may be later than all requests.
      observedUntil: timeline.marks.reduce((end, { at }) => Math.max(end, at), last) + quietWindow,
    },
    verdicts: new Map(closed),
  };
}

/** A load event where none is known: it is not before the document was there. */
function loadOf({ marks, requests }: Timeline): readonly Mark[] {
  if (marks.some(({ name }) => name === 'load')) return [];
  const parsedAt = marks.find(({ name }) => name === 'dom-content-loaded')?.at ?? 0;
  const documentEnd = requests.filter(({ mainDocument }) => mainDocument).reduce(laterEnd, 0);
  return [{ name: 'load', at: Math.max(parsedAt, documentEnd) }];
}

function laterEnd(last: Ms, { endedAt }: Request): Ms {
  return Math.max(last, endedAt ?? 0);
}
