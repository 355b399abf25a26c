import type { Request } from '../../model/timeline.ts';
import type { Detector } from '../../model/verdict.ts';

/** What the browser fetches for itself: the page does not change by it. */
export const browserInternal: Detector = {
  detect: (timeline) =>
    timeline.requests.flatMap((request) => {
      const what =
        request.type === 'manifest' ? ('manifest' as const) : isFavicon(request) ? ('icon' as const) : undefined;
      return what
        ? [
            {
              requestId: request.id,
              kind: 'browser-internal',
              reason: { code: 'browser-own', what },
              confidence: 'certain',
            },
          ]
        : [];
    }),
};

/** The tab's icon comes as type Other from nobody's script or markup, though its destination is a picture. */
function isFavicon(request: Request): boolean {
  if (request.type !== 'other' || request.initiator?.type !== 'other' || request.initiator.stack) return false;
  const destination = request.requestHeaders.find(({ name }) => name.toLowerCase() === 'sec-fetch-dest')?.value;
  return destination === 'image' || /\/favicon\.[a-z]+$|\.ico$/i.test(request.url.replace(/[?#].*$/, ''));
}
