import type { Detector } from '../../model/verdict.ts';

/** WebTransport sessions, like sockets, are announced by events of their own. */
export const webtransport: Detector = {
  name: 'webtransport',
  detect: (timeline) =>
    timeline.requests
      .filter((request) => request.type === 'webtransport')
      .map((request) => ({
        requestId: request.id,
        kind: 'webtransport',
        because: 'a WebTransport session',
        confidence: 'certain',
      })),
};
