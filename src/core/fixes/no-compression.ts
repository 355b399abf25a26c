import type { Request } from '../../model/timeline.ts';
import type { Bytes, Ms } from '../../model/units.ts';
import { headerOf } from '../header.ts';
import { type Fix, isFetched, isWorthIt, urlsOf } from './fix.ts';
import type { Step } from './load.ts';
import { savingOf } from './replay.ts';

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
  const steps = load.steps.filter(({ request }) => isFetched(request) && couldShrink(request));
  if (steps.length === 0) return [];
  const bytes = steps.reduce((sum, { request }) => sum + sizeOf(request), 0);
  const saving = savingOf(load, {
    shorter: new Map(steps.map((step) => [step, { head: 0, receive: downloadOf(step) * (1 - LEFT) }])),
  });
  return [
    {
      code: 'no-compression',
      urls: urlsOf(steps.toSorted((a, b) => sizeOf(b.request) - sizeOf(a.request))),
      savesMs: isWorthIt(load, saving) ? saving : 0,
      facts: { requests: steps.length, bytes, savesBytes: Math.round(bytes * (1 - LEFT)) },
    },
  ];
};

const sizeOf = ({ bodySize, contentSize }: Request): Bytes => bodySize ?? contentSize;

function couldShrink(request: Request): boolean {
  const { headers = [], mimeType = '' } = request.response ?? {};
  // A recording without headers does not tell.
  if (headers.length === 0 || headerOf(headers, 'content-encoding') !== undefined) return false;
  return TEXT.test(mimeType) && !/event-stream/i.test(mimeType) && sizeOf(request) * (1 - LEFT) >= WORTH_BYTES;
}

/** How long the body took, ms. An emulated network gives out the head late: that time is the way's, not the body's. */
export function downloadOf({ request, arrivedAt, broughtAt }: Step): Ms {
  return Math.max(0, broughtAt - Math.max(arrivedAt, request.timing?.headersEnd ?? arrivedAt));
}
