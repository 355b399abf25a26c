import type { OverrulingReason } from '../../model/reason.ts';
import type { Request } from '../../model/timeline.ts';
import type { EndpointRule, Verdict } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { isSameConnection } from './apply-rules.ts';
import { endpointOf } from './endpoint.ts';
import { asks } from './series.ts';

/** The requests to one endpoint that share a verdict. */
export interface Group {
  readonly label: string;
  readonly verdict: Verdict;
  /** Who overruled the verdict. */
  readonly by?: OverrulingReason;
  /** In order of start. */
  readonly requests: readonly Request[];
}

/** The requests on which a detector has a verdict, by kind and endpoint; where nobody overruled it, and where somebody did. */
export function groupsOf(
  { timeline, verdicts, overruled }: Pick<Visit, 'timeline' | 'verdicts' | 'overruled'>,
  learnt: readonly EndpointRule[] = [],
): readonly Group[] {
  const groups = new Map<string, Group & { readonly requests: Request[] }>();
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

/** What was learnt of a request's endpoint, or else of the same connection at another address. */
export function ruleOf(request: Request, learnt: readonly EndpointRule[]): EndpointRule | undefined {
  return learnt.find((rule) => asks(request, rule)) ?? learnt.find((rule) => isSameConnection(request, rule));
}
