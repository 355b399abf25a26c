import { headerOf } from '../text/header.ts';
import { type Fix, isFetched, sizeOf } from './fix.ts';
import type { Step } from './replay/load.ts';
import { smaller } from './replay/smaller.ts';

/**
 * A file from this size on gets smaller by compression where it counts, bytes. Source: what fits into one packet is not sent
 * faster; Lighthouse ignores savings below 1,400 bytes (`core/audits/byte-efficiency/uses-text-compression.js`).
 */
const WORTH_BYTES = 1400;
/** What gzip leaves of text. Source: "Optimize the encoding and transfer size of text-based assets", web.dev: up to 70% less. */
const LEFT = 0.3;
/** Media types of text. Source: the list of Apache's h5bp configuration for `mod_deflate`, shortened. */
const TEXT =
  /^(?:text\/|image\/svg\+xml|font\/(?:ttf|otf)|application\/(?:[\w.+-]*(?:json|xml|javascript)|wasm|vnd\.ms-fontobject)\b)/i;

/** Text that travels as it is: a server could compress it. */
export const noCompression: Fix = (load) => {
  const found = smaller(
    load,
    load.steps.filter(couldShrink).map((step) => ({ step, share: 1 - LEFT })),
  );
  if (found === undefined) return [];
  const { urls, savesMs, ...facts } = found;
  return [{ code: 'no-compression', urls, savesMs, facts }];
};

function couldShrink({ request }: Step): boolean {
  const { headers = [], mimeType = '' } = request.response ?? {};
  // A recording without headers does not tell.
  if (!isFetched(request) || headers.length === 0 || headerOf(headers, 'content-encoding') !== undefined) return false;
  return TEXT.test(mimeType) && !/event-stream/i.test(mimeType) && sizeOf({ request }) * (1 - LEFT) >= WORTH_BYTES;
}
