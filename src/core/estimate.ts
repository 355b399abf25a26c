import type { PageComplete, WaitingFor } from '../model/completion.ts';
import type { ForeignSource } from '../model/recording.ts';
import type { Mark, Request, Timeline } from '../model/timeline.ts';
import type { Ms } from '../model/units.ts';
import type { Policy, Verdict, Verdicts } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { endpointOf } from './background/endpoint.ts';
import { classify } from './background/index.ts';
import { matchesPattern } from './background/pattern.ts';
import { FINISHED, judgeWith } from './complete.ts';
import { probablyOpen } from './probably-open.ts';

/** What is concluded about a recording. */
type Answers = Pick<Visit, 'complete' | 'raw'>;

/**
 * The answers for a recording of another tool. It may lack the load event, the end of requests, and the silence at its
 * end. So what is not confirmed gets the best estimate that there is, and network idle is never said to be impossible
 * because a file ends early.
 */
export function answersOfForeign(
  { complete, raw }: Answers,
  verdicts: Verdicts,
  timeline: Timeline,
  policy: Policy,
  { leavesOutOpen }: ForeignSource,
): Answers {
  const early = raw.state === 'never' && timeline.observedUntil < policy.timeout;
  return {
    complete:
      complete.state === 'complete'
        ? complete
        : withEstimate(complete, goingOn(timeline, verdicts, policy, leavesOutOpen), timeline, policy),
    raw: early ? { state: 'unconfirmed', waitingFor: raw.waitingFor } : raw,
  };
}

/** The verdicts if the recording had gone on: with what the tool left out, and what was withheld once more. */
function goingOn(timeline: Timeline, verdicts: Verdicts, policy: Policy, leavesOutOpen: boolean): Verdicts {
  const added = (leavesOutOpen ? probablyOpen(timeline, verdicts, policy) : []).map(
    ({ last, lastEndedAt, pause }): Request => {
      const { endedAt: _endedAt, response: _response, ...asked } = last;
      const startedAt = lastEndedAt + pause;
      return { ...asked, id: `${last.id} again`, startedAt, outcome: 'open', chunks: [], messages: [] };
    },
  );
  const requests = [...timeline.requests, ...added].sort((a, b) => a.startedAt - b.startedAt);
  const supposed = added.length === 0 ? verdicts : classify({ ...timeline, requests }, policy).verdicts;
  return new Map([...withheldOnce(timeline, supposed, policy), ...supposed]);
}

/** An answer that took this long was withheld, when the same is asked again at once, ms. Source: the long-poll detector. */
const WITHHELD_MS = 1_500;
const ASKED_AGAIN_WITHIN_MS = 250;

/** A long poll is known by two answers that were withheld. Here one was, and the next is open when the recording ends. */
function withheldOnce(
  { requests }: Timeline,
  verdicts: Verdicts,
  { foreground }: Policy,
): readonly (readonly [string, Verdict])[] {
  const counts = ({ id, url }: Request): boolean =>
    !verdicts.has(id) && !foreground.some((pattern) => matchesPattern(pattern, url));
  return requests
    .filter((request) => request.endedAt === undefined && counts(request))
    .flatMap((open) => {
      const { key } = endpointOf(open);
      const before = requests.findLast(
        (each) => each.startedAt < open.startedAt && endpointOf(each).key === key && counts(each),
      );
      if (before?.endedAt === undefined || before.endedAt - before.startedAt < WITHHELD_MS) return [];
      const pause = open.startedAt - before.endedAt;
      if (pause < -1 || pause > ASKED_AGAIN_WITHIN_MS) return [];
      return [before, open].map(
        ({ id }) =>
          [
            id,
            { requestId: id, kind: 'long-poll', reason: { code: 'supposed' }, confidence: 'possible' },
          ] satisfies readonly [string, Verdict],
      );
    });
}

/** The same answer, with the time that the rule gives for what the recording does hold. */
function withEstimate(answer: PageComplete, verdicts: Verdicts, timeline: Timeline, policy: Policy): PageComplete {
  if (answer.state === 'complete' || answer.state === 'pending' || policy.completeOn !== undefined) return answer;
  const closed = onlyWhatEnded(timeline, verdicts, policy);
  const said = judgeWith(closed.verdicts, closed.timeline, policy, FINISHED);
  if (said.state !== 'complete') return answer;
  // It was watched to the limit, and what did end was not quiet either.
  if (answer.state === 'never' && said.decidedAt > timeline.observedUntil) return answer;
  const silent = said.decidedAt <= timeline.observedUntil;
  return { state: 'unconfirmed', at: said.at, waitingFor: missingOf(answer.waitingFor, verdicts, timeline, silent) };
}

/** What is waited for: of requests only those that are open. What broke the silence last is over. */
function missingOf(
  waitingFor: readonly WaitingFor[],
  verdicts: Verdicts,
  timeline: Timeline,
  silent: boolean,
): readonly WaitingFor[] {
  const open = new Set(
    timeline.requests
      .filter(({ id, endedAt }) => endedAt === undefined && !verdicts.has(id))
      .map((request) => endpointOf(request).label),
  );
  const missing = waitingFor.filter((each) => each.code !== 'endpoint' || open.has(each.endpoint));
  return missing.length > 0 || silent ? missing : [{ code: 'quiet-window' }];
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
