import type { Request } from '../../model/timeline.ts';
import type { Detector } from '../../model/verdict.ts';
import { callSiteOf } from '../initiators.ts';

/** Sound and moving pictures, and the play lists of HLS and DASH. Sources: RFC 8216 section 4, ISO/IEC 23009-1 annex C. */
const MEDIA_TYPE = /^(?:audio|video)\/|mpegurl|dash\+xml/i;
/** Segments and play lists that are served under a type that says nothing. */
const MEDIA_PATH = /\.(?:m3u8|mpd|m4s|m4v|m4a|cmf[av]|ts|aac|mp4|webm)$/i;
const UNTYPED: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);

/** What a player fetches while it plays: ranges by the browser itself, segments and play lists by its script. */
export const media: Detector = {
  detect: (timeline) =>
    timeline.requests.filter(isMedia).map((request) => ({
      requestId: request.id,
      kind: 'media',
      reason:
        request.type === 'media'
          ? { code: 'played' }
          : { code: 'played-by-script', mimeType: request.response?.mimeType ?? '', ...callSiteOf(request) },
      confidence: request.type === 'media' ? 'certain' : 'likely',
    })),
};

function isMedia(request: Request): boolean {
  if (request.type === 'media') return true;
  if (request.type !== 'xhr' && request.type !== 'fetch') return false;
  const mimeType = request.response?.mimeType.toLowerCase() ?? '';
  if (MEDIA_TYPE.test(mimeType)) return true;
  return UNTYPED.has(mimeType) && MEDIA_PATH.test(request.url.replace(/[?#].*$/s, ''));
}
