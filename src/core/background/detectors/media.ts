import type { Detector } from '../../../model/background/verdict.ts';
import type { Request } from '../../../model/network/timeline.ts';
import { withoutQueryAndHash } from '../../requests/address-parts.ts';
import { callSiteOf } from '../../requests/initiators.ts';
import { HABIT } from '../../time/lags.ts';

/** The play lists of HLS and DASH. Sources: RFC 8216 section 4, ISO/IEC 23009-1 annex C. */
const PLAY_LIST = /mpegurl|dash\+xml/i;
/** Sound and moving pictures. A script may as well draw them: a waveform, a frame. */
const MEDIA_TYPE = /^(?:audio|video)\/(?!mp2t)/i;
/** Segments of a stream, by a type and an ending that source code has as well: only beside a play list. */
const TRANSPORT_STREAM = /^video\/mp2t$/i;
/** Segments and play lists that are served under a type that says nothing. */
const MEDIA_PATH = /\.(?:m3u8|mpd|m4s|m4v|m4a|cmf[av]|aac|mp4|webm)$/i;
const UNTYPED: ReadonlySet<string> = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'text/plain']);

/** What a player fetches while it plays: ranges by the browser itself, segments and play lists by its script. */
export const media: Detector = {
  detect: (timeline) =>
    mediaOf(timeline.requests).map((request) => ({
      requestId: request.id,
      kind: 'media',
      reason:
        request.type === 'media'
          ? { code: 'played' }
          : { code: 'played-by-script', mimeType: request.response?.mimeType ?? '', ...callSiteOf(request) },
      confidence: request.type === 'media' ? 'certain' : 'likely',
    })),
};

function mediaOf(requests: readonly Request[]): readonly Request[] {
  const scripted = requests.filter(({ type }) => type === 'xhr' || type === 'fetch');
  const playLists = scripted.filter(({ response }) => PLAY_LIST.test(response?.mimeType ?? ''));
  const parts = scripted.filter(
    (request) => isSoundOrPicture(request) || (playLists.length > 0 && isTransportStream(request)),
  );
  // Many parts are fetched for a player; one file may be fetched to be drawn.
  const played = playLists.length > 0 || parts.length >= HABIT ? parts : parts.filter(isPartial);
  const all = new Set([...playLists, ...played]);
  return requests.filter((request) => request.type === 'media' || all.has(request));
}

function isSoundOrPicture({ response, url }: Request): boolean {
  const mimeType = response?.mimeType.toLowerCase() ?? '';
  if (MEDIA_TYPE.test(mimeType)) return true;
  return UNTYPED.has(mimeType) && MEDIA_PATH.test(withoutQueryAndHash(url));
}

function isTransportStream({ response, url }: Request): boolean {
  const mimeType = response?.mimeType.toLowerCase() ?? '';
  return TRANSPORT_STREAM.test(mimeType) || (UNTYPED.has(mimeType) && /\.ts$/i.test(withoutQueryAndHash(url)));
}

function isPartial({ response }: Request): boolean {
  return response?.status === 206;
}
