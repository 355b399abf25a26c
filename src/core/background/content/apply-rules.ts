import { KINDS } from '../../../model/background/kinds.ts';
import type { OverrulingReason } from '../../../model/background/reason.ts';
import type { EndpointRule, Verdict } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import { headerOf } from '../../text/header.ts';
import { PATIENCE } from '../../time/lags.ts';
import { endOf } from '../../timeline/inflight.ts';
import { differInIds, endpointOf } from '../endpoint.ts';
import { asks } from '../series.ts';
import { awaitedAnswers, recognise, type Watching } from './recognise.ts';
import { arrivalsOfStream, isStreamKind } from './source.ts';

/**
 * Applies what other runs have taught to the verdicts of this one, in place: an endpoint is background everywhere or
 * nowhere, whatever part of its behaviour this run happened to see.
 */
export function applyLearnt(
  timeline: Timeline,
  learnt: readonly EndpointRule[],
  verdicts: Map<string, Verdict>,
  quietWindow: Ms,
  overrule: (id: string, by: OverrulingReason) => void,
): void {
  const known = new Set(learnt.map(({ endpoint }) => endpoint));
  const asked = new Set(timeline.requests.map((request) => endpointOf(request).key));
  const meant = new Map(
    learnt.map((rule) => [rule, timeline.requests.filter((request) => isMeant(request, rule, known, asked))]),
  );
  for (const [rule, requests] of meant) {
    if (goesOn(requests, rule)) continue;
    const watched = { observedUntil: timeline.observedUntil, quietWindow };
    const count = countOfContent(requests, rule, watched);
    requests.forEach((request, i) => {
      const own = verdicts.get(request.id);
      if (rule.kind === undefined) {
        overrule(request.id, rule.reason);
        return;
      }
      if (isContent(i, rule, count, own)) {
        verdicts.delete(request.id);
        return;
      }
      // Without effect is what has no name: a pixel in a frame that nobody sees is still a beacon.
      const named = rule.kind === 'no-effect' && own && KINDS[own.kind].family === 'single' ? own : undefined;
      verdicts.set(request.id, {
        requestId: request.id,
        kind: named?.kind ?? rule.kind,
        reason: named?.reason ?? (own?.kind === rule.kind ? own.reason : rule.reason),
        confidence: rule.confidence,
        ...(rule.impact !== undefined && { impact: rule.impact }),
        ...countedPart(request, requests.slice(0, i), rule, own, watched),
      });
    });
  }
}

/** A series that was done where it was learnt, and is not done here by far. */
function goesOn(requests: readonly Request[], { lasted }: EndpointRule): boolean {
  const [first] = requests;
  const last = requests.at(-1);
  return (
    first !== undefined &&
    last !== undefined &&
    lasted !== undefined &&
    last.startedAt - first.startedAt > PATIENCE.factor * lasted + PATIENCE.ms
  );
}

/**
 * What was learnt of an endpoint holds for its requests, not for what the page's markup or its redirects made of it. A socket
 * that was at another address then, but for ids, is the same.
 */
function isMeant(
  request: Request,
  rule: EndpointRule,
  known: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): boolean {
  if (request.fromPreviousDocument || request.mainDocument) return false;
  if (asks(request, rule)) return true;
  if (rule.fixed !== undefined || known.has(endpointOf(request).key)) return false;
  return !asked.has(rule.endpoint) && isSameConnection(request, rule);
}

/** Was a rule learnt of the same connection, which was at another address then, but for ids? */
export function isSameConnection(request: Request, { endpoint }: Pick<EndpointRule, 'endpoint'>): boolean {
  return isConnection(request) && differInIds(endpointOf(request).key, endpoint);
}

/** Each load has connections of its own, and may name them by an id of its own. */
const isConnection = ({ type }: Request): boolean => type === 'websocket' || type === 'eventsource';

/** Is the i-th request of a series content altogether? */
function isContent(i: number, { kind }: EndpointRule, count: number | undefined, own: Verdict | undefined): boolean {
  if (kind === undefined || KINDS[kind].family !== 'series') return false;
  // Where nobody could tell, the first answer is content, as everywhere; the detector may have seen that it was not.
  return count === undefined ? i === 0 && own === undefined : i < count;
}

type Watched = Pick<Watching, 'observedUntil' | 'quietWindow'>;

/** How many requests of a series are content: all, while some of that is awaited. Undefined where nobody can tell. */
function countOfContent(
  requests: readonly Request[],
  { kind, content }: EndpointRule,
  watched: Watched,
): number | undefined {
  const [first] = requests;
  if (first === undefined || content === undefined || kind === undefined || isStreamKind(kind)) return undefined;
  const arrivals = awaitedAnswers(requests);
  const found = recognise(arrivals, content, { ...watched, from: first.startedAt, isOpen: true });
  if (found === undefined) return 0;
  if (found.state === 'awaited') return requests.length;
  return found.state === 'missing' ? undefined : arrivals.indexOf(found.last) + 1;
}

/** What of a stream is content. */
function countedPart(
  request: Request,
  earlier: readonly Request[],
  { kind, content }: EndpointRule,
  own: Verdict | undefined,
  watched: Watched,
): Pick<Verdict, 'counts' | 'parts' | 'missing'> {
  if (kind === undefined || !isStreamKind(kind)) return {};
  // A connection that failed had brought nothing.
  const lost = earlier.filter((each) => endOf(each) <= request.startedAt && arrivalsOfStream(each).length > 0);
  // What comes back brings again what is there already, unless it goes on from where it was.
  if (lost.length > 0 && !isResumed(request)) return {};
  if (content === undefined) return lost.length > 0 || own?.counts === undefined ? {} : { counts: own.counts };
  const { startedAt: from, endedAt } = request;
  const arrivals = [...lost, request].flatMap(arrivalsOfStream);
  const isOpen = endedAt === undefined;
  const found = recognise(arrivals, content, { ...watched, from, isOpen });
  if (found?.state === 'awaited') return { counts: { from } };
  if (found?.state === 'missing') return isOpen ? { missing: true } : {};
  return found === undefined || found.last.at < from ? {} : { counts: { from, to: found.last.at }, parts: found.parts };
}

/** Does it say which event it had last? Source: HTML, server-sent events; libraries that read them by fetch do the same. */
function isResumed({ requestHeaders }: Request): boolean {
  return (headerOf(requestHeaders, 'last-event-id') ?? '') !== '';
}
