import type { Detector, Verdict } from '../../../model/background/verdict.ts';
import type { Request, Timeline } from '../../../model/network/timeline.ts';
import { callSiteOf } from '../../requests/initiators.ts';
import { isWatched } from '../../timeline/document-marks.ts';
import { isOpenStream, readStream } from '../content/read-stream.ts';
import { partsOf } from '../content/source.ts';

/**
 * How long after the server ended it an EventSource may take to come back, ms. The specification leaves it to the
 * browser; Chrome waits 3 s unless the stream says otherwise.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#reestablish-the-connection
 */
const COMES_BACK_WITHIN_MS = 3_500;
export const EVENT_STREAM = /^text\/event-stream$/i;

/**
 * Server-sent events: an EventSource, and the same format read through fetch, while they are open or come back. A stream
 * that ends for good (a chat completion, everything sent and closed) is content.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const sse: Detector = {
  detect: (timeline, observation) =>
    timeline.requests.flatMap((request, i): readonly Verdict[] => {
      if (request.type === 'eventsource') return eventSource(request, i, timeline);
      return isOpenStream(request, EVENT_STREAM) ? [readStream(request, 'sse', observation)] : [];
    }),
};

function eventSource(request: Request, i: number, timeline: Timeline): readonly Verdict[] {
  const { requests, observedUntil } = timeline;
  const { endedAt } = request;
  const cameBack = requests.slice(i + 1).some((later) => later.type === 'eventsource' && later.url === request.url);
  const mayComeBack =
    endedAt !== undefined && request.outcome !== 'canceled' && observedUntil < endedAt + COMES_BACK_WITHIN_MS;
  if (endedAt !== undefined && !cameBack && !mayComeBack) return [];
  return [
    {
      requestId: request.id,
      kind: 'sse',
      reason: {
        code: 'event-source',
        ...messagesOf(request, timeline),
        state: endedAt === undefined ? 'open' : cameBack ? 'came-back' : 'just-ended',
        ...callSiteOf(request),
      },
      confidence: 'certain',
      ...(mayComeBack && !cameBack && { decidedAt: endedAt + COMES_BACK_WITHIN_MS }),
    },
  ];
}

/** Files of other tools seldom have the messages of a stream. */
function messagesOf(request: Request, timeline: Timeline): { readonly messages?: number } {
  const messages = partsOf(request).length;
  return messages === 0 && !isWatched(timeline) ? {} : { messages };
}
