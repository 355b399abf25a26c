import type { Detector } from '../../model/verdict.ts';
import { firstPart } from './stream-parts.ts';
import { count, origin } from './words.ts';

/** Sockets never end while a page lives; Chrome announces them by events of their own. */
export const websocket: Detector = {
  name: 'websocket',
  detect: (timeline) =>
    timeline.requests
      .filter((request) => request.type === 'websocket')
      .map((request) => ({
        requestId: request.id,
        kind: 'websocket',
        because: `a WebSocket with ${count(request.messages.length, 'message')}${origin(request)}`,
        confidence: 'certain',
        ...firstPart(request),
      })),
};
