import type * as Standard from 'har-format';
import type { WrittenBy } from '../har-codec.ts';
import type { HarTimings } from '../rendering/page-timings.ts';
import type { ENTRY } from './own-entry.ts';
import type { PAGE } from './own-page.ts';

/*
 * HAR 1.2 and what Quiesce writes beside it. Standard fields are what other tools read; they are rounded, clamped and
 * cleaned to what those tools accept. Fields with an underscore are the evidence, exact, so that a HAR alone can be
 * judged again. Times in underscore fields are milliseconds since navigation start, unless said otherwise.
 */

/** Timings as DevTools exports them. */
export interface QuiesceTimings extends Standard.Timings {
  blocked: number;
  dns: number;
  connect: number;
  ssl: number;
  send: number;
  wait: number;
  receive: number;
  _blocked_queueing: number;
  _blocked_proxy?: number;
  /** Milliseconds since the network stack took the request, as in DevTools. */
  _workerStart?: number;
  _workerReady?: number;
}

/** The body that was sent. Always as `text`: HAR 1.2 allows either text or `params`, and DevTools reads the text. */
export interface QuiescePostData {
  mimeType: string;
  text: string;
  comment?: string;
  /** What the text is, when it is not simply the text. */
  _text?: 'redacted' | 'unknown';
  /** The operation that the body names (GraphQL, JSON-RPC …). */
  _operation?: string;
}

/** A request as HAR has it. */
export interface QuiesceRequest extends Omit<Standard.Request, 'postData'> {
  postData?: QuiescePostData;
  /** The address with its fragment and as the browser wrote it, where the standard field had to differ. */
  _url?: string;
}

/** A response with the fields that DevTools adds to it. */
export interface QuiesceResponse extends Standard.Response {
  /** Transferred bytes, headers included. */
  _transferSize?: number;
  _error?: string;
  _fetchedViaServiceWorker: boolean;
  /** True when `redirectURL` is where the browser went, not just a header. */
  _followed?: true;
}

/** One hop. */
export interface QuiesceEntry
  extends Omit<Standard.Entry, '_fromCache' | '_initiator' | '_chunks'>,
    WrittenBy<typeof ENTRY> {
  pageref: string;
  request: QuiesceRequest;
  response: QuiesceResponse;
  timings: QuiesceTimings;
}

/** Milestones beside the standard ones. */
export interface QuiescePageTimings extends Standard.PageTiming {
  onContentLoad: number;
  onLoad: number;
  _firstPaint?: number;
  _firstContentfulPaint?: number;
  _largestContentfulPaint?: number;
}

/** One navigation. */
export interface QuiescePage extends Standard.Page, HarTimings, WrittenBy<typeof PAGE> {
  pageTimings: QuiescePageTimings;
  /** A visit that was not the first in its profile, as WebPageTest marks it. */
  _cached?: 1;
}

/** The log of one navigation. */
export interface QuiesceLog extends Omit<Standard.Log, 'pages' | 'entries'> {
  browser: Standard.Browser;
  pages: QuiescePage[];
  entries: QuiesceEntry[];
}

/** A HAR 1.2 document as Quiesce writes it. */
export interface QuiesceHar {
  log: QuiesceLog;
}

/** `log.creator.name` of what Quiesce writes. */
export const CREATOR = 'quiesce';

/** What DevTools writes for a body without a type. */
export const UNKNOWN_MIME_TYPE = 'x-unknown';
