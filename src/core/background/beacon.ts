import type { VerdictReason } from '../../model/reason.ts';
import type { Request } from '../../model/timeline.ts';
import type { Detector, Verdict } from '../../model/verdict.ts';
import { callSiteOf } from '../initiators.ts';
import { ENDLESS } from './http-stream.ts';

/** A picture this small shows nothing: the classic 1×1 GIF has 35 to 43 bytes, PNG trackers up to about 100. */
const TRACKING_PIXEL_BYTES = 100;
/** Pictures made of shapes, not of pixels: an icon can be that small. */
const SHAPES = 'image/svg+xml';

/** Reports that the page sends and whose answer nobody reads. */
export const beacon: Detector = {
  detect: (timeline) => {
    const load = timeline.marks.findLast((mark) => mark.name === 'load')?.at ?? Number.POSITIVE_INFINITY;
    return timeline.requests.flatMap((request): readonly Verdict[] => {
      if (request.type === 'ping')
        return [{ requestId: request.id, kind: 'beacon', reason: { code: 'ping' }, confidence: 'certain' }];
      if (request.type === 'csp-violation-report')
        return [{ requestId: request.id, kind: 'beacon', reason: { code: 'csp-report' }, confidence: 'certain' }];
      if (request.keepalive && request.method !== 'GET') {
        const reason: VerdictReason = { code: 'keepalive', ...callSiteOf(request) };
        return [{ requestId: request.id, kind: 'beacon', reason, confidence: 'likely' }];
      }
      const reason = request.startedAt >= load ? emptyAnswer(request) : undefined;
      return reason ? [{ requestId: request.id, kind: 'beacon', reason, confidence: 'likely' }] : [];
    });
  },
};

function emptyAnswer(request: Request): VerdictReason | undefined {
  // A preflight is always answered with nothing; it shares the fate of what it asks for.
  if (request.type === 'preflight') return undefined;
  // A picture that is in no document has no script for an initiator, though one made it.
  const byMarkup = request.initiator?.type === 'parser' || request.initiator?.type === 'preload';
  if (byMarkup || request.outcome !== 'finished') return undefined;
  // A picture that is missing is broken content, not a report.
  if ((request.response?.status ?? 0) >= 400) return undefined;
  // One that replaces itself for ever is a stream, however small its first part.
  if (request.response?.mimeType.toLowerCase() === ENDLESS) return undefined;
  if (request.response?.status === 204) return { code: 'no-content', ...callSiteOf(request) };
  const isShape = request.response?.mimeType.toLowerCase() === SHAPES;
  if (request.type === 'image' && !isShape && request.contentSize <= TRACKING_PIXEL_BYTES)
    return { code: 'tracking-pixel', bytes: request.contentSize, ...callSiteOf(request) };
  return undefined;
}
