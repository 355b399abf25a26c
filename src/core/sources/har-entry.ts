import {
  type Header,
  type Initiator,
  type NetworkEvent,
  type PostBody,
  RESOURCE_TYPES,
  type RequestEvent,
  type ResourceType,
  type ResponseEvent,
} from '../../model/network/network.ts';
import type { Ms } from '../../model/units.ts';
import { UNKNOWN_MIME_TYPE } from '../har/format.ts';
import { INITIATOR } from '../har/initiator.ts';
import type { OwnEntry } from '../har/own-entry.ts';
import { type Fields, fields, finite, list, optional, size, text, utf8Length } from '../requests/har-fields.ts';
import { defined } from '../text/defined.ts';
import { headerOf } from '../text/header.ts';

/** An entry that has an address and a time. Times are milliseconds since the Unix epoch. */
export interface Entry {
  readonly fields: Fields;
  readonly request: Fields;
  readonly response: Fields;
  /** What Quiesce wrote beside the standard fields; absent in files of other tools. */
  readonly own?: OwnEntry;
  readonly url: string;
  readonly startedAt: number;
  /** Position in the file, from 0. */
  readonly index: number;
}

/** The events of one hop in the order in which they came, and from where in time it may be reported. */
export interface Hop {
  readonly events: readonly NetworkEvent[];
  readonly requestId: string;
  readonly hop: number;
  readonly index: number;
}

/** What all entries have in common: the start of a hop. Its type and its place are the caller's to say. */
export function requestEvent(entry: Entry, id: string, requestId: string, at: Ms): RequestEvent {
  const { fields: own, request, url } = entry;
  const postBody = postBodyOf(request);
  return defined({
    kind: 'request',
    at,
    id,
    requestId,
    url,
    method: text(request.method) ?? 'GET',
    type: 'other',
    headers: headersOf(request.headers),
    target: 'page',
    postBody,
    ...optional('priority', text(own._priority)),
  });
}

/** Source: HTTP, "status codes": three digits. 0 for none. */
const LARGEST_STATUS = 999;

/** The status of an answer; 0 where there is none, or it is no status. */
export function statusOf({ status }: Fields): number {
  const code = finite(status) ?? 0;
  return code <= LARGEST_STATUS ? code : 0;
}

/** What all entries have in common: the answer of a hop. */
export function responseEvent({ response }: Entry, id: string, at: Ms): ResponseEvent {
  // Browsers tell the type without its parameters, most files with them.
  const mimeType = (text(fields(response.content).mimeType) ?? '').replace(/\s*;.*$/s, '').trim();
  const protocol = protocolOf(text(response.httpVersion) ?? '');
  return {
    kind: 'response',
    at,
    id,
    status: statusOf(response),
    statusText: text(response.statusText) ?? '',
    mimeType: mimeType === UNKNOWN_MIME_TYPE ? '' : mimeType,
    headers: headersOf(response.headers),
    hasExtraInfo: false,
    ...(protocol !== '' && { protocol }),
  };
}

/** The many names of HTTP versions in the one that CDP uses. */
function protocolOf(version: string): string {
  const name = version.toLowerCase();
  if (/^http\/2(?:\.0)?$/.test(name)) return 'h2';
  if (/^http\/3(?:\.0)?$/.test(name)) return 'h3';
  return /^http\/\d/.test(name) ? name : version;
}

function postBodyOf(request: Fields): PostBody | undefined {
  if (typeof request.postData !== 'object' || request.postData === null) return undefined;
  const body = fields(request.postData);
  const written = body._text === undefined ? text(body.text) : undefined;
  return {
    mimeType: text(body.mimeType) ?? '',
    size: size(request.bodySize) ?? utf8Length(written ?? ''),
    ...optional('text', written),
    ...optional('operation', text(body._operation)),
  };
}

/** Source: Fetch, "redirect status"; 300 is one for browsers if it says where to. */
const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

/** Does the answer lead elsewhere, even if it does not say where to? */
export function isRedirect(response: Fields): boolean {
  return REDIRECTS.has(statusOf(response));
}

/** Where the browser went from here; undefined when it stayed, or the file does not say where to. */
export function redirectOf(response: Fields, url: string): string | undefined {
  if (!isRedirect(response)) return undefined;
  const location = text(response.redirectURL) || headerOf(headersOf(response.headers), 'location');
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : undefined;
}

/** Header lines, as far as they are some. */
export function headersOf(headers: unknown): readonly Header[] {
  return list(headers).map((item) => ({
    name: text(fields(item).name) ?? '',
    value: text(fields(item).value) ?? '',
  }));
}

/** Who asked for a request, as browsertime and DevTools say it. */
export const initiatorOf = (own: Fields): Initiator | undefined =>
  INITIATOR.read(own._initiator_detail) ?? INITIATOR.read(own._initiator);

const TYPES: ReadonlySet<string> = new Set(RESOURCE_TYPES);

/**
 * What other names than DevTools' mean. Sources: WebPageTest `_request_type`, CDP `Network.ResourceType`, Firefox
 * `nsIContentPolicy`.
 */
const OTHER_TYPES: Readonly<Record<string, ResourceType>> = {
  cspviolationreport: 'csp-violation-report',
  signedexchange: 'signed-exchange',
  beacon: 'ping',
  wasm: 'fetch',
  'sm-script': 'script',
  'sm-stylesheet': 'stylesheet',
  main_frame: 'document',
  sub_frame: 'document',
  subdocument: 'document',
  xmlhttprequest: 'xhr',
  img: 'image',
  imageset: 'image',
  webmanifest: 'manifest',
  csp: 'csp-violation-report',
};

/** The type of a request by its name. */
export function typeOf(value: unknown): ResourceType | undefined {
  const name = text(value)?.toLowerCase();
  if (name === undefined) return undefined;
  if (TYPES.has(name)) return name as ResourceType;
  return Object.hasOwn(OTHER_TYPES, name) ? OTHER_TYPES[name] : undefined;
}
