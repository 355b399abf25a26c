import type { Policy, Verdicts } from '../../model/background/verdict.ts';
import type { PageComplete, WaitingFor } from '../../model/completion/completion.ts';
import type { Mark, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { isKnownToGoOn } from '../background/comes-to-an-end.ts';
import { endpointOf } from '../background/endpoint.ts';
import { groupsOf } from '../background/groups.ts';
import { type Classification, classify } from '../background/index.ts';
import { requiredObservation } from '../background/required-observation.ts';
import { DRAWN_WITHIN_MS, PATIENCE } from '../time/lags.ts';
import { withoutBlocked } from '../timeline/blocked.ts';
import { marksOfDocument } from '../timeline/document-marks.ts';
import { matchesKnownLoad } from './expected.ts';
import { backgroundArrivals, type Foreground, foregroundOf } from './foreground.ts';
import { type Activity, activitiesOf, paintedAt } from './idleness.ts';
import { holdersOfLoad } from './load-event.ts';

/** `now` for a recording to which nothing will be added: what is pending then stays open for ever. */
export const FINISHED: Ms = Number.POSITIVE_INFINITY;

/**
 * Is the page complete, and since when? The one definition, for the live watcher (`now` is the moment of asking) and
 * for finished recordings (`now` is `FINISHED`).
 *
 * Looks for the first instant T after the load event (in a step: after its action, and the load event of what it opened)
 * at which at most `maxInflight` foreground requests are in flight
 * and none starts for `quietWindow`; the answer is the last thing that ended before T, never T plus the window. It
 * stands only when all that looks like background was watched long enough not to be mistaken for it.
 */
export function judge(timeline: Timeline, policy: Policy, now: Ms = timeline.observedUntil): PageComplete {
  return judgeClassified(classify(timeline, policy).verdicts, timeline, policy, now);
}

/** The same, with the verdicts at hand. */
export function judgeClassified(verdicts: Verdicts, recorded: Timeline, policy: Policy, now: Ms): PageComplete {
  const timeline = withoutBlocked(recorded);
  const answer = judgeWith(verdicts, timeline, policy, now);
  if (answer.state !== 'complete' || policy.completeOn !== undefined) return answer;
  const missing = timeline.requests.filter(({ id }) => verdicts.get(id)?.missing);
  const endpoints = new Set(missing.map((request) => endpointOf(request).label));
  const notSeen: readonly WaitingFor[] = [
    ...[...endpoints].map((endpoint) => ({ code: 'stream-content', endpoint }) as const),
    ...stillAwaited(foregroundOf(timeline, verdicts), answer.decidedAt, policy),
  ];
  if (now === FINISHED && notSeen.length > 0) return { state: 'unconfirmed', at: answer.at, waitingFor: notSeen };
  const matters = (otherVerdicts: Verdicts): boolean => {
    const otherwise = judgeWith(otherVerdicts, timeline, policy, now);
    return otherwise.state !== 'complete' || Math.abs(otherwise.at - answer.at) >= 1;
  };
  const extended = requiredObservation(timeline, verdicts, policy, answer.decidedAt, matters);
  if (extended.length === 0) return answer;
  const decidedAt = Math.max(...extended.map(({ until }) => until));
  if (decidedAt <= timeline.observedUntil) return { ...answer, decidedAt, extended };
  const undecided = extended.filter(({ until }) => until > timeline.observedUntil);
  const waitingFor = undecided.map(({ question }) => question);
  if (now === FINISHED) return { state: 'unconfirmed', at: answer.at, waitingFor };
  return { state: 'pending', recheckAt: Math.min(...undecided.map(({ until }) => until)), waitingFor };
}

/**
 * What network idle says: the same rule with every request counted, and without paints or marks of the page. Of a finished
 * recording it is `never` only where background is known to go on; what else was not quiet at its end may have been soon after.
 */
export function judgeRaw(timeline: Timeline, policy: Policy, now: Ms = timeline.observedUntil): PageComplete {
  if (now === FINISHED) return judgeRawFinished(classify(timeline, policy), timeline, policy);
  return networkIdle(timeline, policy, now);
}

/** The same of a finished recording, with the verdicts at hand. */
export function judgeRawFinished(
  { verdicts, overruled }: Classification,
  timeline: Timeline,
  policy: Policy,
): PageComplete {
  const answer = networkIdle(timeline, policy, FINISHED);
  if (answer.state !== 'unconfirmed') return answer;
  const endless = groupsOf({ timeline, verdicts, overruled }, policy.learnt).filter(
    ({ by, requests }) => by === undefined && isKnownToGoOn(requests, verdicts, timeline, policy),
  );
  if (endless.length === 0) return answer;
  return { state: 'never', waitingFor: endless.map(({ label }) => ({ code: 'endpoint', endpoint: label })) };
}

function networkIdle(timeline: Timeline, policy: Policy, now: Ms): PageComplete {
  const { completeOn: _mark, ...plain } = policy;
  return networkQuiet(NOTHING, timeline, plain, now, 'network');
}

const NOTHING: Verdicts = new Map();

/** The rule alone, for any verdicts: "what if" these requests were background and no others. */
export function judgeWith(
  verdicts: Verdicts,
  timeline: Timeline,
  policy: Policy,
  now: Ms = timeline.observedUntil,
): PageComplete {
  if (policy.completeOn !== undefined) return judgeByMark(policy.completeOn, verdicts, timeline, policy, now);
  const quiet = networkQuiet(verdicts, timeline, policy, now, 'page');
  if (quiet.state !== 'complete') return quiet;
  const at = Math.max(quiet.networkAt, lastPaintOfContent(quiet, verdicts, timeline));
  return { ...quiet, at, decidedAt: Math.max(quiet.decidedAt, at) };
}

/** The page itself says when it is complete. */
function judgeByMark(
  completeOn: string,
  verdicts: Verdicts,
  timeline: Timeline,
  policy: Policy,
  now: Ms,
): PageComplete {
  const mark = marksOfDocument(timeline).find((each) => each.name === 'complete-on');
  if (!mark) return unfinished([{ code: 'mark', completeOn }], timeline, policy, now);
  const before = foregroundOf(timeline, verdicts)
    .map(({ to }) => to)
    .filter((at) => at <= mark.at);
  return { state: 'complete', at: mark.at, networkAt: latest(before) ?? mark.at, decidedAt: mark.at };
}

/** @param idle must the page be idle as well, or is a silent network enough? */
function networkQuiet(
  verdicts: Verdicts,
  timeline: Timeline,
  policy: Policy,
  now: Ms,
  idle: 'network' | 'page',
): PageComplete {
  const spans = foregroundOf(timeline, verdicts);
  const milestones = marksOfDocument(timeline);
  const step = stepOf(timeline);
  if (step && step.actedAt === undefined) {
    return unfinished([...waitedFor(spans, [], 0, timeline, policy), { code: 'action' }], timeline, policy, now);
  }
  const parsedAt = milestones.find((mark) => mark.name === 'dom-content-loaded')?.at;
  const loadedAt = milestones.find((mark) => mark.name === 'load')?.at;
  const holders = holdersOfLoad(timeline, verdicts, parsedAt, loadedAt);
  const withoutLoad = parsedAt !== undefined && holders.length > 0;
  if (loadedAt === undefined && !withoutLoad && !(step && !step.hasDocument)) {
    return unfinished([...waitedFor(spans, [], 0, timeline, policy), { code: 'load-event' }], timeline, policy, now);
  }
  const base = Math.max(step?.actedAt ?? 0, parsedAt ?? 0, withoutLoad ? 0 : (loadedAt ?? 0));
  const painted = idle === 'network' ? base : paintedAt(milestones, timeline, policy, base);
  const activities = idle === 'network' ? [] : activitiesOf(timeline, verdicts, policy, base);
  const quiet =
    painted === undefined
      ? undefined
      : firstQuiet(spans, activities, Math.max(base, painted), windowsOf(spans, timeline, policy, idle), policy);
  if (quiet === undefined) {
    return unfinished(waitedFor(spans, activities, painted, timeline, policy), timeline, policy, now);
  }
  const { at: quietFrom, window } = quiet;
  const networkAt = Math.max(base, latest(spans.map(({ to }) => to).filter((at) => at <= quietFrom)) ?? 0);
  const decidedAt = quietFrom + window;
  if (decidedAt > timeline.observedUntil) {
    const waitingFor = [{ code: 'quiet-window' }] as const;
    return now === FINISHED
      ? { state: 'unconfirmed', at: networkAt, waitingFor }
      : { state: 'pending', recheckAt: decidedAt, waitingFor, quietFrom };
  }
  return {
    state: 'complete',
    at: networkAt,
    networkAt,
    decidedAt,
    ...(window < policy.quietWindow && { decidedBy: 'expected-content' }),
    ...(withoutLoad && { withoutLoadEvent: holders }),
  };
}

/** A step is not over before what the script does in it; it has a load event when it opens a document. Undefined for loads. */
function stepOf({ marks }: Timeline): { readonly actedAt: Ms | undefined; readonly hasDocument: boolean } | undefined {
  if (!marks.some(({ name }) => name === 'step-start')) return undefined;
  return {
    actedAt: marks.find(({ name }) => name === 'action-end')?.at,
    hasDocument: marks.some(({ name }) => name === 'document-commit'),
  };
}

/** What the page still waited for, as the state that fits the moment. */
function unfinished(waitingFor: readonly WaitingFor[], timeline: Timeline, policy: Policy, now: Ms): PageComplete {
  if (now !== FINISHED) {
    // Detectors that go by time (a hung request, a poll that stopped) may change their mind without a new event.
    return {
      state: 'pending',
      recheckAt: Math.min(policy.timeout, timeline.observedUntil + DRAWN_WITHIN_MS),
      waitingFor,
    };
  }
  return timeline.observedUntil >= policy.timeout
    ? { state: 'never', waitingFor }
    : { state: 'unconfirmed', waitingFor };
}

/** A silence that suffices, where it does. */
interface QuietWindow {
  readonly length: Ms;
  sufficesAt(at: Ms): boolean;
}

/** The windows that prove the page complete, the shortest first. */
function windowsOf(
  spans: readonly Foreground[],
  timeline: Timeline,
  policy: Policy,
  idle: 'network' | 'page',
): readonly QuietWindow[] {
  const { expected, quietWindow } = policy;
  const whole: QuietWindow = {
    length: quietWindow,
    sufficesAt: (at) => idle === 'network' || isAwaitedOver(spans, at, timeline, policy),
  };
  if (idle === 'network' || expected === undefined || expected.quietWindow >= quietWindow) return [whole];
  const short: QuietWindow = {
    length: expected.quietWindow,
    sufficesAt: (at) => matchesKnownLoad(spans, at, timeline, expected),
  };
  return [short, whole];
}

/** What of the awaited content has not come by then. */
function stillAwaited(
  spans: readonly Foreground[],
  at: Ms,
  { awaited = [] }: Policy,
): readonly Extract<WaitingFor, { code: 'endpoint' }>[] {
  const came = new Set(spans.flatMap(({ request, to }) => (to <= at ? endpointOf(request).key : [])));
  return awaited
    .filter(({ endpoint }) => !came.has(endpoint))
    .map(({ endpoint }) => ({ code: 'endpoint', endpoint: endpoint.replace(/\?$/, '') }));
}

/** Awaited content has come, or it has been waited for long enough. */
function isAwaitedOver(spans: readonly Foreground[], at: Ms, { observedUntil }: Timeline, policy: Policy): boolean {
  const patienceEnds = PATIENCE.factor * Math.max(0, ...(policy.awaited ?? []).map(({ by }) => by));
  const came = stillAwaited(spans, observedUntil, policy).length === 0;
  return came ? stillAwaited(spans, at, policy).length === 0 : observedUntil >= patienceEnds;
}

/** The first instant from `base` on with few enough requests in flight, and no start and no other activity for a whole window. */
function firstQuiet(
  spans: readonly Foreground[],
  activities: readonly Activity[],
  base: Ms,
  windows: readonly QuietWindow[],
  { maxInflight }: Pick<Policy, 'maxInflight'>,
): { readonly at: Ms; readonly window: Ms } | undefined {
  const starts = spans.map(({ from }) => from).sort((a, b) => a - b);
  const ends = spans.map(({ to }) => to).sort((a, b) => a - b);
  // Quiet can begin at the load event, when something ends, or, with an allowance, when something starts.
  const candidates = [base, ...ends, ...activities.map(({ to }) => to), ...(maxInflight > 0 ? starts : [])]
    .filter((at) => at >= base && Number.isFinite(at))
    .sort((a, b) => a - b);
  let started = 0;
  let ended = 0;
  for (const at of candidates) {
    while ((starts[started] ?? Number.POSITIVE_INFINITY) <= at) started += 1;
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= at) ended += 1;
    const inFlight = started - ended;
    const nextStart = starts[started] ?? Number.POSITIVE_INFINITY;
    if (inFlight > maxInflight) continue;
    const window = windows.find(
      ({ length, sufficesAt }) =>
        nextStart - at >= length && !activities.some(({ from, to }) => from < at + length && to > at) && sufficesAt(at),
    );
    if (window) return { at, window: window.length };
  }
  return undefined;
}

/** What the page shows of itself: its first content, its largest, and what is drawn when all has come. */
const PAINTS: ReadonlySet<Mark['name']> = new Set([
  'first-contentful-paint',
  'largest-contentful-paint',
  'content-drawn',
]);

/** Times that were written into a HAR and read again differ by less than this, ms. */
const ROUNDING_MS = 1;

/** The first paint, or the last one before the decision that foreground content caused; 0 for none. */
function lastPaintOfContent(
  { networkAt, decidedAt }: { readonly networkAt: Ms; readonly decidedAt: Ms },
  verdicts: Verdicts,
  timeline: Timeline,
): Ms {
  // What content goes on drawing when the window is over the film has told from news. What a response drew that has turned
  // out to be background since then is none.
  const paints = marksOfDocument(timeline).filter(({ name, at, since = 0 }) =>
    name === 'content-drawn' ? since <= networkAt + ROUNDING_MS : PAINTS.has(name) && at <= decidedAt,
  );
  const arrivals = paints.some(({ at }) => at > networkAt) ? backgroundArrivals(timeline, verdicts) : [];
  // What is drawn right after a message came, long after all content had come, the message drew.
  const drewBackground = ({ name, at }: Mark): boolean =>
    name === 'largest-contentful-paint' &&
    at > networkAt + DRAWN_WITHIN_MS &&
    arrivals.some((came) => came <= at && at - came <= DRAWN_WITHIN_MS);
  return latest(paints.filter((mark) => !drewBackground(mark)).map(({ at }) => at)) ?? 0;
}

/** What keeps the page from being quiet: what is in flight or going on, or, when nothing is, what broke the silence last. */
function waitedFor(
  spans: readonly Foreground[],
  activities: readonly Activity[],
  painted: Ms | undefined,
  timeline: Timeline,
  policy: Policy,
): readonly WaitingFor[] {
  const { observedUntil } = timeline;
  const open = spans.filter(({ to }) => !Number.isFinite(to));
  // A page that has painted nothing waits for that, not for a silence.
  const recent = painted === undefined ? [] : spans.filter(({ from }) => observedUntil - from < policy.quietWindow);
  const endpoints = new Set((open.length > 0 ? open : recent).map(({ request }) => endpointOf(request).label));
  const going = activities.filter(({ to }) => to > observedUntil - (open.length > 0 ? 0 : policy.quietWindow));
  return [
    ...[...endpoints].map((endpoint): WaitingFor => ({ code: 'endpoint', endpoint })),
    ...stillAwaited(spans, observedUntil, policy),
    ...new Map(going.map(({ waitingFor }) => [JSON.stringify(waitingFor), waitingFor])).values(),
    ...(painted === undefined ? [{ code: 'first-paint' } as const] : []),
  ];
}

function latest(times: readonly Ms[]): Ms | undefined {
  let last: Ms | undefined;
  for (const at of times) if (last === undefined || at > last) last = at;
  return last;
}
