import type { Request, Timeline } from '../../model/timeline.ts';
import type { Detector, Verdict } from '../../model/verdict.ts';
import { PATIENCE_MS } from './patience.ts';
import { firstPart, partsOf } from './stream-parts.ts';
import { count, origin } from './words.ts';

/**
 * How long after the server ended it an EventSource may take to come back, ms. The specification leaves it to the
 * browser; Chrome waits 3 s unless the stream says otherwise.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#reestablish-the-connection
 */
const COMES_BACK_WITHIN_MS = 3_500;

/**
 * Server-sent events: an EventSource, and the same format read through fetch, while they are open or come back. A stream
 * that ends for good (a chat completion, everything sent and closed) is content.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const sse: Detector = {
  name: 'sse',
  detect: (timeline) =>
    timeline.requests.flatMap((request, i): readonly Verdict[] => {
      if (request.type === 'eventsource') return eventSource(request, i, timeline);
      if (request.endedAt !== undefined || request.response?.mimeType.toLowerCase() !== 'text/event-stream') return [];
      return [
        {
          requestId: request.id,
          kind: 'sse',
          because: `an event stream read through ${request.type}, ${count(partsOf(request).length, 'piece')}, still open${origin(request)}`,
          confidence: 'certain',
          ...firstPart(request),
          decidedAt: request.startedAt + PATIENCE_MS,
        },
      ];
    }),
};

function eventSource(request: Request, i: number, { requests, observedUntil }: Timeline): readonly Verdict[] {
  const { endedAt } = request;
  const cameBack = requests.slice(i + 1).some((later) => later.type === 'eventsource' && later.url === request.url);
  const mayComeBack =
    endedAt !== undefined && request.outcome !== 'canceled' && observedUntil < endedAt + COMES_BACK_WITHIN_MS;
  if (endedAt !== undefined && !cameBack && !mayComeBack) return [];
  return [
    {
      requestId: request.id,
      kind: 'sse',
      because: `an EventSource with ${count(partsOf(request).length, 'message')}, ${
        endedAt === undefined ? 'still open' : cameBack ? 'which came back after it had ended' : 'just ended'
      }${origin(request)}`,
      confidence: 'certain',
      ...firstPart(request),
      ...(mayComeBack && !cameBack && { decidedAt: endedAt + COMES_BACK_WITHIN_MS }),
    },
  ];
}
