import type { Request } from '../../model/timeline.ts';
import type { Detector } from '../../model/verdict.ts';
import { withoutQueryAndHash } from '../address-parts.ts';

/** What the browser fetches for itself: the page does not change by it. */
export const browserInternal: Detector = {
  detect: (timeline) =>
    timeline.requests.flatMap((request) => {
      const what = ownOf(request);
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

function ownOf(request: Request): 'manifest' | 'icon' | 'dictionary' | undefined {
  if (request.type === 'manifest') return 'manifest';
  if (isDictionary(request)) return 'dictionary';
  return isFavicon(request) ? 'icon' : undefined;
}

/**
 * A file to compress later answers with. One that the page uses itself is of another type.
 * Source: RFC 9842, "Compression Dictionary Transport".
 */
function isDictionary({ type, initiator, response }: Request): boolean {
  if (type !== 'other' || initiator?.type === 'script') return false;
  return response?.headers.some(({ name }) => name.toLowerCase() === 'use-as-dictionary') ?? false;
}

/** The tab's icon comes as type Other from nobody's script or markup, though its destination is a picture. */
function isFavicon(request: Request): boolean {
  if (request.type !== 'other' || request.initiator?.type !== 'other' || request.initiator.stack) return false;
  const destination = request.requestHeaders.find(({ name }) => name.toLowerCase() === 'sec-fetch-dest')?.value;
  return destination === 'image' || /\/favicon\.[a-z]+$|\.ico$/i.test(withoutQueryAndHash(request.url));
}
