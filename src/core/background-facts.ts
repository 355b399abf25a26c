import type { OverrulingReason } from '../model/reason.ts';
import type { BackgroundFacts } from '../model/run-facts.ts';
import type { Request } from '../model/timeline.ts';
import type { EndpointRule, Policy, Verdict } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { canAffectRendering } from './background/affects-rendering.ts';
import { isSameConnection } from './background/apply-rules.ts';
import { endpointOf } from './background/endpoint.ts';
import { rhythmOf } from './background/rhythm.ts';
import { asks } from './background/series.ts';
import { endingWith, FINISHED, judgeWith } from './complete.ts';
import { lastSignOfLife } from './timeline/inflight.ts';

/** How many of an endpoint's URLs are listed; a poll can have thousands. */
const LISTED_URLS = 10;

/** The requests to one endpoint that share a verdict. */
interface Group {
  readonly label: string;
  readonly verdict: Verdict;
  /** Who overruled the verdict. */
  readonly by?: OverrulingReason;
  readonly requests: Request[];
}

/**
 * The flagged requests of a visit, gathered by kind and endpoint, each with what counting it would have cost; behind
 * them those that a detector recognised and that count all the same.
 */
export function backgroundEndpoints(visit: Visit, policy: Policy): readonly BackgroundFacts[] {
  const groups = groupsOf(visit, policy);
  return [...groups.filter(({ by }) => by === undefined), ...groups.filter(({ by }) => by !== undefined)].map(
    ({ label, verdict, by, requests }): BackgroundFacts => {
      // One interval is no rhythm yet.
      const period = requests.length > 2 ? rhythmOf(requests).period : undefined;
      return {
        kind: verdict.kind,
        endpoint: label,
        urls: [...new Set(requests.map((request) => request.url))].slice(0, LISTED_URLS),
        requests: requests.length,
        firstStartedAt: requests[0]?.startedAt ?? 0,
        lastActivityAt: Math.max(...requests.map(lastSignOfLife)),
        stillOpen: requests.some((request) => request.endedAt === undefined),
        ...(period !== undefined && { period }),
        reason: verdict.reason,
        confidence: verdict.confidence,
        excluded: by === undefined,
        ...(by !== undefined && { overruling: by }),
        ...(by === undefined && costOf(requests, period, visit, policy)),
        visualImpact: impactOf(requests, verdict.kind, policy),
      };
    },
  );
}

function groupsOf({ timeline, verdicts, overruled }: Visit, { learnt = [] }: Policy): readonly Group[] {
  const groups = new Map<string, Group>();
  const tokens = tokensIn(timeline.requests.filter(({ id }) => verdicts.has(id) || overruled.has(id)));
  for (const request of timeline.requests) {
    const stands = verdicts.get(request.id);
    const fell = stands ? undefined : overruled.get(request.id);
    const verdict = stands ?? fell;
    if (!verdict) continue;
    const { key, ifToken, label } = endpointOf(request);
    const name = verdict.kind === 'media' ? mediaLabel(label) : connectionLabel(request, label, learnt);
    const own = ifToken !== undefined && tokens.has(ifToken) ? ifToken : key;
    const id = `${verdict.kind} ${fell === undefined} ${name ?? own}`;
    const group = groups.get(id);
    if (group) group.requests.push(request);
    else groups.set(id, { label: name ?? label, verdict, ...(fell && { by: fell.by }), requests: [request] });
  }
  return [...groups.values()];
}

/** The endpoints that were asked with random tokens as their queries: beside these, one that looks like a word is a token too. */
function tokensIn(requests: readonly Request[]): ReadonlySet<string> {
  return new Set(
    requests.flatMap((request) => {
      const { key, values, ifToken } = endpointOf(request);
      const isNamed = [...values.keys()].some((name) => !name.startsWith('/'));
      return request.url.includes('?') && !isNamed && ifToken === undefined ? [key] : [];
    }),
  );
}

/**
 * The label of a connection without what was another in the load that taught of it: all loads have one label then. Undefined
 * of what is asked for at one address.
 */
function connectionLabel(request: Request, label: string, learnt: readonly EndpointRule[]): string | undefined {
  const rule = ruleOf(request, learnt);
  if (!rule || asks(request, rule)) return undefined;
  const known = rule.endpoint.split(/[/?]/);
  return label.replace(/[^/?]+(?=[/?]|$)/g, (name) => (known.includes(name) ? name : '*'));
}

/** Segments are numbered inside their names: `seg-12.m4s`. A player is one thing, not one for each segment. */
function mediaLabel(label: string): string {
  const slash = label.lastIndexOf('/');
  const [name = '', ...rest] = label.slice(slash + 1).split('.');
  return label.slice(0, slash + 1) + [name.replace(/\d+/g, '*'), ...rest].join('.');
}

/** What looking at the page taught of an endpoint. */
function impactOf(
  requests: readonly Request[],
  kind: BackgroundFacts['kind'],
  { learnt = [] }: Policy,
): BackgroundFacts['visualImpact'] {
  if (requests.every((request) => !canAffectRendering(request, kind))) return 'none';
  const [first] = requests;
  return (first && ruleOf(first, learnt)?.impact) ?? 'unknown';
}

/** What was learnt of a request's endpoint, or else of the same connection at another address. */
function ruleOf(request: Request, learnt: readonly EndpointRule[]): EndpointRule | undefined {
  return learnt.find((rule) => asks(request, rule)) ?? learnt.find((rule) => isSameConnection(request, rule));
}

/** What page-complete would have been with these requests counted. */
function costOf(
  requests: readonly Request[],
  period: number | undefined,
  { timeline, verdicts, complete }: Visit,
  policy: Policy,
): Pick<BackgroundFacts, 'cost' | 'countedState'> {
  if (complete.state !== 'complete') return {};
  const counted = new Set(requests.map((request) => request.id));
  const rest = new Map([...verdicts].filter(([id]) => !counted.has(id)));
  // What had not fallen quiet with these requests by the end of watching, never does.
  const otherwise = judgeWith(rest, timeline, endingWith(timeline, policy), FINISHED);
  if (otherwise.state === 'pending') return {};
  if (otherwise.state === 'complete') return { countedState: 'complete', cost: otherwise.at - complete.at };
  // A rhythm faster than the window breaks every silence that has not lasted yet.
  const breaksEverySilence = period !== undefined && period < policy.quietWindow;
  return { countedState: breaksEverySilence ? 'never' : otherwise.state };
}
