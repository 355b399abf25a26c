import type { Mark, Request, Timeline } from '../model/timeline.ts';
import type { Ms } from '../model/units.ts';
import type { PageComplete, Policy } from '../model/verdict.ts';
import { endpointOf } from './background/endpoint.ts';
import { classify } from './background/index.ts';
import { endOf } from './timeline/inflight.ts';

/** The rule of the field, and the defaults of the command line. Source: docs/page-complete.md. */
export const DEFAULT_POLICY: Policy = {
  quietWindow: 3_000,
  maxInflight: 0,
  timeout: 60_000,
  background: [],
  foreground: [],
};

/** `now` for a recording to which nothing will be added: what is pending then stays open for ever. */
export const ENDED: Ms = Number.POSITIVE_INFINITY;

/** What is waited for when nothing but silence is missing. */
export const QUIET_WINDOW = 'the end of the quiet window';

/**
 * How soon to look again when nothing is quiet, ms: detectors that go by time (a hung request, a poll that stopped)
 * may change their mind without a new event.
 */
const RECHECK_MS = 500;

/**
 * Is the page complete, and since when? The one definition, for the live watcher (`now` is the moment of asking) and
 * for finished recordings (`now` is `ENDED`).
 *
 * Looks for the first instant T after the load event at which at most `maxInflight` foreground requests are in flight
 * and none starts for `quietWindow`; the answer is the last thing that ended before T, never T plus the window.
 */
export function judge(timeline: Timeline, policy: Policy, now: Ms = timeline.observedUntil): PageComplete {
  return judgeWithout(new Set(classify(timeline, policy).keys()), timeline, policy, now);
}

/**
 * What plain quiescence says: the same rule with every request counted, and without paints or marks of the page. Of a
 * finished recording, what was not quiet by its end is `never`: watching ended because nothing more was needed.
 */
export function judgeRaw(timeline: Timeline, policy: Policy, now: Ms = timeline.observedUntil): PageComplete {
  const { completeOn: _mark, ...plain } = policy;
  return networkQuiet(NOTHING, timeline, now === ENDED ? endingWith(timeline, plain) : plain, now);
}

/** The policy for "what if" questions about a finished recording: its end is the last moment there is. */
export function endingWith(timeline: Timeline, policy: Policy): Policy {
  return { ...policy, timeout: Math.min(policy.timeout, timeline.observedUntil) };
}

const NOTHING: ReadonlySet<string> = new Set();

/** The same rule, with the named requests (by hop id) left out. */
export function judgeWithout(
  background: ReadonlySet<string>,
  timeline: Timeline,
  policy: Policy,
  now: Ms = timeline.observedUntil,
): PageComplete {
  if (policy.completeOn !== undefined) return judgeByMark(policy.completeOn, background, timeline, policy, now);
  const quiet = networkQuiet(background, timeline, policy, now);
  if (quiet.state !== 'complete') return quiet;
  return { ...quiet, at: Math.max(quiet.networkAt, lastPaintBefore(quiet.decidedAt, timeline)) };
}

/** The page itself says when it is complete. */
function judgeByMark(
  completeOn: string,
  background: ReadonlySet<string>,
  timeline: Timeline,
  policy: Policy,
  now: Ms,
): PageComplete {
  const mark = marksOfDocument(timeline).find((each) => each.name === 'complete-on');
  if (!mark) return unfinished([completeOn], timeline, policy, now);
  const before = foregroundOf(timeline, background)
    .map(endOf)
    .filter((at) => at <= mark.at);
  return { state: 'complete', at: mark.at, networkAt: latest(before) ?? mark.at, decidedAt: mark.at };
}

function networkQuiet(background: ReadonlySet<string>, timeline: Timeline, policy: Policy, now: Ms): PageComplete {
  const requests = foregroundOf(timeline, background);
  const milestones = marksOfDocument(timeline);
  const parsedAt = milestones.find((mark) => mark.name === 'dom-content-loaded')?.at;
  const loadedAt = milestones.find((mark) => mark.name === 'load')?.at;
  const holders = loadedAt === undefined ? holdersOfLoad(timeline, background) : [];
  const withoutLoad = loadedAt === undefined && parsedAt !== undefined && holders.length > 0;
  if (loadedAt === undefined && !withoutLoad) {
    return unfinished([...waitedFor(requests, timeline, policy), 'the load event'], timeline, policy, now);
  }
  const base = Math.max(parsedAt ?? 0, loadedAt ?? 0);
  const quietFrom = firstQuiet(requests, base, policy);
  if (quietFrom === undefined) return unfinished(waitedFor(requests, timeline, policy), timeline, policy, now);
  const networkAt = Math.max(base, latest(requests.map(endOf).filter((at) => at <= quietFrom)) ?? 0);
  const decidedAt = quietFrom + policy.quietWindow;
  if (decidedAt > timeline.observedUntil) {
    const waitingFor = [QUIET_WINDOW];
    return now === ENDED
      ? { state: 'unconfirmed', at: networkAt, waitingFor }
      : { state: 'pending', recheckAt: decidedAt, waitingFor };
  }
  return {
    state: 'complete',
    at: networkAt,
    networkAt,
    decidedAt,
    ...(withoutLoad && { withoutLoadEvent: holders }),
  };
}

/** What the page still waited for, as the state that fits the moment. */
function unfinished(waitingFor: readonly string[], timeline: Timeline, policy: Policy, now: Ms): PageComplete {
  if (now !== ENDED) {
    return { state: 'pending', recheckAt: Math.min(policy.timeout, timeline.observedUntil + RECHECK_MS), waitingFor };
  }
  return timeline.observedUntil >= policy.timeout
    ? { state: 'never', waitingFor }
    : { state: 'unconfirmed', waitingFor };
}

/** The first instant from `base` on with few enough requests in flight and no start for a whole window. */
function firstQuiet(requests: readonly Request[], base: Ms, policy: Policy): Ms | undefined {
  const starts = requests.map((request) => request.startedAt).sort((a, b) => a - b);
  const ends = requests.map(endOf).sort((a, b) => a - b);
  // Quiet can begin at the load event, when something ends, or, with an allowance, when something starts.
  const candidates = [base, ...ends, ...(policy.maxInflight > 0 ? starts : [])]
    .filter((at) => at >= base && Number.isFinite(at))
    .sort((a, b) => a - b);
  let started = 0;
  let ended = 0;
  for (const at of candidates) {
    while ((starts[started] ?? Number.POSITIVE_INFINITY) <= at) started += 1;
    while ((ends[ended] ?? Number.POSITIVE_INFINITY) <= at) ended += 1;
    const inFlight = started - ended;
    const nextStart = starts[started] ?? Number.POSITIVE_INFINITY;
    if (inFlight <= policy.maxInflight && nextStart - at >= policy.quietWindow) return at;
  }
  return undefined;
}

function foregroundOf(timeline: Timeline, background: ReadonlySet<string>): readonly Request[] {
  return timeline.requests.filter((request) => !request.fromPreviousDocument && !background.has(request.id));
}

/** Milestones of the document that is there now; a client-side redirect starts again. */
function marksOfDocument(timeline: Timeline): readonly Mark[] {
  const commit = timeline.marks.findLast((mark) => mark.name === 'document-commit');
  if (commit?.loaderId === undefined) return timeline.marks;
  return timeline.marks.filter((mark) => mark.loaderId === undefined || mark.loaderId === commit.loaderId);
}

function lastPaintBefore(decidedAt: Ms, timeline: Timeline): Ms {
  const paints = marksOfDocument(timeline).filter(
    (mark) => mark.name === 'largest-contentful-paint' && mark.at <= decidedAt,
  );
  return latest(paints.map((mark) => mark.at)) ?? 0;
}

/** What scripts ask for never delays the load event; what markup asks for does. Source: HTML, "delay the load event". */
const NEVER_DELAYS_LOAD: ReadonlySet<string> = new Set([
  'xhr',
  'fetch',
  'eventsource',
  'websocket',
  'webtransport',
  'ping',
  'csp-violation-report',
  'preflight',
  'prefetch',
  'manifest',
]);

/** Background requests without an end, one of which may be what the load event waits for. */
function holdersOfLoad(timeline: Timeline, background: ReadonlySet<string>): readonly string[] {
  const open = timeline.requests.filter(
    (request) =>
      background.has(request.id) &&
      !request.fromPreviousDocument &&
      request.endedAt === undefined &&
      !NEVER_DELAYS_LOAD.has(request.type),
  );
  return [...new Set(open.map((request) => request.url))];
}

/** The endpoints in flight, or, when none is, those that broke the silence last. */
function waitedFor(requests: readonly Request[], timeline: Timeline, policy: Policy): readonly string[] {
  const open = requests.filter((request) => request.endedAt === undefined);
  const recent = requests.filter((request) => timeline.observedUntil - request.startedAt < policy.quietWindow);
  return [...new Set((open.length > 0 ? open : recent).map((request) => endpointOf(request).label))];
}

function latest(times: readonly Ms[]): Ms | undefined {
  let last: Ms | undefined;
  for (const at of times) if (last === undefined || at > last) last = at;
  return last;
}
