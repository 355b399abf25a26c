import { type BackgroundKind, KINDS } from '../../model/background/kinds.ts';
import type { Observation, Policy, Verdict, Verdicts } from '../../model/background/verdict.ts';
import type { Extension } from '../../model/completion/completion.ts';
import type { Mark, Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { timerOf } from '../requests/initiators.ts';
import { USUAL_WINDOW_MS } from '../time/lags.ts';
import { endOf } from '../timeline/inflight.ts';
import { breaksEverySilence } from './comes-to-an-end.ts';
import { endpointOf } from './endpoint.ts';
import { nextBy, rhythmOf } from './rhythm.ts';
import { asks, seriesOf } from './series.ts';

/**
 * What has to be watched longer than the quiet window before the answer stands: suspects that may turn out to be
 * content, and questions that were asked twice and may become a rhythm.
 *
 * @param known the moment at which the answer is known without them: what is decided earlier needs no watching
 * @param matters would the answer be another one with these verdicts? Only then is it worth waiting for them
 */
export function requiredObservation(
  timeline: Timeline,
  verdicts: Verdicts,
  policy: Pick<Policy, 'learnt' | 'thorough' | 'observation' | 'quietWindow'>,
  known: Ms,
  matters: (otherVerdicts: Verdicts) => boolean,
): readonly Extension[] {
  const isWorthIt = (until: Ms, otherVerdicts: () => Verdicts): boolean =>
    until > known && (policy.thorough === true || matters(otherVerdicts()));
  const extensions = [
    ...suspects(timeline, verdicts, policy, isWorthIt),
    ...rhythms(timeline, verdicts, policy, isWorthIt),
    ...(policy.thorough ? thoroughExtensions(timeline, verdicts, policy.observation) : []).filter(
      ({ until }) => until > known,
    ),
  ];
  const longest = new Map<string, Extension>();
  for (const each of extensions) {
    const before = longest.get(each.endpoint);
    if (!before || before.until < each.until) longest.set(each.endpoint, each);
  }
  return [...longest.values()].sort((a, b) => b.until - a.until);
}

type IsWorthIt = (until: Ms, otherVerdicts: () => Verdicts) => boolean;

/** Background as it looks now, which may still end or bring what was asked for. */
function suspects(
  timeline: Timeline,
  verdicts: Verdicts,
  { thorough, observation, quietWindow }: Pick<Policy, 'thorough' | 'observation' | 'quietWindow'>,
  isWorthIt: IsWorthIt,
): readonly Extension[] {
  const settledSince = settledBy(timeline);
  // Traffic is watched as an endpoint: from its first flagged request on.
  const groups = new Map<string, { label: string; until: Ms; kind: BackgroundKind; requests: Request[] }>();
  for (const request of timeline.requests) {
    const verdict = verdicts.get(request.id);
    if (!verdict) continue;
    const { key, label } = endpointOf(request);
    const group = groups.get(key);
    const until = Math.max(
      verdict.decidedAt ?? 0,
      thorough ? thoroughUntil(request, verdict, observation, { isFirst: !group, settledSince }) : 0,
    );
    if (group) {
      group.until = Math.max(group.until, until);
      group.requests.push(request);
    } else {
      groups.set(key, { label, until, kind: verdict.kind, requests: [request] });
    }
  }
  return [...groups.values()].flatMap(({ label, until: ownUntil, kind, requests }): readonly Extension[] => {
    const ids = new Set(requests.map(({ id }) => id));
    // Reports in a row look endless, and mostly are not.
    const isRepeated = thorough && KINDS[kind].watched === 'no' && breaksEverySilence(requests, timeline, quietWindow);
    const until = isRepeated ? Math.max(ownUntil, (requests[0]?.startedAt ?? 0) + observation.suspectMs) : ownUntil;
    if (!isWorthIt(until, () => new Map([...verdicts].filter(([id]) => !ids.has(id))))) return [];
    return [{ endpoint: label, until, question: { code: 'goes-on', endpoint: label, kind } }];
  });
}

/** When the endpoint of a request was asked for the first time, if it need not be watched any longer. */
type SettledSince = (request: Request, verdict: Verdict) => Ms | undefined;

/** What decides, while the page is watched, what an endpoint does to it. */
const DECIDING: ReadonlySet<Mark['name']> = new Set(['same-without', 'only-updating']);

/**
 * Endpoints of which a load without them proved, meanwhile, that the page is the same, or the film that they only update it:
 * they are watched no longer than in a timed run. Where nothing has come yet, nothing is proved of what may come; and what
 * failed so far may still succeed.
 */
function settledBy({ marks, requests }: Timeline): SettledSince {
  const decided = new Set(marks.flatMap(({ name, detail }) => (DECIDING.has(name) && detail ? [detail] : [])));
  return (request, { kind }) => {
    const { key } = endpointOf(request);
    if (!decided.has(key) || kind === 'reconnect' || isSilent(request)) return undefined;
    return Math.min(...requests.filter((each) => endpointOf(each).key === key).map(({ startedAt }) => startedAt));
  };
}

/** Not answered, and nothing of it has come. */
function isSilent({ endedAt, chunks, messages }: Request): boolean {
  return endedAt === undefined && chunks.length === 0 && messages.length === 0;
}

function thoroughUntil(
  request: Request,
  verdict: Verdict,
  { suspectMs, thoroughMs, thoroughSilentMs }: Observation,
  { isFirst, settledSince }: { readonly isFirst: boolean; readonly settledSince: SettledSince },
): Ms {
  const { watched } = KINDS[verdict.kind];
  const longest = request.startedAt + thoroughMs;
  if (watched === 'until-used') return Math.min(endOf(request) + USUAL_WINDOW_MS, longest);
  if (watched === 'no' || !isFirst) return 0;
  const since = settledSince(request, verdict);
  if (since !== undefined) return since + suspectMs;
  const longer = watched === 'longer' || (watched === 'longer-while-silent' && isSilent(request));
  return request.startedAt + (longer ? thoroughSilentMs : thoroughMs);
}

/** Asked more than once, but not yet often or evenly enough to say. */
function rhythms(
  timeline: Timeline,
  verdicts: Verdicts,
  { learnt = [], observation }: Pick<Policy, 'learnt' | 'observation'>,
  isWorthIt: IsWorthIt,
): readonly Extension[] {
  return seriesOf(timeline).flatMap(({ endpoint, requests }): readonly Extension[] => {
    const last = requests.at(-1);
    const [first, ...repeats] = requests;
    if (!first || !last || verdicts.has(last.id) || endOf(last) > timeline.observedUntil) return [];
    if (learnt.some((rule) => asks(last, rule))) return [];
    const until = nextBy(requests);
    if (Math.max(...rhythmOf(requests).intervals) > observation.longestPeriodMs) return [];
    if (!isWorthIt(until, () => withAlso(verdicts, repeats))) return [];
    const interval = last.startedAt - (requests.at(-2)?.startedAt ?? first.startedAt);
    const { label } = endpoint;
    return [{ endpoint: label, until, question: { code: 'becomes-rhythm', endpoint: label, interval } }];
  });
}

function withAlso(verdicts: Verdicts, requests: readonly Request[]): Verdicts {
  const more = new Map(verdicts);
  for (const { id } of requests) {
    more.set(id, { requestId: id, kind: 'poll', reason: { code: 'supposed' }, confidence: 'possible' });
  }
  return more;
}

/** What a timer started once may come back; what scripts ask for may come back slowly, or come late. */
function thoroughExtensions(
  timeline: Timeline,
  verdicts: Verdicts,
  { thoroughWatchMs }: Observation,
): readonly Extension[] {
  const isScripted = ({ initiator, type, fromPreviousDocument, id }: Request): boolean =>
    (initiator?.type === 'script' || type === 'script') && !fromPreviousDocument && !verdicts.has(id);
  const hasScripts = timeline.marks.some(({ name }) => name === 'script-parsed') || timeline.requests.some(isScripted);
  if (!hasScripts) return [];
  const byTimer = timeline.requests.find((each) => timerOf(each.initiator) === 'setInterval' && !verdicts.has(each.id));
  const until = Math.max(thoroughWatchMs, byTimer ? byTimer.startedAt + thoroughWatchMs : 0);
  return [{ endpoint: '', until, question: { code: 'comes-back' } }];
}
