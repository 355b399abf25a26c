import type { RequestCause, RequestReason, RequestSource } from '../../model/background/request-reason.ts';
import type { StepPlace } from '../../model/main-thread.ts';
import type { LongTask } from '../../model/metrics/metrics.ts';
import type { Initiator } from '../../model/network/network.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { CriticalPathFacts, CriticalStepFacts, RequestStepFacts } from '../../model/result/run-facts.ts';
import type { Ms } from '../../model/units.ts';
import { type CauseLookup, causesIn, type FoundCause } from '../causes/lookup.ts';
import { type Foreground, foregroundOf } from '../completion/foreground.ts';
import { isBlocking } from '../rendering/blocking.ts';
import { type AskedBy, answeredAt, arrivalOf, type Initiators, initiatorsOf, timerOf } from '../requests/initiators.ts';
import { queuesOf } from '../requests/starvation.ts';
import { defined } from '../text/defined.ts';
import { type Dated, lastBetween, sortedByTime } from '../time/last-between.ts';
import { overlapOf, stretchOf } from '../time/overlap.ts';
import { toMicroseconds } from '../time/time.ts';
import { isFailed } from '../timeline/failed.ts';
import { workBefore, workOf } from './path-work.ts';

/**
 * What stands in a document is found this soon after it has come, ms in which the main thread had nothing else to do; what
 * comes later was put there by a script. Source: 100 ms is what feels immediate (RAIL, https://web.dev/articles/rail).
 */
const FOUND_WITHIN_MS = 100;
/** How long after it came a picture is drawn, at most, ms; on a loaded machine a few frames. */
const DRAWN_WITHIN_MS = 250;

/** One request of the critical path. */
export interface CriticalRequest {
  readonly request: Request;
  /** How it came to be asked for. */
  readonly reason: RequestReason;
  /** When it had brought what was needed of it: its end, or, of a stream, the last of its content. */
  readonly broughtAt: Ms;
  /** The one before had to be over for this one to be sent: a redirect, a preflight. */
  readonly afterEnd: boolean;
  /** What made it be asked for, where a trace has shown it. */
  readonly shown?: FoundCause;
}

/**
 * The chain of requests that determined page complete, with what each contributed, and the work that filled the time before
 * some of them. The shares tile [0, page complete]:
 *
 * ```
 * 0        asked for      answered        next asked for, or end                                page complete
 * |--delay-----|-----wait-----|----receive----|--delay--|--work--|--delay--|--wait--|--receive--| … |--work--|--rest--|
 * ```
 *
 * Undefined when page complete is not known, or nothing was asked for.
 */
export function criticalPathOf(
  visit: Visit,
  chain: readonly CriticalRequest[] = criticalRequestsOf(visit),
): CriticalPathFacts | undefined {
  if (visit.complete.state !== 'complete') return undefined;
  if (chain.length === 0) return undefined;
  const end = toMicroseconds(visit.complete.at);
  const within = (at: Ms, from: Ms, to: Ms): Ms => toMicroseconds(Math.min(Math.max(at, from), to));
  const spans = foregroundOf(visit.timeline, visit.verdicts);
  const work = workOf(visit);
  const queueOf = queuesOf(visit.timeline);
  const steps: CriticalStepFacts[] = [];
  let from = 0;
  const addWork = (until: Ms, isLed: boolean): void => {
    const filled = workBefore(work, { from, to: until }, isLed);
    steps.push(...filled);
    from = filled.at(-1)?.endsAt ?? from;
  };
  for (const [index, { request, reason, broughtAt, shown }] of chain.entries()) {
    const asked = within(request.startedAt, from, end);
    if (isByPage(request)) addWork(asked, reason.code !== 'after');
    const next = chain[index + 1];
    const nextAsked = next && !next.afterEnd ? next.request.startedAt : Number.POSITIVE_INFINITY;
    const answered = within(answeredAt(request), asked, within(Math.min(broughtAt, nextAsked), asked, end));
    const held =
      next && isByPage(next.request) && nextAsked < broughtAt
        ? workBefore(work, { from: answered, to: nextAsked }, false)
        : [];
    // What asked for the next one had come when the work began that the request had to wait for.
    const neededUntil = held[0]?.startedAt ?? nextAsked;
    const to = within(Math.min(broughtAt, neededUntil), answered, end);
    const queued = queueOf(request);
    const sent = within(queued?.to ?? asked, asked, answered);
    steps.push({
      method: request.method,
      url: request.url,
      type: request.type,
      startedAt: request.startedAt,
      endsAt: Math.min(broughtAt, end),
      delay: toMicroseconds(asked - from),
      ...meanwhileOf(spans, chain, { from, to: asked }),
      wait: toMicroseconds(answered - asked),
      ...(sent > asked && { queued: toMicroseconds(sent - asked) }),
      receive: toMicroseconds(to - answered),
      reason,
      ...causeAndPlaceOf(request, reason, shown),
      ...failureOf(request),
    });
    from = to;
  }
  const last = chain.at(-1)?.request;
  if (last && isByPage(last)) addWork(end, false);
  return { steps, rest: toMicroseconds(end - from) };
}

/** What made a request begin, and where it was asked for; nothing of the first. */
function causeAndPlaceOf(
  { type, initiator }: Request,
  { code, awaited }: RequestReason,
  shown: FoundCause | undefined,
): Pick<RequestStepFacts, 'cause' | 'place'> {
  const place = placeOf(initiator) ?? shown?.place;
  if (shown !== undefined && shown.cause !== 'unknown' && code !== 'after') {
    return { cause: shown.cause, ...defined({ place }) };
  }
  switch (code) {
    case 'navigation':
      return {};
    case 'preflight-answered':
    case 'redirected':
      return { cause: 'response' };
    case 'after':
      return { cause: 'unknown' };
    case 'parser':
    case 'preload':
      return { cause: 'parser', ...defined({ place }) };
    default: {
      const timer = timerOf(initiator);
      // A style sheet asks for others as soon as it is read, for pictures and fonts when something needs them.
      if (code === 'file' && initiator?.type === 'parser') {
        return { cause: type === 'stylesheet' ? 'parser' : 'render', ...defined({ place }) };
      }
      if (timer !== undefined) {
        return { cause: timer === 'requestAnimationFrame' ? 'render' : 'timer', ...defined({ place }) };
      }
      return { cause: awaited !== undefined ? 'response' : 'script', ...defined({ place }) };
    }
  }
}

/** Where a script or a document asks for something. */
function placeOf(initiator: Initiator | undefined): StepPlace | undefined {
  const frame = initiator?.stack?.find(({ url }) => url !== '');
  if (frame === undefined) {
    const { url, line } = initiator ?? {};
    return url === undefined ? undefined : { url, ...defined({ line }) };
  }
  const { url, line, column, functionName } = frame;
  return { url, line, column, ...(functionName !== '' && { function: functionName }) };
}

/** Workers and frames of other sites have threads of their own. */
const isByPage = ({ target }: Request): boolean => target === 'page' || target === 'browser';

/** A shorter pause before a request needs no explanation, ms. */
const LONG_DELAY_MS = 100;

/** The data that came, whole, in a pause of the chain. */
function meanwhileOf(
  spans: readonly Foreground[],
  chain: readonly CriticalRequest[],
  { from, to }: { readonly from: Ms; readonly to: Ms },
): Pick<RequestStepFacts, 'meanwhile'> {
  if (to - from < LONG_DELAY_MS) return {};
  const isOwn = new Set(chain.map(({ request }) => request));
  const came = spans
    .filter(({ request }) => READ_BY_SCRIPT.has(request.type) && !isOwn.has(request) && !isFailed(request))
    .filter((span) => span.from >= from && span.to <= to)
    .toSorted((a, b) => a.to - b.to)
    .map(({ request }) => request.url);
  return came.length === 0 ? {} : { meanwhile: [...new Set(came)] };
}

/**
 * The requests of the critical path in order of time. The last is the one whose answer came last before page complete;
 * before each stands the one without whose answer it would not have been asked for.
 *
 * Who asked is known from the initiators. For which of its earlier answers a script asks again no initiator tells: without a
 * trace, only that script is known. What nobody is known to have asked for came after something, which shows nothing.
 */
export function criticalRequestsOf(visit: Visit): readonly CriticalRequest[] {
  const { timeline, verdicts, complete, recording } = visit;
  if (complete.state !== 'complete') return [];
  const spans = foregroundOf(timeline, verdicts);
  const last = lastNeeded(spans, timeline, complete);
  if (last === undefined) return [];
  const before = createPredecessors(timeline, spans, recording.page?.longTasks ?? [], causesIn(visit));
  const brought = new Map(spans.map(({ request, to }) => [request, to]));
  const chain: CriticalRequest[] = [];
  const seen = new Set<Request>();
  for (let request: Request | undefined = last; request !== undefined && !seen.has(request); ) {
    seen.add(request);
    const link = before(request, seen);
    chain.push({
      request,
      reason: link?.reason ?? { code: 'navigation' },
      broughtAt: Math.min(brought.get(request) ?? request.endedAt ?? timeline.observedUntil, timeline.observedUntil),
      afterEnd: link?.afterEnd ?? false,
      ...defined({ shown: link?.shown }),
    });
    request = link?.request;
  }
  return chain.toReversed();
}

/** What came last before page complete; where a picture made it, that picture. */
export function lastNeeded(
  spans: readonly Foreground[],
  { requests, marks }: Timeline,
  { at, networkAt }: { readonly at: Ms; readonly networkAt: Ms },
): Request | undefined {
  // What is drawn last was not drawn by a picture that failed.
  const over = spans.filter(({ request, to }) => to <= at && (at <= networkAt || !isDrawnInVain(request)));
  if (at > networkAt) {
    const painted = marks.findLast((mark) => mark.name === 'largest-contentful-paint' && mark.at === at)?.url;
    const picture = over.findLast(({ request, to }) => request.url === painted && at - to <= DRAWN_WITHIN_MS);
    if (picture) return picture.request;
  }
  let last: Foreground | undefined;
  for (const span of over) if (last === undefined || span.to >= last.to) last = span;
  // The page's own mark can come before anything has ended, its document too.
  return last?.request ?? requests.findLast((each) => each.mainDocument && each.startedAt <= at);
}

/** The request before another one on the path. */
export interface Link {
  readonly request: Request;
  readonly reason: RequestReason;
  readonly afterEnd?: boolean;
  readonly shown?: FoundCause;
}

/** Finds the request before another one, out of those that were not seen yet. */
export type Predecessors = (request: Request, seen: ReadonlySet<Request>) => Link | undefined;

/**
 * An index of what each request of a timeline had to wait for; `spans` are what counts of it.
 *
 * @param causeOf what made a request be asked for, where a trace has shown it: nothing is concluded from times then
 */
export function createPredecessors(
  timeline: Timeline,
  spans: readonly Foreground[],
  longTasks: readonly LongTask[],
  causeOf: CauseLookup = () => undefined,
): Predecessors {
  const initiators = initiatorsOf(timeline);
  const parsedAt = timeline.marks.find(({ name }) => name === 'dom-content-loaded')?.at;
  const finite = spans.filter(({ to }) => Number.isFinite(to));
  const ended = sortedByTime(finite, ({ to }) => to);
  const documents = timeline.requests.filter(({ type, mainDocument }) => type === 'document' || mainDocument);
  const preflights = new Map<Request, Request>();
  for (const each of timeline.requests) {
    const prepared = each.type === 'preflight' ? initiators(each)?.request : undefined;
    if (prepared) preflights.set(prepared, each);
  }

  return (request, seen) => {
    const preflight = preflights.get(request);
    if (preflight && !seen.has(preflight) && (preflight.endedAt ?? Number.POSITIVE_INFINITY) <= arrivalOf(request)) {
      return { request: preflight, reason: { code: 'preflight-answered' }, afterEnd: true };
    }
    const initiated = initiators(request);
    // A preflight has the initiator of the request that it prepares.
    const asked = initiated?.origin === 'preflight' ? initiated.request : request;
    const askedBy = asked === request ? initiated : initiators(asked);
    const preflightOf = asked === request ? {} : { preflight: true as const };
    const shown = causeOf(asked);
    const led = shown?.by;
    const isLed = led !== undefined && !seen.has(led) && led.startedAt <= asked.startedAt && led !== request;
    if (shown !== undefined && isLed && (WOKEN.has(shown.cause) || isInserted(asked, shown))) {
      return { request: led, reason: { ...reasonOf(asked, askedBy, shown, led), ...preflightOf }, shown };
    }
    if (askedBy && !seen.has(askedBy.request)) {
      const by = askedBy.request;
      const unseen = (other: Request | undefined): Request | undefined =>
        other === undefined || seen.has(other) ? undefined : other;
      const retried = unseen(shown === undefined ? lastInVain(asked, by, ended) : undefined);
      if (
        retried ||
        isDoubted(asked, shown) ||
        (shown === undefined && isAfterParsing(asked, askedBy, parsedAt, longTasks))
      ) {
        const before = retried ?? unseen(lastRead(asked, by, ended)) ?? by;
        return { request: before, reason: { ...afterOf(asked, before), ...preflightOf } };
      }
      const reason = { ...initiatedBy(asked, askedBy), ...preflightOf };
      const holding = unseen(lastHolding(asked, askedBy, ended, initiators));
      if (holding === undefined) {
        return { request: by, reason, afterEnd: askedBy.origin === 'redirect', ...defined({ shown }) };
      }
      const awaited = { ...sourceOf(holding), failed: isBroken(holding) };
      return { request: holding, reason: { ...reason, awaited }, ...defined({ shown }) };
    }
    if (asked.mainDocument) return undefined;
    if (shown !== undefined && isLed) {
      return { request: led, reason: { ...reasonOf(asked, undefined, shown, led), ...preflightOf }, shown };
    }
    // Nothing but a script opens an EventSource: which one, the browser does not tell, so that only its document is sure.
    const isByScript = asked.type === 'eventsource';
    const came = lastCome(asked, isByScript ? [] : ended, documents);
    if (came === undefined || seen.has(came) || came.startedAt > asked.startedAt) return undefined;
    const reason: RequestReason = isByScript ? { code: 'script' } : afterOf(asked, came);
    return { request: came, reason: { ...reason, ...preflightOf } };
  };
}

/** Causes that wake code: an answer, a message, a timer, a frame of the display. Others are in the file that asks. */
const WOKEN: ReadonlySet<RequestCause> = new Set(['response', 'message', 'timer', 'render']);

/** How a request came to be asked for that is known to have been led to by `led`. */
function reasonOf(
  asked: Request,
  askedBy: AskedBy | undefined,
  { cause, place }: FoundCause,
  led: Request,
): RequestReason {
  const by = sourceOf(led);
  if (askedBy?.request === led) {
    return { ...initiatedBy(asked, askedBy), ...(cause === 'timer' && { timer: true as const }) };
  }
  const awaited = { ...by, failed: isBroken(led), ...(cause === 'message' && { message: true as const }) };
  const woken = { ...(cause === 'timer' && { timer: true as const }), awaited };
  if (askedBy !== undefined && asked.initiator?.type === 'script') return { ...initiatedBy(asked, askedBy), ...woken };
  if (place === undefined) return { code: 'script', ...woken };
  return { code: 'file', by: { url: place.url, isPage: false }, ...defined({ line: place.line }), ...woken };
}

/** Answers that script reads, or that make it run. */
const READ_BY_SCRIPT: ReadonlySet<string> = new Set([
  'fetch',
  'xhr',
  'script',
  'eventsource',
  'websocket',
  'webtransport',
]);

/**
 * What else is known to have had to come before a request could be made, though the one that asked for it was long there: a
 * module that the script imports, a script or style sheet above it in the document; for a font, another style sheet.
 */
function lastHolding(
  asked: Request,
  { request: by, origin }: AskedBy,
  ended: readonly Dated<Foreground>[],
  initiators: Initiators,
): Request | undefined {
  if (origin !== 'named' || timerOf(asked.initiator) !== undefined) return undefined;
  const byScript = asked.initiator?.type === 'script' && !isImport(asked, by);
  const forFont = asked.type === 'font' && by.type === 'stylesheet';
  if (!byScript && !forFont) return undefined;
  const line = by.type === 'document' ? asked.initiator?.line : by.initiator?.line;
  const isAbove = ({ initiator, startedAt }: Request): boolean =>
    initiator?.type === 'parser' &&
    (line !== undefined && initiator.line !== undefined ? initiator.line <= line : startedAt <= by.startedAt);
  // Of what a stack shows to have been asked by a script it is certain that the script's modules had come.
  const ran = asked.initiator?.stack !== undefined;
  // A script runs in the order of its document: not before the blocking scripts and style sheets above it have come.
  const isInOrder = by.type === 'document' || isBlocking(by, initiators);
  // No element has a style, and so a font, before the style sheets that hold up drawing have come.
  const isHolding = (other: Request): boolean =>
    forFont
      ? other.type === 'stylesheet' && isBlocking(other, initiators)
      : (isInOrder && isAbove(other) && isBlocking(other, initiators)) || (ran && isImportedBy(other, by, initiators));
  return lastSince(asked, by, ended, isHolding);
}

/** The last that ended between the arrival of what asked and its request. */
function lastSince(
  asked: Request,
  by: Request,
  ended: readonly Dated<Foreground>[],
  isPossible: (other: Request) => boolean,
): Request | undefined {
  const after = by.endedAt !== undefined && by.endedAt <= asked.startedAt ? by.endedAt : arrivalOf(by);
  return lastBetween(
    ended,
    { after, until: asked.startedAt },
    ({ request: other }) => other !== by && other !== asked && isSameContext(other, asked) && isPossible(other),
  )?.request;
}

/** What scripts may have read last before a request, which shows nothing. */
const lastRead = (asked: Request, by: Request, ended: readonly Dated<Foreground>[]): Request | undefined =>
  lastSince(asked, by, ended, ({ type }) => READ_BY_SCRIPT.has(type));

/** The same request, made in vain before; it may have been made again for another reason. */
const lastInVain = (asked: Request, by: Request, ended: readonly Dated<Foreground>[]): Request | undefined =>
  lastSince(asked, by, ended, (other) => other.url === asked.url && other.method === asked.method && isBroken(other));

/**
 * Chrome names the parser for pictures that a script has put into the page, too. But of a parsed page nothing is found, and
 * what stands in a document is found as soon as that has come, whatever the parser waits for (the preload scanner).
 */
function isAfterParsing(
  asked: Request,
  { request: by, origin }: AskedBy,
  parsedAt: Ms | undefined,
  longTasks: readonly LongTask[],
): boolean {
  if (asked.initiator?.type !== 'parser' || origin !== 'named' || !by.mainDocument) return false;
  if (asked.startedAt > (parsedAt ?? Number.POSITIVE_INFINITY)) return true;
  return by.endedAt !== undefined && idleBetween(by.endedAt, asked.startedAt, longTasks) > FOUND_WITHIN_MS;
}

/** The trace has seen a script put it into the page. */
const isInserted = ({ initiator }: Request, { cause }: FoundCause): boolean =>
  cause === 'script' && initiator?.type === 'parser';

/** What a module imports is fetched as soon as the module has come, before it runs: no script asks, so there is no stack. */
const isImport = (asked: Request, by: Request): boolean =>
  asked.type === 'script' && by.type === 'script' && asked.initiator?.stack === undefined;

/** Whether a module cannot run before another has come: it imports it, or what it imports does. */
function isImportedBy(other: Request, module: Request, initiators: Initiators): boolean {
  const seen = new Set<Request>();
  for (let each = other; !seen.has(each); ) {
    seen.add(each);
    const askedBy = initiators(each);
    if (askedBy?.origin !== 'named' || !isImport(each, askedBy.request)) return false;
    if (askedBy.request === module) return true;
    each = askedBy.request;
  }
  return false;
}

/** Asked for by the same page, frame or worker. */
export const isSameContext = (a: Request, b: Request): boolean => a.frameId === b.frameId && a.target === b.target;

/** A request that was made in vain is made again, as late as the page likes. */
const isBroken = ({ outcome, response }: Request): boolean =>
  outcome === 'failed' || outcome === 'canceled' || (response?.status ?? 0) >= 400;

const DRAWN_THEMSELVES: ReadonlySet<string> = new Set(['image', 'font', 'media']);

/** Of data that failed a page may tell its user; a picture that failed changes nothing to be seen. */
export const isDrawnInVain = (request: Request): boolean => DRAWN_THEMSELVES.has(request.type) && isBroken(request);

const failedOf = (request: Request): { readonly failed?: true } => (isBroken(request) ? { failed: true } : {});

/** Nothing is known but that it came after something. */
function afterOf(asked: Request, before: Request): RequestReason {
  return { code: 'after', by: { ...sourceOf(before), ...failedOf(before) }, ...sinceOf(asked, before) };
}

/** No parser asks for data, whatever Chrome names; nor for what the trace saw no parser at. It sees no frame's document. */
function isDoubted({ initiator, type }: Request, shown: FoundCause | undefined): boolean {
  if (initiator?.type !== 'parser') return false;
  return (READ_BY_SCRIPT.has(type) && type !== 'script') || (shown?.cause === 'unknown' && type !== 'document');
}

/** How long after a response something was asked for; absent where that had not ended. */
function sinceOf(asked: Request, { endedAt }: Request): { readonly since?: Ms } {
  return endedAt === undefined || endedAt > asked.startedAt ? {} : { since: toMicroseconds(asked.startedAt - endedAt) };
}

/** That a step failed, and what the server said to it. A document with an error is measured only as a frame. */
function failureOf(request: Request): Pick<RequestStepFacts, 'failed' | 'status'> {
  if (!isFailed(request)) return {};
  return { failed: true, ...defined({ status: request.response?.status }) };
}

/** How long the main thread ran no long task between two moments. */
function idleBetween(from: Ms, to: Ms, longTasks: readonly LongTask[]): Ms {
  return longTasks.reduce((idle, task) => idle - overlapOf(stretchOf(task), { from, to }), to - from);
}

/** Where nobody knows who asked: the last that had come, in the frame if there is something, and else the document. */
function lastCome(
  asked: Request,
  ended: readonly Dated<Foreground>[],
  documents: readonly Request[],
): Request | undefined {
  const isNear = ({ request }: Foreground): boolean => request !== asked && isSameContext(request, asked);
  return (
    lastBetween(ended, { until: asked.startedAt }, isNear)?.request ??
    // Of a frame in which nothing has ended yet, its document has begun to arrive.
    documents.findLast(
      (each) =>
        each.type === 'document' && each !== asked && isSameContext(each, asked) && arrivalOf(each) <= asked.startedAt,
    ) ??
    documents.findLast(
      (each) => each.mainDocument && each !== asked && each.startedAt <= asked.startedAt && !each.fromPreviousDocument,
    )
  );
}

function initiatedBy(asked: Request, { request, origin }: AskedBy): RequestReason {
  const { type, line } = asked.initiator ?? {};
  const by = sourceOf(request);
  const place = defined({ by, line });
  switch (origin) {
    case 'redirect':
      return { code: 'redirected' };
    case 'replaced':
      return { code: 'replaced', by };
    case 'parser':
      return { code: 'parser' };
    case 'preflight':
    case 'named':
      if (type === 'preload') return { code: 'preload', ...place };
      if (request.type !== 'document') return { code: 'file', ...place };
      return { code: type === 'parser' ? 'parser' : 'inline-script', ...place };
  }
}

function sourceOf({ url, mainDocument, fromPreviousDocument }: Request): RequestSource {
  return { url, isPage: mainDocument === true && fromPreviousDocument !== true };
}
