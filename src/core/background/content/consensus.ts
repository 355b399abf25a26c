import { type BackgroundKind, KINDS } from '../../../model/background/kinds.ts';
import type { VerdictReason } from '../../../model/background/reason.ts';
import type { Endpoint } from '../../../model/background/series.ts';
import type { Confidence, EndpointRule } from '../../../model/background/verdict.ts';
import type { Request } from '../../../model/network/timeline.ts';
import type { Visit } from '../../../model/network/visit.ts';
import type { Ms } from '../../../model/units.ts';
import { defined } from '../../text/defined.ts';
import { HABIT } from '../../time/lags.ts';
import { hasLength } from '../detectors/http-stream.ts';
import { endpointOf } from '../endpoint.ts';
import { followersIn } from '../followers.ts';
import { fixedValuesOf, seriesOf } from '../series.ts';

/** What one run saw of an endpoint. */
export interface EndpointObservation {
  readonly endpoint: Endpoint;
  readonly fixed: Readonly<Record<string, string>>;
  /** Absent: the run saw enough of it, and it was content. */
  readonly kind?: BackgroundKind;
  readonly reason: VerdictReason;
  readonly confidence: Confidence;
  readonly requests: number;
  /** Of a series that ended: how long it took from its first request to its last, ms. */
  readonly lasted?: Ms;
}

/** What a run saw: every endpoint that a behaviour was recognised at, or clearly not. */
export function observationsOf({ timeline, verdicts, overruled }: Visit): readonly EndpointObservation[] {
  const fixedValues = fixedValuesOf(timeline);
  const series = new Map(
    seriesOf(timeline).flatMap(({ requests }) => requests.map(({ id }) => [id, requests] as const)),
  );
  const observations = new Map<string, EndpointObservation>();
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
    const known = observations.get(key);
    const requests = (known?.requests ?? 0) + 1;
    if (verdict && KINDS[verdict.kind].votes) {
      const { kind, reason, confidence } = verdict;
      observations.set(key, { endpoint, fixed, kind, reason, confidence, requests });
    } else if (known) {
      observations.set(key, { ...known, requests });
    } else if (!verdict && !overruled.has(request.id) && !accompanying.has(key)) {
      const asked = series.get(request.id) ?? [request];
      const reason = contentReason(request, asked.length);
      if (reason === undefined) continue;
      const lasted = reason.code === 'done' ? (asked.at(-1) ?? request).startedAt - request.startedAt : undefined;
      observations.set(key, { endpoint, fixed, reason, confidence: 'likely', requests, ...defined({ lasted }) });
    }
  }
  return [...observations.values()];
}

/** What shows clearly that a request is content, though behaviour like its own may be background; absent when nothing does. */
function contentReason(request: Request, seriesLength: number): VerdictReason | undefined {
  if (seriesLength >= HABIT) return { code: 'done' };
  return isEndedStream(request) ? { code: 'ended' } : undefined;
}

/** One key for an endpoint and the values that tell its questions apart. */
export function keyOf(endpoint: string, fixed: Readonly<Record<string, string>> = {}): string {
  return `${endpoint} ${JSON.stringify(fixed)}`;
}

/** A rule as an observation gives it, with what was seen on the screen where somebody looked. */
export function ruleFrom(
  { endpoint, fixed, kind, reason, confidence, lasted }: Omit<EndpointObservation, 'requests'>,
  seen: Pick<EndpointRule, 'content' | 'impact'> = {},
): EndpointRule {
  return defined({
    endpoint: endpoint.key,
    ...(Object.keys(fixed).length > 0 && { fixed }),
    kind,
    reason,
    confidence,
    content: seen.content,
    impact: seen.impact,
    lasted,
  });
}

/** What one run has to say about what is background: plain values, small enough to keep when the run itself is let go. */
export interface RunObservations {
  readonly observations: readonly EndpointObservation[];
  /** Every endpoint that the run met, by its key: true where it simply answered, and nothing about it was background. */
  readonly answered: ReadonlyMap<string, boolean>;
}

/** Reads off a run what it has to say about what is background. */
export function observeRun(visit: Visit): RunObservations {
  const answered = new Map<string, boolean>();
  const byEndpoint = Map.groupBy(visit.timeline.requests, (request) => endpointOf(request).key);
  for (const [key, requests] of byEndpoint) {
    const plain =
      requests.some(({ outcome }) => outcome === 'finished') && requests.every(({ id }) => !visit.verdicts.has(id));
    answered.set(key, plain);
  }
  return { observations: observationsOf(visit), answered };
}

/**
 * One verdict for an endpoint in all runs: what the untimed runs proved stands; else what most of the runs saw that saw
 * enough of it; when they are even, it is content. Endpoints on which nobody differs need no rule. The rules that were
 * proved come first, so that none was added where the answer is as long as `proved`.
 */
export function agree(runs: readonly RunObservations[], proved: readonly EndpointRule[]): readonly EndpointRule[] {
  const known = new Set(proved.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  const votes = new Map<string, EndpointObservation[]>();
  for (const { observations } of runs) {
    for (const observation of observations) {
      const key = keyOf(observation.endpoint.key, observation.fixed);
      if (known.has(key)) continue;
      const list = votes.get(key);
      if (list) list.push(observation);
      else votes.set(key, [observation]);
    }
  }
  return [...proved, ...[...votes.values()].flatMap((observations) => settle(observations, runs))];
}

function settle(
  observations: readonly EndpointObservation[],
  runs: readonly RunObservations[],
): readonly EndpointRule[] {
  const flagged = observations.filter(({ kind }) => kind !== undefined);
  const [most] = [...flagged].sort((a, b) => b.requests - a.requests);
  if (!most) return [];
  const kinds = new Set(flagged.map(({ kind }) => kind));
  const present = runs.filter(({ answered }) => answered.has(most.endpoint.key)).length;
  // All that met it agree: the detector's own verdict in each run is the better one, for it speaks of that run.
  if (flagged.length === present && kinds.size === 1) return [];
  const answered = plainAnswers(most, runs);
  const content = observations.length - flagged.length + answered;
  // What any run saw answered hangs in none: it is slow.
  if (content >= flagged.length || (most.kind === 'hung' && answered > 0)) {
    const reason: VerdictReason = { code: 'content-in-runs', runs: content, of: observations.length };
    const { endpoint, fixed } = most;
    return [ruleFrom({ endpoint, fixed, reason, confidence: 'possible' })];
  }
  const reason: VerdictReason = { code: 'in-runs', reason: most.reason, runs: flagged.length, of: present };
  return [ruleFrom({ ...most, reason })];
}

/** Runs in which a single answer, flagged elsewhere, simply came. Of streams and series only seeing enough counts. */
function plainAnswers({ endpoint, kind }: EndpointObservation, runs: readonly RunObservations[]): number {
  if (kind === undefined || KINDS[kind].family !== 'single') return 0;
  return runs.filter(({ answered }) => answered.get(endpoint.key) === true).length;
}

/** Content that came in pieces without saying how long it is: in mid-stream it looks endless. */
function isEndedStream(request: Request): boolean {
  if (request.endedAt === undefined || request.outcome === 'failed' || !request.response) return false;
  const streamable = request.type === 'fetch' || request.type === 'xhr' || request.type === 'eventsource';
  return streamable && !hasLength(request) && request.endedAt - request.response.at >= 1_000;
}
