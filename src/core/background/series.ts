import type { Series } from '../../model/background/series.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import { isFile } from './detectors/kept-file.ts';
import { endpointOf } from './endpoint.ts';

/** Types that scripts ask again and again with; everything else is loaded once. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'xhr',
  'fetch',
  'script',
  'image',
  'document',
  'other',
  'eventsource',
  'websocket',
]);
/** What markup names is loaded because the document says so, not because a script asks again. */
const NAMED_BY_MARKUP: ReadonlySet<string> = new Set(['script', 'image', 'other']);
const FROM_MARKUP: ReadonlySet<string> = new Set(['parser', 'preload']);

/** The questions of a timeline that were asked more than once. */
export function seriesOf(timeline: Timeline): readonly Series[] {
  const groups = new Map<string, Request[]>();
  for (const request of timeline.requests) {
    if (!mayRepeat(request)) continue;
    // A socket is no answer to a question, even at the same address.
    const key = `${isStream(request) ? request.type : ''} ${endpointOf(request).key}`;
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  return [...groups.values()].flatMap((group) => (group.length > 1 ? split(group) : []));
}

/** By the hop's id: the values that tell the question of a request from others at its endpoint; none for most. */
export function fixedValuesOf(timeline: Timeline): ReadonlyMap<string, Readonly<Record<string, string>>> {
  return new Map(seriesOf(timeline).flatMap(({ requests, fixed }) => requests.map(({ id }) => [id, fixed] as const)));
}

/** One question: an endpoint's key (`endpointOf`) and the values that tell it from others there. */
export interface Asked {
  readonly endpoint: string;
  readonly fixed?: Readonly<Record<string, string>>;
}

/** Does a request ask this question? */
export function asks(request: Request, { endpoint, fixed = {} }: Asked): boolean {
  const { key, values } = endpointOf(request);
  return key === endpoint && Object.entries(fixed).every(([name, value]) => values.get(name) === value);
}

/** Another thing each time (`/photos/1`, `/photos/2` …), never the same twice: a list is walked, not a question repeated. */
export function walksAList(requests: readonly Request[]): boolean {
  const [first] = requests;
  const ids = [...(first ? endpointOf(first).values.keys() : [])].filter((name) => name.startsWith('/'));
  return ids.some((name) => new Set(requests.map((request) => valueAt(request, name))).size === requests.length);
}

/** Sockets and event streams: asking again is coming back. */
export function isStream({ type }: Pick<Request, 'type'>): boolean {
  return type === 'websocket' || type === 'eventsource' || type === 'webtransport';
}

function mayRepeat(request: Request): boolean {
  if (request.fromPreviousDocument || request.mainDocument || request.hop > 0) return false;
  if (!REPEATABLE.has(request.type) || isFile(request)) return false;
  return !NAMED_BY_MARKUP.has(request.type) || !FROM_MARKUP.has(request.initiator?.type ?? '');
}

/** One endpoint can be asked several questions in turn; the values that come back again tell them apart. */
function split(group: readonly Request[]): readonly Series[] {
  const [first] = group;
  if (!first) return [];
  const endpoint = endpointOf(first);
  const names = [...endpoint.values.keys()].filter((name) => comesBack(group.map((each) => valueAt(each, name))));
  const parts = new Map<string, Request[]>();
  for (const request of group) {
    const key = JSON.stringify(names.map((name) => valueAt(request, name)));
    const part = parts.get(key);
    if (part) part.push(request);
    else parts.set(key, [request]);
  }
  return [...parts.values()].flatMap((requests): readonly Series[] => {
    const [head] = requests;
    if (!head || requests.length < 2) return [];
    return [{ endpoint, fixed: Object.fromEntries(names.map((name) => [name, valueAt(head, name) ?? ''])), requests }];
  });
}

function valueAt(request: Request, name: string): string | undefined {
  return endpointOf(request).values.get(name);
}

/** A, B, A: a value that returns after another one names something; one that only moves on (a cursor, a clock) does not. */
function comesBack(values: readonly (string | undefined)[]): boolean {
  const left = new Set<string | undefined>();
  for (let i = 1; i < values.length; i += 1) {
    if (values[i] === values[i - 1]) continue;
    left.add(values[i - 1]);
    if (left.has(values[i])) return true;
  }
  return false;
}
