import type { Request, Timeline } from '../../model/timeline.ts';
import type { Detector, Verdict } from '../../model/verdict.ts';
import { amount } from '../experiment/figures.ts';
import { PATIENCE_MS, SILENT_PATIENCE_MS } from './patience.ts';
import { median } from './rhythm.ts';
import { firstPart } from './stream-parts.ts';
import { count, duration, origin } from './words.ts';

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
  name: 'http-stream',
  detect: (timeline) =>
    timeline.requests.flatMap((request): readonly Verdict[] => {
      if (request.mainDocument || !request.response || !STREAMABLE.has(request.type)) return [];
      if (request.response.mimeType.toLowerCase() === ENDLESS) {
        const because = `a body that replaces itself for ever (${ENDLESS}), ${count(request.chunks.length, 'piece')} so far`;
        return [verdict(request, because, 'certain')];
      }
      if (request.endedAt !== undefined || hasLength(request)) return [];
      return streaming(request, timeline);
    }),
};

function streaming(request: Request, { observedUntil }: Timeline): readonly Verdict[] {
  const answeredAt = request.response?.at ?? request.startedAt;
  if (observedUntil - answeredAt < OPEN_MS) return [];
  const times = request.chunks.map(({ at }) => at);
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? at));
  const silence = observedUntil - (times.at(-1) ?? answeredAt);
  const open = `open for ${duration(observedUntil - answeredAt)} without a length or an end`;
  if (silence >= SILENT_MS) {
    const because = `${open}, ${times.length === 0 ? 'nothing came after its headers' : `${amount(request.contentSize, 'bytes')} came, then nothing for ${duration(silence)}`}${origin(request)}`;
    return [verdict(request, because, 'possible', request.startedAt + SILENT_PATIENCE_MS)];
  }
  if (!gaps.some((gap) => gap >= SPACED_MS)) return [];
  const because = `${open}, ${count(times.length, 'piece')}, one every ${duration(median(gaps))}${origin(request)}`;
  return [verdict(request, because, 'likely', request.startedAt + PATIENCE_MS)];
}

function verdict(request: Request, because: string, confidence: Verdict['confidence'], decidedAt?: number): Verdict {
  return {
    requestId: request.id,
    kind: 'http-stream',
    because,
    confidence,
    ...firstPart(request),
    ...(decidedAt !== undefined && { decidedAt }),
  };
}

/** Did the server say how long its answer is? What says so is no stream. */
export function hasLength({ response }: Request): boolean {
  return response?.headers.some(({ name }) => name.toLowerCase() === 'content-length') ?? false;
}
