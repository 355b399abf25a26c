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
  detect: (timeline) =>
    timeline.requests.flatMap((request): readonly Verdict[] => {
      if (request.type === 'ping')
        return [{ requestId: request.id, kind: 'beacon', reason: { code: 'ping' }, confidence: 'certain' }];
      if (request.type === 'csp-violation-report')
        return [{ requestId: request.id, kind: 'beacon', reason: { code: 'csp-report' }, confidence: 'certain' }];
      if (request.keepalive && request.method !== 'GET') {
        const reason: VerdictReason = { code: 'keepalive', ...callSiteOf(request) };
        return [{ requestId: request.id, kind: 'beacon', reason, confidence: 'likely' }];
      }
      const reason = emptyAnswer(request);
      return reason ? [{ requestId: request.id, kind: 'beacon', reason, confidence: 'certain' }] : [];
    }),
};

/** Types whose answer is of use by its body alone. A script or style without rules holds the parser up all the same. */
const READ_BY_SCRIPT: ReadonlySet<string> = new Set(['xhr', 'fetch', 'image', 'other']);

/** Nobody can show anything of it. Who asks with GET may wait for an empty answer all the same, and HEAD asks for no body. */
function isWithoutBody({ response, type, method }: Request): boolean {
  if (!response || !READ_BY_SCRIPT.has(type)) return false;
  if (response.status === 204 || response.status === 205) return true;
  const isSuccess = response.status >= 200 && response.status < 300 && method !== 'HEAD' && method !== 'GET';
  return isSuccess && response.headers.some(({ name, value }) => /^content-length$/i.test(name) && Number(value) === 0);
}

function emptyAnswer(request: Request): VerdictReason | undefined {
  // A preflight is always answered with nothing; it shares the fate of what it asks for.
  if (request.type === 'preflight') return undefined;
  const byMarkup = request.initiator?.type === 'parser' || request.initiator?.type === 'preload';
  const status = request.response?.status ?? 0;
  // What nobody reads to its end, or cannot show, ends as if it had been given up.
  if (isWithoutBody(request)) return { code: 'no-content', status, ...callSiteOf(request) };
  if (byMarkup || request.outcome !== 'finished') return undefined;
  // A picture that is missing is broken content, not a report.
  if ((request.response?.status ?? 0) >= 400) return undefined;
  // One that replaces itself for ever is a stream, however small its first part.
  if (request.response?.mimeType.toLowerCase() === ENDLESS) return undefined;
  const isShape = request.response?.mimeType.toLowerCase() === SHAPES;
  // A file of another tool may not say how large anything is.
  const isMeasured = request.bodySize !== undefined || request.chunks.length > 0;
  const isTiny = isMeasured && request.contentSize <= TRACKING_PIXEL_BYTES;
  if (request.type === 'image' && !isShape && isTiny && request.response?.fromCache === undefined)
    return { code: 'tracking-pixel', bytes: request.contentSize, ...callSiteOf(request) };
  return undefined;
}
