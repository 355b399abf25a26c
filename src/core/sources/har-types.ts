import type { ResourceType } from '../../model/network/network.ts';
import { withoutQueryAndHash } from '../requests/address-parts.ts';
import { type Fields, fields, finite, text } from '../requests/har-fields.ts';
import { headerOf } from '../text/header.ts';
import { type Entry, headersOf, typeOf } from './har-entry.ts';

/**
 * What kind of request it is, also where the file does not say so: by what its producer says, then by the request, then by the
 * answer. An answer tells of a request only what it is when it is what was asked for.
 */
export function guessedType(entry: Entry): ResourceType {
  const { fields: own, request, url } = entry;
  if (isPreflight(request)) return 'preflight';
  const said = saidType(own);
  if (said !== undefined) return said;
  if (/^wss?:/i.test(url) || finite(entry.response.status) === 101 || Array.isArray(own._webSocketMessages))
    return 'websocket';
  // A file says more than its name, and its name more than what comes in its place: a page of an error, or the page of the site.
  const byName = typeByName(url);
  const answered = answeredType(entry);
  return requestedType(entry) ?? (isHtml(entry.response) ? (byName ?? answered) : (answered ?? byName)) ?? 'other';
}

/** By its producer: DevTools, WebPageTest, and the cause that Firefox has for it. */
export function saidType(own: Fields): ResourceType | undefined {
  return (
    typeOf(own._resourceType) ??
    typeOf(own._request_type) ??
    typeOf(own._type) ??
    typeOf(fields(own._cause).type) ??
    typeOf(own._cause)
  );
}

/** By the request: what the browser says it is for, else what it would take, else who can ask like this. */
function requestedType({ request, response }: Entry): ResourceType | undefined {
  const headers = headersOf(request.headers);
  const sent = (name: string): string => headerOf(headers, name)?.toLowerCase() ?? '';
  const method = text(request.method) ?? 'GET';
  const destination = sent('sec-fetch-dest');
  if (/^(?:i?frame|document|embed|object)$/.test(destination)) return 'document';
  if (sent('x-requested-with') === 'xmlhttprequest') return 'xhr';
  // An EventSource can only get: who posts a question reads the answer as it comes.
  if (mimeTypeOf(response) === 'text/event-stream') return method === 'POST' ? 'fetch' : 'eventsource';
  // Scripts cannot post without CORS and with an answer that they may read: that is what sendBeacon does.
  if (destination === 'empty') return method === 'POST' && sent('sec-fetch-mode') === 'no-cors' ? 'ping' : 'fetch';
  const accepted = acceptedType(sent('accept'));
  const asked =
    DESTINATIONS[destination] ?? (hasNoDocument(response) && accepted === 'document' ? undefined : accepted);
  if (asked !== undefined) return asked;
  if (method === 'GET') return undefined;
  return isForm(sent('content-type')) && isHtml(response) && accepted === undefined ? 'document' : 'fetch';
}

/** By an answer that brought what was asked for. */
function answeredType({ request, response }: Entry): ResourceType | undefined {
  const mimeType = mimeTypeOf(response);
  if (isHtml(response)) {
    // Of an error anything may be missing.
    if (!isSuccess(response) || hasNoDocument(response)) return undefined;
    // Scripts of a page take anything; browsers that open a document or a frame say what they would like.
    const headers = headersOf(request.headers);
    const isScripts = headerOf(headers, 'accept')?.trim() === '*/*' && headerOf(headers, 'referer') !== undefined;
    return isScripts ? 'fetch' : 'document';
  }
  if (mimeType === 'text/css') return 'stylesheet';
  if (/javascript|ecmascript/.test(mimeType)) return 'script';
  if (mimeType.startsWith('image/')) return 'image';
  if (/^(?:audio|video)\//.test(mimeType)) return 'media';
  if (/font/.test(mimeType)) return 'font';
  if (/[/+]json/.test(mimeType)) return /manifest/.test(mimeType) ? 'manifest' : 'fetch';
  return undefined;
}

export function mimeTypeOf(response: Fields): string {
  return (text(fields(response.content).mimeType) ?? '')
    .replace(/\s*;.*$/s, '')
    .trim()
    .toLowerCase();
}

function isHtml(response: Fields): boolean {
  return /^(?:text\/html|application\/xhtml)/.test(mimeTypeOf(response));
}

/** A file that a cache had is one as well. */
function isSuccess({ status }: Fields): boolean {
  const code = finite(status) ?? 0;
  return (code >= 200 && code < 300) || code === 304;
}

/** The page stays, whatever was asked for. Source: HTML, "navigate" with a status of 204 or 205. */
function hasNoDocument({ status }: Fields): boolean {
  return finite(status) === 204 || finite(status) === 205;
}

/** What forms send: they open a document. Source: HTML, "form submission". */
function isForm(contentType: string): boolean {
  return /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/.test(contentType);
}

/** Is it a question of the browser's, whatever a tool calls it? Source: Fetch, "CORS-preflight fetch". */
function isPreflight({ method, headers }: Fields): boolean {
  if (method !== 'OPTIONS') return false;
  const sent = headersOf(headers);
  return sent.length === 0 || headerOf(sent, 'access-control-request-method') !== undefined;
}

/** Source: Fetch, "request destination". */
const DESTINATIONS: Readonly<Record<string, ResourceType | undefined>> = {
  script: 'script',
  worker: 'script',
  sharedworker: 'script',
  serviceworker: 'script',
  audioworklet: 'script',
  paintworklet: 'script',
  style: 'stylesheet',
  image: 'image',
  font: 'font',
  audio: 'media',
  video: 'media',
  track: 'texttrack',
  manifest: 'manifest',
  report: 'csp-violation-report',
};

/**
 * What browsers say that they would take, by the first of it. As a document they take XHTML as well; scripts that read a part of a
 * page do not. Old Internet Explorers begin with pictures whatever they ask for, and go on with other things. Source: https://developer.mozilla.org/docs/Web/HTTP/Guides/Content_negotiation/List_of_default_Accept_values
 */
function acceptedType(accept: string): ResourceType | undefined {
  const types = accept.split(',').map((each) => each.replace(/;.*/s, '').trim());
  const [first = ''] = types;
  if (first === 'text/html') return types.includes('application/xhtml+xml') ? 'document' : undefined;
  if (first.startsWith('image/'))
    return types.every((each) => /^(?:image|video|\*)\//.test(each)) ? 'image' : undefined;
  if (first === 'text/css') return 'stylesheet';
  if (/^(?:audio|video)\//.test(first)) return 'media';
  if (/^(?:font\/|application\/(?:x-)?font-)/.test(first)) return 'font';
  if (first === 'text/event-stream') return 'eventsource';
  if (/javascript$/.test(first)) return 'script';
  if (/[/+]json$/.test(first)) return /manifest/.test(first) ? 'manifest' : 'fetch';
  return undefined;
}

/** What files are by their names. */
const NAMES: readonly (readonly [RegExp, ResourceType])[] = [
  [/\.(?:png|jpe?g|gif|webp|avif|apng|svg|bmp|ico)$/i, 'image'],
  [/\.css$/i, 'stylesheet'],
  [/\.[cm]?js$/i, 'script'],
  [/\.(?:woff2?|ttf|otf|eot)$/i, 'font'],
  [/\.(?:mp4|webm|ogv|ogg|mp3|m4[av]|mov|wav)$/i, 'media'],
  [/\.vtt$/i, 'texttrack'],
  [/\.json$/i, 'fetch'],
  [/\.webmanifest$/i, 'manifest'],
];

function typeByName(url: string): ResourceType | undefined {
  const path = withoutQueryAndHash(url);
  return NAMES.find(([name]) => name.test(path))?.[1];
}
