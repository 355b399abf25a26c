import type { RequestCause } from '../../model/background/request-reason.ts';
import type { KnownCause, ShownCause } from '../../model/completion/causes.ts';
import type { StepPlace } from '../../model/main-thread.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import { endpointOf } from '../background/endpoint.ts';
import { answeredAt } from '../requests/initiators.ts';

/** What made a request be asked for, in its own load. */
export interface FoundCause {
  readonly cause: RequestCause;
  /** Whose answer, message or code led there. */
  readonly by?: Request;
  readonly place?: StepPlace;
}

/** What made a request be asked for; undefined where nothing was shown. */
export type CauseLookup = (request: Request) => FoundCause | undefined;

/** What is shown of the requests of a visit: by its own trace, and else by that of the page's untimed load. */
export function causesIn({ recording, timeline, known }: Pick<Visit, 'recording' | 'timeline' | 'known'>): CauseLookup {
  if (recording.causes) return tracedCauses(recording.causes, timeline);
  return known?.causes ? knownCauses(known.causes, timeline) : () => undefined;
}

function tracedCauses(causes: readonly ShownCause[], { requests }: Timeline): CauseLookup {
  // Of a redirect, the first was asked for; the others followed.
  const byId = new Map(causes.toReversed().map((each) => [each.requestId, each]));
  // What came in the end of a redirect is what led to something.
  const hops = new Map(requests.map((each) => [each.requestId, each]));
  return (request) => {
    const shown = request.hop === 0 ? byId.get(request.requestId) : undefined;
    if (shown === undefined) return undefined;
    const by = shown.by === undefined ? undefined : hops.get(shown.by);
    return { cause: shown.cause, by, place: shown.place };
  };
}

/**
 * The addresses of all that led to each request, by its own address: the code that asked, what that waited for, and so on
 * back to the page. Without those of which a cause is unknown.
 */
export function chainsOfCauses(causes: readonly ShownCause[]): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(causes.toReversed().map((each) => [each.requestId, each]));
  const chains = new Map<string, readonly string[]>();
  for (const each of causes) {
    const chain = new Set<string>();
    const seen = new Set<string>();
    let next: ShownCause | undefined = each;
    while (next?.by !== undefined && next.cause !== 'unknown' && !seen.has(next.requestId)) {
      seen.add(next.requestId);
      for (const url of [next.place?.url, next.byUrl]) if (url !== undefined) chain.add(url);
      // What nobody sent from the page is its document.
      const led: ShownCause | undefined = byId.get(next.by);
      if (led === undefined && !chains.has(each.url)) chains.set(each.url, [...chain]);
      next = led;
    }
  }
  return chains;
}

/** What every load of a page is told: what led to what, by addresses and places. */
export function knownCausesOf(causes: readonly ShownCause[], { requests }: Timeline): readonly KnownCause[] {
  const lookup = tracedCauses(causes, { requests } as Timeline);
  return requests.flatMap((request): readonly KnownCause[] => {
    const { cause, by, place } = lookup(request) ?? { cause: 'unknown' };
    if (cause === 'unknown' || by === undefined) return [];
    const { method, url } = request;
    return [{ method, url, cause, by: { method: by.method, url: by.url }, place }];
  });
}

/** The cause of the same address asked from the same place; of another address of its endpoint, where all are alike. */
function knownCauses(causes: readonly KnownCause[], { requests }: Timeline): CauseLookup {
  const exact = Map.groupBy(causes, (each) => keyOf(each, each.place, (of) => `${of.method} ${of.url}`));
  const alike = Map.groupBy(causes, (each) => keyOf(each, each.place, (of) => endpointOf(of).key));
  const byUrl = Map.groupBy(requests, (each) => `${each.method} ${each.url}`);
  const byEndpoint = Map.groupBy(requests, (each) => endpointOf(each).key);
  return (request) => {
    const place = placeOf(request);
    const own = exact.get(keyOf(request, place, (of) => `${of.method} ${of.url}`));
    const found = onlyOf(own ?? alike.get(keyOf(request, place, (of) => endpointOf(of).key)) ?? []);
    if (found === undefined) return undefined;
    const { cause, by } = found;
    const led = byUrl.get(`${by.method} ${by.url}`) ?? byEndpoint.get(endpointOf(by).key) ?? [];
    // A page may ask for the same again: the last that had come by then.
    const last = led.findLast((each) => each !== request && answeredAt(each) <= request.startedAt);
    return last === undefined ? undefined : { cause, by: last, place: found.place };
  };
}

/** The same causes of a page that is served from another origin now. */
export function movedCauses(causes: readonly KnownCause[], from: string, to: string): readonly KnownCause[] {
  const moved = <T extends { readonly url: string }>(of: T): T => ({
    ...of,
    url: of.url.replace(`${from}/`, `${to}/`),
  });
  return causes.map(({ by, place, ...asked }) => ({
    ...moved(asked),
    by: moved(by),
    ...(place && { place: moved(place) }),
  }));
}

type Asked = Pick<Request, 'method' | 'url'>;

const keyOf = (asked: Asked, place: StepPlace | undefined, of: (asked: Asked) => string): string =>
  `${of(asked)} ${place === undefined ? '' : `${place.url}:${place.line}:${place.column}`}`;

/** Of causes that say the same, one; undefined where they do not. */
function onlyOf(causes: readonly KnownCause[]): KnownCause | undefined {
  const [first] = causes;
  const isSame = ({ cause, by }: KnownCause): boolean =>
    cause === first?.cause && endpointOf(by).key === endpointOf(first.by).key;
  return causes.every(isSame) ? first : undefined;
}

/** Where the network's own stack says that it was asked for: the trace names the same function. */
function placeOf({ initiator }: Request): StepPlace | undefined {
  const frame = initiator?.stack?.[0];
  return frame === undefined || frame.url === ''
    ? undefined
    : { url: frame.url, line: frame.line, column: frame.column };
}
