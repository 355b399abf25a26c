import type { VerdictReason } from '../../../model/background/reason.ts';
import type { Detector, Observation, Verdict } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import { callSiteOf } from '../../requests/initiators.ts';
import { defined } from '../../text/defined.ts';
import { headerOf } from '../../text/header.ts';
import { GOES_ON_WITHIN_MS, LONGEST_PAUSE_MS, PATIENCE } from '../../time/lags.ts';
import { median } from '../../time/median.ts';

/** Types whose body is read piece by piece, or shown piece by piece. Everything else is of use only when it is whole. */
const STREAMABLE: ReadonlySet<string> = new Set(['fetch', 'xhr', 'document', 'image', 'other']);
/** A body of this type replaces itself for ever. Source: HTML, "multipart/x-mixed-replace". */
export const ENDLESS = 'multipart/x-mixed-replace';

/**
 * An answer whose headers came and whose body does not end: endless fetches, frames that are written for ever, camera
 * pictures. One that ends after all was content.
 */
export const httpStream: Detector = {
  detect: (timeline, observation) =>
    timeline.requests.flatMap((request): readonly Verdict[] => {
      if (request.mainDocument || !request.response || !STREAMABLE.has(request.type)) return [];
      if (request.response.mimeType.toLowerCase() === ENDLESS) {
        return [verdict(request, { code: 'replaces-itself', pieces: request.chunks.length }, 'certain')];
      }
      if (request.endedAt !== undefined || hasLength(request)) return [];
      return streaming(request, timeline, observation);
    }),
};

/** The pauses between the pieces that came, ms. */
function pausesIn({ chunks }: Request): readonly Ms[] {
  return chunks.slice(1).map(({ at }, i) => at - (chunks[i]?.at ?? at));
}

function streaming(
  request: Request,
  { observedUntil }: Timeline,
  { suspectMs, silentMs }: Observation,
): readonly Verdict[] {
  const answeredAt = request.response?.at ?? request.startedAt;
  if (observedUntil - answeredAt < 2 * LONGEST_PAUSE_MS) return [];
  const { chunks } = request;
  const silence = observedUntil - (chunks.at(-1)?.at ?? answeredAt);
  const open = observedUntil - answeredAt;
  // A download makes no such silence in mid-answer, and no such pauses between its pieces.
  if (silence >= PATIENCE.ms) {
    const came = chunks.length === 0 ? {} : { bytes: request.contentSize };
    const reason: VerdictReason = { code: 'silent-answer', open, silence, ...came, ...callSiteOf(request) };
    return [verdict(request, reason, 'possible', request.startedAt + silentMs)];
  }
  const pauses = pausesIn(request);
  if (!pauses.some((pause) => pause >= GOES_ON_WITHIN_MS)) return [];
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
