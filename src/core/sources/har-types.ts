import type { ResourceType } from '../../model/network.ts';
import { type Fields, fields, finite, text } from '../har-fields.ts';
import { headerOf } from '../header.ts';
import { type Entry, headersOf, typeOf } from './har-entry.ts';

/** Browsers ask for it without being told to; tools that do not know who asked do not say so. */
export function isTabIcon(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === '/favicon.ico';
}

/** What kind of request it is, also where the file does not say so. */
export function guessedType({ fields: own, request, response, url }: Entry): ResourceType {
  if (isPreflight(request)) return 'preflight';
  const said = typeOf(own._resourceType) ?? typeOf(own._request_type) ?? typeOf(own._type);
  if (said !== undefined) return said;
  if (isTabIcon(url)) return 'other';
  if (/^wss?:/i.test(url) || finite(response.status) === 101 || Array.isArray(own._webSocketMessages))
    return 'websocket';
  const headers = headersOf(request.headers);
  const sent = (name: string): string => headerOf(headers, name)?.toLowerCase() ?? '';
  const destination = sent('sec-fetch-dest');
  if (/^(?:i?frame|document|embed|object)$/.test(destination)) return 'document';
  if (sent('x-requested-with') === 'xmlhttprequest') return 'xhr';
  const mimeType = (text(fields(response.content).mimeType) ?? '').toLowerCase();
  // An EventSource can only get: who posts a question reads the answer as it comes.
  if (mimeType.startsWith('text/event-stream')) return request.method === 'POST' ? 'fetch' : 'eventsource';
  // Scripts cannot post without CORS and with an answer that they may read: that is what sendBeacon does.
  if (destination === 'empty') {
    return request.method === 'POST' && sent('sec-fetch-mode') === 'no-cors' ? 'ping' : 'fetch';
  }
  const asked = DESTINATIONS[destination];
  if (asked !== undefined) return asked;
  if (mimeType.startsWith('text/html') || mimeType.startsWith('application/xhtml')) return 'document';
  if (mimeType.startsWith('text/css')) return 'stylesheet';
  if (/javascript|ecmascript/.test(mimeType)) return 'script';
  if (mimeType.startsWith('image/')) return 'image';
  if (/^(?:audio|video)\//.test(mimeType)) return 'media';
  if (/font/.test(mimeType)) return 'font';
  if (/[/+]json/.test(mimeType)) return /manifest/.test(mimeType) ? 'manifest' : 'fetch';
  // A redirect and a failure say nothing about themselves; a navigation says what it would take.
  return sent('accept').startsWith('text/html') ? 'document' : 'other';
}

/** A question of the browser's, whatever a tool calls it. Source: Fetch, "CORS-preflight fetch". */
function isPreflight({ method, headers }: Fields): boolean {
  if (method !== 'OPTIONS') return false;
  const sent = headersOf(headers);
  return sent.length === 0 || headerOf(sent, 'access-control-request-method') !== undefined;
}

/** Source: Fetch, "request destination". */
const DESTINATIONS: Readonly<Record<string, ResourceType | undefined>> = {
  script: 'script',
  style: 'stylesheet',
  image: 'image',
  font: 'font',
  audio: 'media',
  video: 'media',
  track: 'texttrack',
  manifest: 'manifest',
};
