import type { Detector, Verdict } from '../../../model/background/verdict.ts';
import type { Request } from '../../../model/network/timeline.ts';
import { isNamedIcon } from '../../requests/icon-name.ts';
import { headerOf } from '../../text/header.ts';

/** What the browser fetches for itself: the page does not change by it. */
export const browserInternal: Detector = {
  detect: (timeline) =>
    timeline.requests.flatMap((request): readonly Verdict[] => {
      const what = ownOf(request);
      if (what === undefined) return [];
      // Where nobody wrote down who asked, it is known by its name alone.
      const confidence = what === 'icon' && request.initiator === undefined ? 'likely' : 'certain';
      return [{ requestId: request.id, kind: 'browser-internal', reason: { code: 'browser-own', what }, confidence }];
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
  if (request.target === 'browser') return true;
  if (request.type !== 'other' || request.initiator?.type !== 'other' || request.initiator.stack) return false;
  return headerOf(request.requestHeaders, 'sec-fetch-dest') === 'image' || isNamedIcon(request.url);
}
