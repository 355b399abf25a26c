import type { Verdict } from '../../model/background/verdict.ts';
import type { StarvationFact } from '../../model/fixes.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { countUntil, type Dated, sortedByTime } from '../time/last-between.ts';
import { endOf, inFlightAt } from '../timeline/inflight.ts';
import { originOf } from './origin.ts';

/** Connections that browsers open to one HTTP/1.1 origin at most. Source: chromium net/socket/client_socket_pool_manager.cc. */
const CONNECTIONS = 6;
/** A pool of which background holds less than half is filled by the page itself. */
const CULPRITS = CONNECTIONS / 2;
/** A wait for a connection that is worth telling, ms. */
const WORTH_TELLING_MS = 100;
/** Less than this a request takes to be sent at any time, ms. */
const QUEUED_MS = 5;

/** A request that had to wait for a connection because background traffic held them all. */
export interface Starvation {
  readonly request: Request;
  /** From when to when it could not be sent. */
  readonly from: Ms;
  readonly to: Ms;
  /** The background requests that held the origin's connections all that time. */
  readonly culprits: readonly Request[];
}

/** Content that streams held back: slowness of the page itself, to be reported, not to be left out. */
export function starvationOf(timeline: Timeline, verdicts: ReadonlyMap<string, Verdict>): readonly Starvation[] {
  const pools = poolsOf(timeline);
  const background = new Map<Pool, readonly Request[]>();
  return timeline.requests.flatMap((request): readonly Starvation[] => {
    if (verdicts.has(request.id) || request.fromPreviousDocument) return [];
    const to = sentAt(request) ?? timeline.observedUntil;
    const from = request.startedAt;
    if (to - from < WORTH_TELLING_MS) return [];
    const pool = pools.get(originOf(request.url));
    if (pool === undefined || !isFull(pool, request)) return [];
    const held = background.get(pool) ?? pool.requests.filter(({ id }) => verdicts.has(id));
    background.set(pool, held);
    const culprits = held.filter((each) => inFlightAt(each, from) && (each.endedAt ?? to) >= to - WORTH_TELLING_MS);
    return culprits.length >= CULPRITS ? [{ request, from, to, culprits }] : [];
  });
}

/**
 * Finds from when to when a request could not be sent, because others held all connections to its server; undefined of all
 * others.
 */
export function queuesOf(timeline: Timeline): (request: Request) => Pick<Starvation, 'from' | 'to'> | undefined {
  const pools = poolsOf(timeline);
  return (request) => {
    const to = sentAt(request) ?? timeline.observedUntil;
    const from = request.startedAt;
    if (to - from < QUEUED_MS || !takesAConnection(request)) return undefined;
    const pool = pools.get(originOf(request.url));
    return pool && isFull(pool, request) ? { from, to } : undefined;
  };
}

/** What is reported of starved requests: of the one that waited longest, and how many others there were. */
export function starvationFact(starved: readonly Starvation[]): StarvationFact | undefined {
  const [longest] = starved.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (longest === undefined) return undefined;
  const { request, from, to } = longest;
  const culprits = [...new Set(longest.culprits.map(({ url }) => url))];
  return {
    code: 'stream-starvation',
    urls: [request.url, ...culprits],
    facts: {
      connections: longest.culprits.length,
      origin: originOf(request.url),
      url: request.url,
      from,
      to,
      others: starved.length - 1,
      culprits,
    },
  };
}

/** Of some requests those that do not wait, unsent, for one of their origin's connections at the end of a timeline. */
export function withoutHeldBack(requests: readonly Request[], timeline: Timeline): readonly Request[] {
  if (requests.every(isSent)) return requests;
  const pools = poolsOf(timeline);
  return requests.filter((request) => {
    if (isSent(request)) return true;
    const pool = pools.get(originOf(request.url));
    const earlier = pool?.requests.slice(0, countUntil(pool.starts, request.startedAt)) ?? [];
    const held = earlier.filter((each) => each !== request && inFlightAt(each, timeline.observedUntil));
    return held.length < CONNECTIONS;
  });
}

/** The requests to one origin of which each takes a connection of its own. */
interface Pool {
  /** In the order in which they were asked for. */
  readonly requests: readonly Request[];
  readonly starts: readonly Dated<Request>[];
  readonly ends: readonly Dated<Request>[];
}

function poolsOf(timeline: Timeline): ReadonlyMap<string, Pool> {
  const taking = timeline.requests.filter((each) => each.type !== 'websocket' && takesAConnection(each));
  return new Map(
    [...Map.groupBy(taking, ({ url }) => originOf(url))].map(([origin, requests]) => {
      const starts = sortedByTime(requests, ({ startedAt }) => startedAt);
      return [origin, { requests: starts.map(({ what }) => what), starts, ends: sortedByTime(requests, endOf) }];
    }),
  );
}

/** Were all connections taken by others when a request was asked for? */
function isFull({ starts, ends }: Pool, request: Request): boolean {
  const at = request.startedAt;
  const own = request.type !== 'websocket' && takesAConnection(request) && inFlightAt(request, at) ? 1 : 0;
  return countUntil(starts, at) - countUntil(ends, at) - own >= CONNECTIONS;
}

/** HTTP/2 and later carry many exchanges on one connection. What was not answered yet has not said. */
function takesAConnection({ response }: Request): boolean {
  return response?.fromCache === undefined && /^http\/1/i.test(response?.protocol ?? 'http/1.1');
}

function isSent(request: Request): boolean {
  return request.response !== undefined || sentAt(request) !== undefined;
}

/** When it left the browser; an answered one whose timing is not known left at once, as far as one can tell. */
function sentAt({ timing, response, startedAt }: Request): Ms | undefined {
  return timing?.sendStart ?? timing?.connectStart ?? (response ? startedAt : undefined);
}
