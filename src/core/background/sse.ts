import type { Request } from '../../model/timeline.ts';
import type { Detector } from '../../model/verdict.ts';
import { count } from './words.ts';

/**
 * Server-sent events: an EventSource always; the same format read through fetch only while it is open, because an
 * answer that is streamed and then ends (a chat completion) is content.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const sse: Detector = {
  name: 'sse',
  detect: (timeline) =>
    timeline.requests.filter(isEventStream).map((request) => {
      const pieces = Math.max(request.messages.length, request.chunks.length);
      return {
        requestId: request.id,
        kind: 'sse',
        because:
          request.type === 'eventsource'
            ? `an EventSource with ${count(pieces, 'message')}${request.endedAt === undefined ? ', still open' : ''}`
            : `an event stream read through ${request.type}, ${count(pieces, 'piece')}, still open`,
        confidence: 'certain',
      };
    }),
};

function isEventStream(request: Request): boolean {
  if (request.type === 'eventsource') return true;
  return request.endedAt === undefined && request.response?.mimeType.toLowerCase() === 'text/event-stream';
}
