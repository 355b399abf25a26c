import type { Request } from '../../model/timeline.ts';
import type { BackgroundKind, Confidence, Learnt, VisualImpact } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { type Endpoint, endpointOf } from './endpoint.ts';
import { followersIn } from './followers.ts';
import { hasLength } from './http-stream.ts';
import { SERIES, STREAMS } from './learnt.ts';
import { fixedValuesOf, seriesOf } from './series.ts';

/** Kinds that go by behaviour, which one run may show and another not. Facts of the protocol need no agreement. */
const BEHAVIOURS: ReadonlySet<BackgroundKind> = new Set([
  'http-stream',
  'long-poll',
  'poll',
  'reconnect',
  'hung',
  'sse',
  'beacon',
  'media',
]);
/** A series this long could have been flagged, had it been background. */
const LONG_ENOUGH = 3;

/** What one run saw of an endpoint. */
export interface Sighting {
  readonly endpoint: Endpoint;
  readonly fixed: Readonly<Record<string, string>>;
  /** Absent: the run saw enough of it, and it was content. */
  readonly kind?: BackgroundKind;
  readonly because: string;
  readonly confidence: Confidence;
  readonly requests: number;
}

/** What a run saw: every endpoint that a behaviour was recognised at, or clearly not. */
export function sightingsOf({ timeline, verdicts, overruled }: Visit): readonly Sighting[] {
  const fixedValues = fixedValuesOf(timeline);
  const lengths = new Map(
    seriesOf(timeline).flatMap(({ requests }) => requests.map(({ id }) => [id, requests.length] as const)),
  );
  const sightings = new Map<string, Sighting>();
  const followers = followersIn(timeline.requests, verdicts);
  const keyIn = (request: Request): string => keyOf(endpointOf(request).key, fixedValues.get(request.id));
  // What only accompanies background says nothing of itself, neither as background nor as content.
  const accompanying = new Set(timeline.requests.filter(({ id }) => followers.has(id)).map(keyIn));
  for (const request of timeline.requests) {
    if (request.fromPreviousDocument || request.mainDocument || followers.has(request.id)) continue;
    const endpoint = endpointOf(request);
    const fixed = fixedValues.get(request.id) ?? {};
    const key = keyIn(request);
    const verdict = verdicts.get(request.id);
    const known = sightings.get(key);
    const requests = (known?.requests ?? 0) + 1;
    if (verdict && BEHAVIOURS.has(verdict.kind)) {
      const { kind, because, confidence } = verdict;
      sightings.set(key, { endpoint, fixed, kind, because, confidence, requests });
    } else if (known) {
      sightings.set(key, { ...known, requests });
    } else if (!verdict && !overruled.has(request.id) && !accompanying.has(key)) {
      const because = contentBecause(request, lengths.get(request.id) ?? 1);
      if (because !== undefined) sightings.set(key, { endpoint, fixed, because, confidence: 'likely', requests });
    }
  }
  return [...sightings.values()];
}

/** What shows clearly that a request is content, though behaviour like its own may be background; absent when nothing does. */
function contentBecause(request: Request, seriesLength: number): string | undefined {
  if (seriesLength >= LONG_ENOUGH) return 'asked several times, and then done';
  return isEndedStream(request) ? 'a stream that came to its end' : undefined;
}

/** One key for an endpoint and the values that tell its questions apart. */
export function keyOf(endpoint: string, fixed: Readonly<Record<string, string>> = {}): string {
  return `${endpoint} ${JSON.stringify(fixed)}`;
}

/** A lesson as a sighting teaches it, with what was seen on the screen where somebody looked. */
export function lessonOf(
  { endpoint, fixed, kind, because, confidence }: Omit<Sighting, 'requests'>,
  seen: { readonly contentParts?: number; readonly impact?: VisualImpact } = {},
): Learnt {
  return {
    endpoint: endpoint.key,
    ...(Object.keys(fixed).length > 0 && { fixed }),
    ...(kind !== undefined && { kind }),
    because,
    confidence,
    ...(seen.contentParts !== undefined && { contentParts: seen.contentParts }),
    ...(seen.impact !== undefined && { impact: seen.impact }),
  };
}

/**
 * One verdict for an endpoint in all runs: what the untimed runs proved stands; else what most of the runs saw that saw
 * enough of it; when they are even, it is content. Endpoints on which nobody differs need no lesson.
 */
export function agree(visits: readonly Visit[], proved: readonly Learnt[]): readonly Learnt[] {
  const known = new Set(proved.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  const votes = new Map<string, Sighting[]>();
  for (const visit of visits) {
    for (const sighting of sightingsOf(visit)) {
      const key = keyOf(sighting.endpoint.key, sighting.fixed);
      if (known.has(key)) continue;
      const list = votes.get(key);
      if (list) list.push(sighting);
      else votes.set(key, [sighting]);
    }
  }
  return [...proved, ...[...votes.values()].flatMap((sightings) => settle(sightings, visits))];
}

function settle(sightings: readonly Sighting[], visits: readonly Visit[]): readonly Learnt[] {
  const flagged = sightings.filter(({ kind }) => kind !== undefined);
  const [most] = [...flagged].sort((a, b) => b.requests - a.requests);
  if (!most) return [];
  const kinds = new Set(flagged.map(({ kind }) => kind));
  const { key } = most.endpoint;
  const present = visits.filter(({ timeline }) =>
    timeline.requests.some((each) => endpointOf(each).key === key),
  ).length;
  // All that met it agree: the detector's own verdict in each run is the better one, for it speaks of that run.
  if (flagged.length === present && kinds.size === 1) return [];
  const content = sightings.length - flagged.length + plainAnswers(most, visits);
  if (content >= flagged.length) {
    const because = `content in ${content} of ${sightings.length} runs that saw enough of it`;
    const { endpoint, fixed } = most;
    return [lessonOf({ endpoint, fixed, because, confidence: 'possible' })];
  }
  const because = `${most.because} (in ${flagged.length} of ${present} runs)`;
  return [lessonOf({ ...most, because })];
}

/** Runs in which a single answer, flagged elsewhere, simply came. Of streams and series only seeing enough counts. */
function plainAnswers({ endpoint, kind }: Sighting, visits: readonly Visit[]): number {
  if (kind === undefined || STREAMS.has(kind) || SERIES.has(kind)) return 0;
  return visits.filter(({ timeline, verdicts }) => {
    const own = timeline.requests.filter((each) => endpointOf(each).key === endpoint.key);
    return own.some((each) => each.outcome === 'finished') && own.every((each) => !verdicts.has(each.id));
  }).length;
}

/** Content that came in pieces without saying how long it is: in mid-stream it looks endless. */
function isEndedStream(request: Request): boolean {
  if (request.endedAt === undefined || request.outcome === 'failed' || !request.response) return false;
  const streamable = request.type === 'fetch' || request.type === 'xhr' || request.type === 'eventsource';
  return streamable && !hasLength(request) && request.endedAt - request.response.at >= 1_000;
}
