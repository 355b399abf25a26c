import { KINDS } from '../../model/background/kinds.ts';
import type { OverrulingReason } from '../../model/background/reason.ts';
import type { EndpointRule, Verdict } from '../../model/background/verdict.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import { codePlacesOf } from '../requests/initiators.ts';
import { originOf } from '../requests/origin.ts';
import { isSameConnection } from './content/apply-rules.ts';
import { endpointOf } from './endpoint.ts';
import { operationOf } from './operation.ts';
import { asks } from './series.ts';

/** The requests to one endpoint that share a verdict, or to several that are one thing. */
export interface Group {
  readonly label: string;
  /** How many endpoints they went to, where these are one thing. */
  readonly endpoints?: number;
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
  for (const request of timeline.requests) {
    const stands = verdicts.get(request.id);
    const fell = stands ? undefined : overruled.get(request.id);
    const verdict = stands ?? fell;
    if (!verdict) continue;
    const { key, label } = endpointOf(request);
    const name = verdict.kind === 'media' ? mediaLabel(label) : connectionLabel(request, label, learnt);
    const id = `${verdict.kind} ${fell === undefined} ${name ?? key}`;
    const group = groups.get(id);
    if (group) group.requests.push(request);
    else groups.set(id, { label: name ?? label, verdict, ...(fell && { by: fell.by }), requests: [request] });
  }
  return together([...groups.values()]);
}

/**
 * The groups, those that are one thing as one: the files of a service worker's cache, and what one script reports to one
 * origin. Each of them says the same.
 */
function together(groups: readonly Group[]): readonly Group[] {
  const things = Map.groupBy(groups, (group) => thingOf(group) ?? group);
  return [...things.values()].flatMap((own): readonly Group[] => {
    const [first, ...others] = own;
    if (first === undefined || others.length === 0) return own;
    const labels = [...new Set(own.map(({ label }) => label))];
    const requests = own.flatMap((each) => each.requests).toSorted((a, b) => a.startedAt - b.startedAt);
    return [{ ...first, label: inCommon(labels), requests, ...(labels.length > 1 && { endpoints: labels.length }) }];
  });
}

/** So many calls tell one caller of a function that asks for everything from another. */
const CALLS = 2;

/** What it is a part of; undefined of what stands for itself. */
function thingOf({ verdict: { kind, reason }, by, requests: [first] }: Group): string | undefined {
  const { family, foundBy, mayBeHeld } = KINDS[kind];
  // What plays or hangs is a thing by itself, and what the user has named has a name.
  if (first === undefined || by !== undefined || foundBy === 'user' || mayBeHeld === false) return undefined;
  // An answer to a report that nobody reads has no end that the browser would tell of.
  const isUnread = reason.code === 'silent-answer' && first.method !== 'GET';
  if ((family !== 'single' && !isUnread) || (first.postBody && operationOf(first.postBody) !== undefined))
    return undefined;
  if (reason.code === 'own-cache') return reason.what === 'cache' ? reason.code : undefined;
  // Reports have one sender. What is asked for and has no effect may be many things of one script, each from its own place.
  const isReport = kind !== 'no-effect' || first.method !== 'GET';
  const from = isReport ? fileThatAsked(first) : codePlacesOf(first, CALLS).join(' ');
  if (from === undefined || from === '') return undefined;
  return [kind, reason.code, first.method, originOf(first.url), from].join(' ');
}

/** The script that asked, or the document whose markup did. */
function fileThatAsked({ initiator }: Request): string | undefined {
  return initiator?.stack?.find(({ url }) => url !== '')?.url ?? initiator?.url;
}

/** `GET https://shop.test/assets/*` of files in one folder. */
function inCommon(labels: readonly string[]): string {
  const [first = '', ...others] = labels;
  if (others.length === 0) return first;
  const paths = labels.map((label) => label.replace(/\?.*$/s, '').split('/'));
  const [own = []] = paths;
  const known = own.findIndex((name, i) => paths.some((names) => i === names.length - 1 || names[i] !== name));
  return `${own.slice(0, known).join('/')}/*`;
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
