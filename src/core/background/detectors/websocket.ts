import type { Detector } from '../../../model/background/verdict.ts';
import { callSiteOf } from '../../requests/initiators.ts';

/** Sockets never end while a page lives; Chrome announces them by events of their own. */
export const websocket: Detector = {
  detect: (timeline) =>
    timeline.requests
      .filter((request) => request.type === 'websocket')
      .map((request) => ({
        requestId: request.id,
        kind: 'websocket',
        reason: { code: 'web-socket', messages: request.messages.length, ...callSiteOf(request) },
        confidence: 'certain',
      })),
};
