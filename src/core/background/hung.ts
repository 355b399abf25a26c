import type { Request, Timeline } from '../../model/timeline.ts';
import type { Detector } from '../../model/verdict.ts';
import { lastSignOfLife } from '../timeline/inflight.ts';
import { seconds } from './words.ts';

/**
 * Silence after which an open request is given up, ms. Long on purpose: a slow answer that ends is content, and what
 * is cut off too early is lost, while waiting costs only time. Two thirds of servers' usual 30 s gateway limit.
 */
export const HUNG_AFTER_MS = 20_000;

/** Requests that were never answered, or stopped in mid-answer, and that nothing on the page waits for. */
export const hung: Detector = {
  name: 'hung',
  detect: (timeline) =>
    timeline.requests.flatMap((request) => {
      if (request.endedAt !== undefined || request.mainDocument || isWaitedFor(request, timeline)) return [];
      const silence = timeline.observedUntil - lastSignOfLife(request);
      if (silence < HUNG_AFTER_MS) return [];
      return [
        {
          requestId: request.id,
          kind: 'hung',
          because: request.response
            ? `answered, then silent for ${seconds(silence)} without an end`
            : `never answered in ${seconds(silence)}, and nothing waited for it`,
          confidence: 'likely',
        },
      ];
    }),
};

/** Before DOMContentLoaded the parser may be standing at this very script or style. */
function isWaitedFor(request: Request, timeline: Timeline): boolean {
  const blocksParser = request.type === 'script' || request.type === 'stylesheet';
  return blocksParser && !timeline.marks.some((mark) => mark.name === 'dom-content-loaded');
}
