import type { VerdictReason } from '../../model/reason.ts';
import type { Request, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { Detector, Observation, Verdict } from '../../model/verdict.ts';
import { defined } from '../defined.ts';
import { headerOf } from '../header.ts';
import { callSiteOf } from '../initiators.ts';
import { median } from '../median.ts';
import { endOf } from '../timeline/inflight.ts';
import { askedAgainWithin } from './rhythm.ts';
import { isStream, seriesOf } from './series.ts';

/** How long an answer has to be open to be looked at, ms. Source: docs/page-complete.md. */
const OPEN_MS = 2_000;
/** A pause between two pieces that a download does not make, ms. */
const SPACED_MS = 200;
/** Silence in mid-answer that a download does not make, ms. */
const SILENT_MS = 5_000;

/** Types whose body is read piece by piece, or shown piece by piece. Everything else is of use only when it is whole. */
const STREAMABLE: ReadonlySet<string> = new Set(['fetch', 'xhr', 'document', 'image', 'other']);
/** A body of this type replaces itself for ever. Source: HTML, "multipart/x-mixed-replace". */
export const ENDLESS = 'multipart/x-mixed-replace';

/**
 * An answer whose headers came and whose body does not end: endless fetches, frames that are written for ever, camera
 * pictures. One that ends after all was content.
 */
export const httpStream: Detector = {
  detect: (timeline, observation) => [
    ...openedAgain(timeline, observation),
    ...timeline.requests.flatMap((request): readonly Verdict[] => {
      if (request.mainDocument || !request.response || !STREAMABLE.has(request.type)) return [];
      if (request.response.mimeType.toLowerCase() === ENDLESS) {
        return [verdict(request, { code: 'replaces-itself', pieces: request.chunks.length }, 'certain')];
      }
      if (request.endedAt !== undefined || hasLength(request)) return [];
      return streaming(request, timeline, observation);
    }),
  ],
};

/** So many pauses between pieces make an answer a stream; padding and a piece that comes late have fewer. */
const MIN_PAUSES = 2;
/** The same question is answered piece by piece, and asked again whenever its answer has ended: one stream, in parts. */
function openedAgain(timeline: Timeline, { suspectMs }: Observation): readonly Verdict[] {
  return seriesOf(timeline).flatMap(({ requests }): readonly Verdict[] => {
    const [first] = requests;
    if (!first || isStream(first) || !isOpenedAgain(requests, timeline)) return [];
    const pieces = requests.reduce((sum, { chunks }) => sum + chunks.length, 0);
    const reason = { code: 'opened-again', times: requests.length, pieces, ...callSiteOf(first) } as const;
    return requests.map((request) => ({
      ...verdict(request, reason, 'likely', first.startedAt + suspectMs),
      // It brings again what the first one had brought, or goes on with it.
      ...(request !== first && { goesOn: true as const }),
    }));
  });
}

/** Are answers that come piece by piece asked for again and again, each as soon as the one before it has ended? */
export function isOpenedAgain(requests: readonly Request[], { observedUntil }: Timeline): boolean {
  const ended = requests.filter(({ endedAt }) => endedAt !== undefined);
  const last = requests.at(-1);
  if (!last || ended.length < 2 || !ended.every(comesInPieces)) return false;
  const isAtOnce = requests.slice(1).every((request, i) => {
    const before = requests[i];
    return before !== undefined && request.startedAt >= endOf(before) && request.startedAt <= againBy(before);
  });
  return isAtOnce && observedUntil <= againBy(last);
}

function againBy(request: Request): Ms {
  return endOf(request) + askedAgainWithin(request);
}

function comesInPieces(request: Request): boolean {
  return pausesIn(request).filter(isSpaced).length >= MIN_PAUSES && !hasLength(request);
}

/** The pauses between the pieces that came, ms. */
function pausesIn({ chunks }: Request): readonly Ms[] {
  return chunks.slice(1).map(({ at }, i) => at - (chunks[i]?.at ?? at));
}

const isSpaced = (pause: Ms): boolean => pause >= SPACED_MS;

function streaming(
  request: Request,
  { observedUntil }: Timeline,
  { suspectMs, silentMs }: Observation,
): readonly Verdict[] {
  const answeredAt = request.response?.at ?? request.startedAt;
  if (observedUntil - answeredAt < OPEN_MS) return [];
  const { chunks } = request;
  const silence = observedUntil - (chunks.at(-1)?.at ?? answeredAt);
  const open = observedUntil - answeredAt;
  if (silence >= SILENT_MS) {
    const came = chunks.length === 0 ? {} : { bytes: request.contentSize };
    const reason: VerdictReason = { code: 'silent-answer', open, silence, ...came, ...callSiteOf(request) };
    return [verdict(request, reason, 'possible', request.startedAt + silentMs)];
  }
  const pauses = pausesIn(request);
  if (!pauses.some(isSpaced)) return [];
  const seen = { open, pieces: chunks.length, every: median(pauses) };
  const reason: VerdictReason = { code: 'endless-answer', ...seen, ...callSiteOf(request) };
  return [verdict(request, reason, 'likely', request.startedAt + suspectMs)];
}

function verdict(
  request: Request,
  reason: VerdictReason,
  confidence: Verdict['confidence'],
  decidedAt?: number,
): Verdict {
  return defined({
    requestId: request.id,
    kind: 'http-stream',
    reason,
    confidence,
    decidedAt,
  });
}

/** Did the server say how long its answer is? What says so is no stream. */
export function hasLength({ response }: Request): boolean {
  return headerOf(response?.headers ?? [], 'content-length') !== undefined;
}
