import type { ElsewhereConditions } from '../model/host/conditions.ts';
import type { Visit } from '../model/network/visit.ts';
import type { Bytes, Ms } from '../model/units.ts';
import { SLOW_4G } from './conditions/networks.ts';
import { type After, type Load, loadOf, type Step, wasAt } from './fixes/replay/load.ts';
import { mainThreadTimesAt, taskTimeAt } from './path/stolen-time.ts';
import { timerOf } from './requests/initiators.ts';
import { originOf } from './requests/origin.ts';
import { toMicroseconds } from './time/time.ts';

/** Conditions that a load is replayed under. */
export interface Profile {
  /** The least time from a request to its answer's headers. */
  readonly latency: Ms;
  /** What the network lets through, bytes a millisecond. */
  readonly rate: number;
  /** How many times slower the main thread is. */
  readonly cpu: number;
}

/** The phone that results tell of, with the network that DevTools and Lighthouse emulate for one. */
export const PHONE = { device: 'phone', network: SLOW_4G.name, cpu: 4 } as const satisfies ElsewhereConditions;
const ON_PHONE: Profile = { latency: SLOW_4G.latency, rate: SLOW_4G.download / 8, cpu: PHONE.cpu };

/** Requests that a browser sends at a time to one server over HTTP/1.1. Source: Chromium, `kMaxSocketsPerGroup`. */
const MOST_CONNECTIONS = 6;
/** Pages do not rest for so long before they ask for something, unless they wait for it, ms. Source: RAIL, a delay that is noticed. */
const LONG_IDLE_MS = 100;
/** Less is left of a download only by rounding, bytes. */
const NOTHING: Bytes = 1e-3;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * When a page would be complete on that phone, ms, from a load on a fast network. Undefined where the load had a slow one, where
 * it is a step or the recording of another tool, or where the page was never complete.
 */
export function completeOnPhone(visit: Visit): Ms | undefined {
  const { navigation, foreign } = visit.recording;
  if (navigation.network !== undefined || navigation.step !== undefined || foreign !== undefined) return undefined;
  const load = loadOf(visit);
  return load && toMicroseconds(completeElsewhere(load, ON_PHONE));
}

/** A step in a replay. What is not known yet is at `NEVER`. */
interface Replayed {
  readonly step: Step;
  readonly after: readonly After[];
  /** How long after the last thing that it waits for it is possible. */
  readonly delay: Ms;
  readonly bytes: Bytes;
  readonly head: Ms;
  readonly receive: Ms;
  /** The server whose connections it shares over HTTP/1.1. */
  readonly pool: string | undefined;
  readonly connections: number;
  /** Shares of its download that something waits for, with when they were there. */
  readonly parts: Map<number, Ms>;
  possibleAt: Ms;
  startedAt: Ms;
  arrivedAt: Ms;
  broughtAt: Ms;
  left: Bytes;
}

/**
 * When the page would be complete under other conditions, ms. Each request starts when all that it waited for is there, and
 * the main thread has done, so many times slower, what it did in between. Its answer begins when the server had it, but not
 * before the network's latency is over; its bytes share the network with all others on their way. The network is that of
 * Chrome's emulation, which acts on requests: connecting takes no longer.
 */
export function completeElsewhere(load: Load, profile: Profile): Ms {
  const steps = load.steps.map((step) => replayedOf(step, load, profile));
  const byStep = new Map(steps.map((each) => [each.step, each]));
  const lastOf = (after: readonly After[]): Ms => Math.max(...after.map((each) => isAt(each, byStep.get(each.step))));
  let now = 0;
  for (;;) {
    for (const each of steps) {
      if (each.possibleAt === NEVER) {
        each.possibleAt = Math.max(0, lastOf(each.after)) + each.delay;
      }
      if (each.startedAt === NEVER && each.possibleAt <= now && hasConnection(each, steps)) {
        each.startedAt = now;
        each.arrivedAt = now + each.head;
      }
    }
    const open = steps.filter(({ arrivedAt, broughtAt }) => arrivedAt <= now && broughtAt === NEVER);
    const share = profile.rate / Math.max(1, open.filter(({ left }) => left > 0).length);
    const next = Math.min(
      ...open.map((each) => nextOf(each, now, share)),
      ...steps.flatMap(({ possibleAt, arrivedAt }) => [possibleAt, arrivedAt].filter((at) => at > now)),
    );
    if (!(next < NEVER)) break;
    for (const each of open) receive(each, next, (next - now) * share);
    now = next;
  }
  const moments = load.moments.map(({ at, after }) => lastOf(after) + delayOf(at, after, false, load, profile));
  const ends = steps.map(({ broughtAt }) => broughtAt);
  return [...ends, ...moments].filter((at) => at < NEVER).reduce((latest, at) => Math.max(latest, at), 0);
}

function replayedOf(step: Step, load: Load, profile: Profile): Replayed {
  const { request, arrivedAt, broughtAt } = step;
  const { response, transferSize, bodySize, url } = request;
  const isSent = /^https?:/i.test(url) && response?.fromCache === undefined && response?.fromServiceWorker !== true;
  // The wait for a connection is replayed itself.
  const sentAt = Math.max(step.startedAt, request.timing?.requestedAt ?? 0);
  const answered = Math.max(0, arrivedAt - Math.min(sentAt, arrivedAt));
  const bytes = isSent ? (transferSize ?? bodySize ?? 0) : 0;
  const parts = load.steps.flatMap(({ after }) =>
    after.flatMap((each) => (each.step === step && each.from.at === 'part' ? [each.from.share] : [])),
  );
  const after = waitedFor(step, load);
  const pool = isSent && /^http\/1/i.test(response?.protocol ?? '') ? originOf(url) : undefined;
  return {
    step,
    // What a timer starts waits for the clock, and not for the main thread.
    after,
    delay: delayOf(step.startedAt, after, timerOf(request.initiator) !== undefined, load, profile),
    bytes,
    left: bytes,
    head: isSent ? Math.max(profile.latency, answered) : answered,
    receive: broughtAt - arrivedAt,
    pool,
    connections: Math.max(1, MOST_CONNECTIONS - occupiedConnections(step, pool, load)),
    parts: new Map(parts.map((share) => [share, NEVER])),
    possibleAt: NEVER,
    startedAt: NEVER,
    arrivedAt: NEVER,
    broughtAt: NEVER,
  };
}

/** Connections to a server that streams and polls occupied when a step was sent, and until the page was complete. */
function occupiedConnections({ request }: Step, pool: string | undefined, { visit, completeAt }: Load): number {
  return visit.timeline.requests.filter(
    ({ id, url, type, startedAt, endedAt = NEVER }) =>
      visit.verdicts.has(id) &&
      type !== 'websocket' &&
      startedAt <= request.startedAt &&
      endedAt > completeAt &&
      originOf(url) === pool,
  ).length;
}

/**
 * What a step waited for. Where nothing tells, or the main thread and all that is known were idle for long before it, that is
 * also what came last before it: a slower page is not there any sooner.
 */
function waitedFor(step: Step, load: Load): readonly After[] {
  const { after, startedAt, request } = step;
  if (request.mainDocument || timerOf(request.initiator) !== undefined) return after;
  if (after.length > 0 && idleBefore(startedAt, after, load) < LONG_IDLE_MS) return after;
  const last = load.steps
    .filter((each) => each !== step && each.broughtAt <= startedAt)
    .reduce<Step | undefined>((a, b) => (a === undefined || b.broughtAt > a.broughtAt ? b : a), undefined);
  return last === undefined ? after : [...after, { step: last, isHeld: false, from: { at: 'end' } }];
}

function idleBefore(at: Ms, after: readonly After[], load: Load): Ms {
  const was = Math.max(0, ...after.map(wasAt));
  return Math.max(0, at - was) - busyBetween(was, at, load);
}

function hasConnection({ pool, connections }: Replayed, all: readonly Replayed[]): boolean {
  const beside = all.filter((each) => each.pool === pool && each.startedAt < NEVER && each.broughtAt === NEVER);
  return pool === undefined || beside.length < connections;
}

/** When a download has its next part, or is over. */
function nextOf({ left, bytes, parts, arrivedAt, receive }: Replayed, now: Ms, share: number): Ms {
  const ends = [...parts].flatMap(([part, at]) => (at === NEVER ? [left - bytes * (1 - part)] : []));
  const soonest = Math.min(left, ...ends.filter((bytesLeft) => bytesLeft > NOTHING));
  return soonest > NOTHING ? now + soonest / share : Math.max(now, arrivedAt + receive);
}

function receive(each: Replayed, now: Ms, got: Bytes): void {
  each.left = Math.max(0, each.left - got);
  for (const [part, at] of each.parts) {
    if (at === NEVER && each.left - each.bytes * (1 - part) <= NOTHING) each.parts.set(part, now);
  }
  // The server may have had to compute the rest, or have sent it slowly.
  if (each.left <= NOTHING && now >= each.arrivedAt + each.receive - NOTHING) each.broughtAt = now;
}

/** How long after what it waits for something comes, with what the main thread did in between so many times slower. */
function delayOf(at: Ms, after: readonly After[], isTimed: boolean, load: Load, { cpu }: Profile): Ms {
  const was = Math.max(0, ...after.map(wasAt));
  const gap = Math.max(0, at - was);
  return isTimed ? gap : gap + (cpu - 1) * busyBetween(was, at, load);
}

/** How long the main thread ran between two moments, by the processor's clock where that is known; all the time where nothing tells. */
function busyBetween(from: Ms, to: Ms, { visit }: Load): Ms {
  const gap = Math.max(0, to - from);
  const { mainThread } = visit.recording;
  const [before, after] = [from, to].map((at) => mainThreadTimesAt(mainThread, at)?.cpu ?? taskTimeAt(mainThread, at));
  return before === undefined || after === undefined ? gap : Math.min(gap, Math.max(0, after - before));
}

function isAt({ from }: After, replayed: Replayed | undefined): Ms {
  if (replayed === undefined) return NEVER;
  switch (from.at) {
    case 'end':
      return replayed.broughtAt;
    case 'part':
      return replayed.parts.get(from.share) ?? NEVER;
    case 'start':
      return replayed.startedAt + from.plus;
  }
}
