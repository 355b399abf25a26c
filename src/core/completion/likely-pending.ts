import type { Policy, Verdicts } from '../../model/background/verdict.ts';
import type { ResourceType } from '../../model/network/network.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { isFile } from '../background/detectors/kept-file.ts';
import { endpointOf } from '../background/endpoint.ts';
import { GOES_ON_WITHIN_MS } from '../time/lags.ts';

/** What nobody asks for again and again: a document, a picture and whatever else markup names. */
const NEVER_POLLED: ReadonlySet<ResourceType> = new Set<ResourceType>([
  'document',
  'stylesheet',
  'image',
  'font',
  'media',
  'texttrack',
  'manifest',
  'prefetch',
  'preflight',
]);

function canBePolled(request: Request): boolean {
  const { type, outcome, hop, response } = request;
  if (NEVER_POLLED.has(type) || outcome === 'redirected' || hop > 0) return false;
  // Nobody withholds what a cache has.
  return response?.fromCache === undefined && response?.status !== 304 && !isFile(request);
}

/** A series that a recording shows up to its last answer, although it probably went on. */
export interface LikelyPending {
  readonly last: Request;
  readonly lastEndedAt: Ms;
  /** How long after an answer it was asked again. */
  readonly pause: Ms;
  /** How many of them were seen. */
  readonly requests: number;
  /** How long the quicker of the last two answers took. */
  readonly shortest: Ms;
}

/** What was answered and asked again at once, time after time, was probably open when the recording ended. */
export function likelyPending(timeline: Timeline, verdicts: Verdicts, policy: Policy): readonly LikelyPending[] {
  const series = new Map<string, Request[]>();
  for (const request of timeline.requests) {
    if (verdicts.has(request.id) || !canBePolled(request)) continue;
    const { key } = endpointOf(request);
    const known = series.get(key);
    if (known) known.push(request);
    else series.set(key, [request]);
  }
  return [...series.values()].flatMap((requests): readonly LikelyPending[] => {
    const [before, last] = requests.slice(-2);
    if (last?.endedAt === undefined || before?.endedAt === undefined) return [];
    const pause = last.startedAt - before.endedAt;
    const since = timeline.observedUntil - last.endedAt;
    // What would have been open for much longer than any answer took was not asked.
    const longest = Math.max(policy.quietWindow, 2 * (last.endedAt - last.startedAt));
    if (pause < 0 || pause > GOES_ON_WITHIN_MS || since <= pause || since > longest) return [];
    const shortest = Math.min(last.endedAt - last.startedAt, before.endedAt - before.startedAt);
    return [{ last, lastEndedAt: last.endedAt, pause, requests: requests.length, shortest }];
  });
}
