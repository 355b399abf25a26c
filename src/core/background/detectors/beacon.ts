import type { VerdictReason } from '../../../model/background/reason.ts';
import type { Detector, Verdict } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import { callSiteOf, timerOf } from '../../requests/initiators.ts';
import { headerOf } from '../../text/header.ts';
import { GOES_ON_WITHIN_MS } from '../../time/lags.ts';
import { endOf } from '../../timeline/inflight.ts';
import { isAnsweredEmpty } from '../empty-answer.ts';
import { endpointOf } from '../endpoint.ts';
import { ENDLESS } from './http-stream.ts';
import { isKept } from './kept-file.ts';

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
      if (!reason) return [];
      const confidence = needsInitiator(request, reason) && isUnasked(request) ? 'likely' : 'certain';
      const verdict = { requestId: request.id, kind: 'beacon', reason, confidence } as const;
      if (reason.code !== 'no-content' || !isScripted(request)) return [verdict];
      if (goesOn(request, timeline)) return [];
      // What follows from it follows at once: until then nobody knows, unless the same was answered with nothing before.
      const isFirst = !timeline.requests.some(
        (each) =>
          endOf(each) + GOES_ON_WITHIN_MS <= request.startedAt && endpointOf(each).key === endpointOf(request).key,
      );
      return [isFirst ? { ...verdict, decidedAt: endOf(request) + GOES_ON_WITHIN_MS } : verdict];
    }),
};

function isScripted({ type }: Request): boolean {
  return type === 'fetch' || type === 'xhr';
}

/** Does nobody know who asked? Some files name an address, and not whether it is that of the document or of a script. */
function isUnasked({ initiator }: Request): boolean {
  return initiator === undefined || (initiator.type === 'other' && initiator.url !== undefined);
}

/** A picture that is in the document is none, and a script may go on when it is answered. */
function needsInitiator(request: Request, { code }: VerdictReason): boolean {
  return code === 'tracking-pixel' || isScripted(request);
}

/**
 * Did the page wait for the empty answer (a session that is opened, a part that is uploaded) to ask for something else? The same
 * script asks at once, not by a timer, for what nobody had asked for before, and no other answer came in between. It goes on
 * with the headers: no body is awaited.
 */
function goesOn(request: Request, { requests }: Timeline): boolean {
  const answeredAt = request.response?.at ?? endOf(request);
  const files = filesOf(request);
  const isNew = (next: Request): boolean => {
    const { key } = endpointOf(next);
    return !requests.some((each) => each.startedAt < answeredAt && endpointOf(each).key === key);
  };
  const isBetween = (each: Request, next: Request): boolean =>
    each !== request && endOf(each) > answeredAt && endOf(each) <= next.startedAt;
  return requests.some(
    (next) =>
      next.startedAt >= answeredAt &&
      next.startedAt - answeredAt <= GOES_ON_WITHIN_MS &&
      isScripted(next) &&
      timerOf(next.initiator) === undefined &&
      [...filesOf(next)].some((file) => files.has(file)) &&
      isNew(next) &&
      !requests.some((each) => isBetween(each, next)),
  );
}

/** The scripts through which it was asked for. */
function filesOf({ initiator }: Request): ReadonlySet<string> {
  return new Set(initiator?.stack?.map(({ url }) => url));
}

/** Types whose answer is of use by its body alone: a frame stays blank. A script or style without rules holds the parser up all the same. */
const OF_USE_BY_BODY: ReadonlySet<string> = new Set(['xhr', 'fetch', 'image', 'document', 'other']);

function emptyAnswer(request: Request): VerdictReason | undefined {
  // A preflight is always answered with nothing; it shares the fate of what it asks for.
  if (request.type === 'preflight') return undefined;
  const byMarkup = request.initiator?.type === 'parser' || request.initiator?.type === 'preload';
  const status = request.response?.status ?? 0;
  // What nobody reads to its end, or cannot show, ends as if it had been given up.
  if (OF_USE_BY_BODY.has(request.type) && isAnsweredEmpty(request))
    return { code: 'no-content', status, ...callSiteOf(request) };
  if (byMarkup || request.outcome !== 'finished') return undefined;
  // A picture that is missing is broken content, not a report.
  if ((request.response?.status ?? 0) >= 400) return undefined;
  // One that replaces itself for ever is a stream, however small its first part.
  if (request.response?.mimeType.toLowerCase() === ENDLESS) return undefined;
  const isShape = request.response?.mimeType.toLowerCase() === SHAPES;
  const isTiny = isMeasured(request) && request.contentSize <= TRACKING_PIXEL_BYTES;
  // Where nobody wrote down who asked, it may be in the document: a spacer is a file, and a report is none.
  if (isUnasked(request) && isKept(request)) return undefined;
  if (request.type === 'image' && !isShape && isTiny && request.response?.fromCache === undefined)
    return { code: 'tracking-pixel', bytes: request.contentSize, ...callSiteOf(request) };
  return undefined;
}

/**
 * Is it known how large the answer is? A file of another tool may not say, or write 0 for what came out of a cache, and sizes
 * that contradict each other prove nothing.
 */
function isMeasured({ response, bodySize, chunks, contentSize }: Request): boolean {
  const headers = response?.headers ?? [];
  const announced = headerOf(headers, 'content-length');
  if (contentSize === 0) {
    return bodySize !== undefined && response?.status !== 304 && (announced === undefined || Number(announced) === 0);
  }
  const isPlain = announced !== undefined && headerOf(headers, 'content-encoding') === undefined;
  const onWire = isPlain ? Number(announced) : bodySize;
  return onWire === undefined ? chunks.length > 0 : onWire <= contentSize + TRACKING_PIXEL_BYTES;
}
