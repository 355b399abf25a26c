import type { Detector } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import { callSiteOf } from '../../requests/initiators.ts';
import { withoutHeldBack } from '../../requests/starvation.ts';
import { lastSignOfLife } from '../../timeline/inflight.ts';

/** Requests that were never answered, or stopped in mid-answer, and that nothing on the page waits for. */
export const hung: Detector = {
  detect: (timeline, { silentMs }) => {
    const silenceOf = (request: Request): Ms =>
      request.endedAt === undefined
        ? timeline.observedUntil - lastSignOfLife(request)
        : request.endedAt - request.startedAt;
    const silent = timeline.requests.filter(
      (each) => !isEnded(each) && !each.mainDocument && !isWaitedFor(each, timeline) && silenceOf(each) >= silentMs,
    );
    // What could not even be sent, because streams hold all connections, is slow, not hung.
    return withoutHeldBack(silent, timeline).map((request) => ({
      requestId: request.id,
      kind: 'hung',
      reason: {
        code: 'hung',
        answered: request.response !== undefined,
        silence: silenceOf(request),
        ...callSiteOf(request),
      },
      confidence: 'likely',
    }));
  },
};

/** Who gives up on what was never answered, after so long, ends nothing: it brought nothing. */
function isEnded({ endedAt, outcome, response }: Request): boolean {
  return endedAt !== undefined && (outcome === 'finished' || response !== undefined);
}

/** Before DOMContentLoaded the parser may be standing at this very script or style. */
function isWaitedFor(request: Request, timeline: Timeline): boolean {
  const blocksParser = request.type === 'script' || request.type === 'stylesheet';
  return blocksParser && !timeline.marks.some((mark) => mark.name === 'dom-content-loaded');
}
