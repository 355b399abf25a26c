import type { Detector } from '../../../model/background/verdict.ts';

/** WebTransport sessions, like sockets, are announced by events of their own. */
export const webtransport: Detector = {
  detect: (timeline) =>
    timeline.requests
      .filter((request) => request.type === 'webtransport')
      .map((request) => ({
        requestId: request.id,
        kind: 'webtransport',
        reason: { code: 'web-transport' },
        confidence: 'certain',
      })),
};
