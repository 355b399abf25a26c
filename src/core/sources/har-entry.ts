import type {
  CacheKind,
  Header,
  Initiator,
  NetworkEvent,
  PostBody,
  RequestEvent,
  ResourceType,
  ResponseEvent,
  StackFrame,
} from '../../model/network.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../defined.ts';
import { UNKNOWN_MIME_TYPE } from '../har/format.ts';
import {
  type Fields,
  fields,
  finite,
  list,
  moment,
  optional,
  positive,
  size,
  text,
  utf8Length,
} from '../har-fields.ts';
import { headerOf } from '../header.ts';

/** An entry that has an address and a time. Times are milliseconds since the Unix epoch. */
export interface Entry {
  readonly fields: Fields;
  readonly request: Fields;
  readonly response: Fields;
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

/** The pieces of a body, as `_chunks` lists them. */
export function chunksOf(chunks: unknown, id: string): Extract<NetworkEvent, { kind: 'data' }>[] {
  return list(chunks).flatMap((item) => {
    const at = moment(fields(item).ts);
    const bytes = size(fields(item).bytes);
    return at === undefined || bytes === undefined ? [] : [{ kind: 'data' as const, at, id, bytes }];
  });
}

/** Header lines, as far as they are some. */
export function headersOf(headers: unknown): readonly Header[] {
  return list(headers).map((item) => ({
    name: text(fields(item).name) ?? '',
    value: text(fields(item).value) ?? '',
  }));
}

const INITIATORS: ReadonlySet<string> = new Set<Initiator['type']>([
  'parser',
  'script',
  'preload',
  'preflight',
  'signed-exchange',
  'other',
]);

/** A line or a column, from 0. */
function placeIn(value: unknown): number | undefined {
  const number = positive(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Who asked: browsertime writes an address, everybody else what CDP says, as JSON or as its text, with lines from 0. */
export function initiatorOf(value: unknown): Initiator | undefined {
  if (typeof value === 'string' && value.startsWith('{')) return initiatorOf(parsed(value));
  if (typeof value === 'string' && value !== '') return { type: 'other', url: value };
  if (typeof value !== 'object' || value === null) return undefined;
  const initiator = fields(value);
  const name = text(initiator.type) ?? 'other';
  const line = placeIn(initiator.lineNumber);
  const stack: StackFrame[] = [];
  let scheduledBy: string | undefined;
  let trace: unknown = initiator.stack;
  for (let depth = 0; depth < DEEPEST_STACK && typeof trace === 'object' && trace !== null; depth += 1) {
    const { callFrames, description, parent } = fields(trace);
    if (depth > 0) scheduledBy ??= text(description);
    for (const item of list(callFrames)) {
      const frame = fields(item);
      stack.push({
        functionName: text(frame.functionName) ?? '',
        url: text(frame.url) ?? '',
        line: (placeIn(frame.lineNumber) ?? -1) + 1,
        column: (placeIn(frame.columnNumber) ?? -1) + 1,
      });
    }
    trace = parent;
  }
  return {
    type: name === 'SignedExchange' ? 'signed-exchange' : INITIATORS.has(name) ? (name as Initiator['type']) : 'other',
    ...optional('url', text(initiator.url)),
    ...(line !== undefined && { line: line + 1 }),
    ...(stack.length > 0 && { stack }),
    ...optional('scheduledBy', scheduledBy),
  };
}

/** chrome-har and WebPageTest write the initiator of CDP as text. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Chrome keeps 32 asynchronous parents at most; more is no stack. */
const DEEPEST_STACK = 64;

const TYPES: ReadonlySet<string> = new Set<ResourceType>([
  'document',
  'stylesheet',
  'script',
  'image',
  'font',
  'media',
  'texttrack',
  'xhr',
  'fetch',
  'eventsource',
  'websocket',
  'webtransport',
  'manifest',
  'prefetch',
  'preflight',
  'ping',
  'csp-violation-report',
  'signed-exchange',
  'other',
]);

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

const CACHES: ReadonlySet<string> = new Set<CacheKind>(['memory', 'disk', 'prefetch']);

/** Which cache answered, by its name. */
export function cacheOf(value: unknown): CacheKind | undefined {
  return typeof value === 'string' && CACHES.has(value) ? (value as CacheKind) : undefined;
}
