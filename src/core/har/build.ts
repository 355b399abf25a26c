import type * as Standard from 'har-format';
import type { VerdictReason } from '../../model/background/reason.ts';
import type { Policy, Verdict } from '../../model/background/verdict.ts';
import type { Header, PostBody } from '../../model/network/network.ts';
import type { Mark, Message, Request, Timeline } from '../../model/network/timeline.ts';
import type { BodyText, PageTimings, Recording } from '../../model/recording/recording.ts';
import type { RunRole } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { shapeOf } from '../background/content/message-shape.ts';
import { operationOf } from '../background/operation.ts';
import { clean, measured, type Writing } from '../har-codec.ts';
import { toHarTimings } from '../rendering/page-timings.ts';
import {
  CREATOR,
  type QuiesceEntry,
  type QuiesceHar,
  type QuiescePage,
  type QuiescePostData,
  type QuiesceRequest,
  type QuiesceResponse,
  UNKNOWN_MIME_TYPE,
} from './format.ts';
import { ENTRY, type HarMessage, type OwnEntry } from './own-entry.ts';
import { PAGE } from './own-page.ts';
import { createRedactor, KEEP_SECRETS, REDACTED, type Redactor } from './redact.ts';
import { harTime, harTimings } from './timings.ts';

/** What goes into a HAR. */
export interface HarOptions {
  /** Title of the page; its own, or its address, when absent. */
  readonly title?: string;
  /** Of Quiesce. */
  readonly version: string;
  /** Requests to be marked as background; `requestId` is the hop's id. */
  readonly verdicts?: readonly Verdict[];
  /** Puts reasons of verdicts and rules into words; without it they have none. */
  readonly inWords?: (reason: VerdictReason) => string;
  /** With which the recording was judged. */
  readonly policy?: Policy;
  /** What the run was for. */
  readonly role?: RunRole;
  /** Keep the bodies of responses. */
  readonly content?: boolean;
  /** Keep cookies, tokens and payloads. */
  readonly secrets?: boolean;
}

const PAGE_ID = 'page_1';

/** Everything that the parts of one HAR have in common. */
interface Context extends Writing {
  readonly redact: Redactor;
  readonly secrets: boolean;
  readonly navigationStart: number;
  readonly observedUntil: Ms;
  readonly verdicts: ReadonlyMap<string, Verdict>;
  readonly bodies: ReadonlyMap<string, BodyText>;
}

/**
 * A HAR 1.2 document with one entry for every hop of the timeline, answered or not, in order of start. It is redacted
 * unless `secrets` is set. Whatever the page did, the result is valid: no NaN, no null, no size below −1.
 */
export function buildHar(recording: Recording, timeline: Timeline, options: HarOptions): QuiesceHar {
  const secrets = options.secrets ?? false;
  const redact = secrets ? KEEP_SECRETS : createRedactor();
  const context: Context = {
    redact,
    secrets,
    navigationStart: measured(recording.navigation.startedAt) ?? 0,
    observedUntil: measured(timeline.observedUntil) ?? 0,
    inWords: options.inWords ?? (() => ''),
    verdicts: new Map(options.verdicts?.map((verdict) => [verdict.requestId, verdict])),
    bodies: new Map((options.content ?? false) ? recording.bodies.map((body) => [body.id, body]) : []),
  };
  const entries = timeline.requests.map((request) => entryOf(request, context));
  entries.sort((a, b) => a._startedAt - b._startedAt);
  return {
    log: {
      version: '1.2',
      creator: { name: CREATOR, version: clean(options.version) || 'unknown' },
      browser: browserOf(recording.navigation.browser),
      pages: [pageOf(recording, timeline, options, context)],
      entries,
    },
  };
}

// Page

function pageOf(recording: Recording, timeline: Timeline, options: HarOptions, context: Context): QuiescePage {
  const { navigation, page } = recording;
  const { redact } = context;
  const shown = clean(options.title || page?.title || page?.finalUrl || navigation.url);
  const title = navigation.step === undefined ? shown : `${clean(navigation.step)} – ${shown}`;
  return {
    startedDateTime: isoDate(context.navigationStart),
    id: PAGE_ID,
    // Chrome takes the address for the title of a page that has none.
    title: /^\S+:\/\/\S+$/.test(title) ? redact.url(title) : redact.text(title),
    pageTimings: pageTimingsOf(timeline.marks, page),
    ...(navigation.view === 'warm' && { _cached: 1 as const }),
    ...PAGE.write(
      {
        _url: navigation.url,
        _finalUrl: page?.finalUrl,
        _userAgent: navigation.userAgent,
        _network: navigation.network,
        _stepName: navigation.step,
        _navigationStart: context.navigationStart,
        _observedUntil: context.observedUntil,
        _marks: timeline.marks,
        _announcedHops: measured(recording.announcedHops) ?? -1,
        _mainThread: recording.mainThread.length > 0 ? recording.mainThread : undefined,
        _frameThreads: recording.frameThreads,
        _workerThreads: recording.workerThreads,
        _rendered: recording.rendered,
        _evaluated: page?.evaluated,
        _role: options.role,
        _policy: options.policy,
        _verdicts: options.verdicts,
      },
      context,
    ),
    ...(page && toHarTimings(page, context)),
  };
}

function pageTimingsOf(marks: readonly Mark[], page: PageTimings | undefined): QuiescePage['pageTimings'] {
  /** The last of a name: the document that stayed, and the paint candidate that won. */
  const last = (name: Mark['name']): number | undefined => {
    const at = marks.findLast((mark) => mark.name === name)?.at;
    return at !== undefined && measured(at) !== undefined && at >= 0 ? at : undefined;
  };
  return {
    onContentLoad: last('dom-content-loaded') ?? pageTime(page?.domContentLoadedEnd),
    onLoad: last('load') ?? pageTime(page?.loadEnd),
    _firstPaint: last('first-paint') ?? measured(page?.firstPaint),
    _firstContentfulPaint: last('first-contentful-paint') ?? measured(page?.firstContentfulPaint),
    _largestContentfulPaint: last('largest-contentful-paint'),
  };
}

/** 'HeadlessChrome/156.0.1' in two parts. */
function browserOf(product: string): Standard.Browser {
  const text = clean(product);
  const slash = text.indexOf('/');
  const name = slash === -1 ? text : text.slice(0, slash);
  return { name: name || 'unknown', version: (slash === -1 ? '' : text.slice(slash + 1)) || 'unknown' };
}

// Entry

function entryOf(request: Request, context: Context): QuiesceEntry {
  const start = measured(request.startedAt) ?? 0;
  const endedAt = measured(request.endedAt);
  const end = Math.max(start, endedAt ?? context.observedUntil);
  const timings = harTimings(request, start, end);
  const { response } = request;
  const verdict = context.verdicts.get(request.id);
  const chunks = request.chunks.filter(
    (chunk) => measured(chunk.at) !== undefined && measured(chunk.bytes) !== undefined,
  );
  const { address, port } = splitAddress(response?.remoteAddress ?? '');
  // DevTools reads the port from here; where it is not known, the id keeps connections apart, as HAR 1.2 wants it.
  const connection = clean(port ?? response?.connectionId ?? '');
  return {
    pageref: PAGE_ID,
    startedDateTime: isoDate(context.navigationStart + start),
    time: harTime(timings),
    request: requestOf(request, context.redact),
    response: responseOf(request, context),
    cache: {},
    timings,
    serverIPAddress: address,
    connection: connection || undefined,
    comment: commentOf(request),
    ...ENTRY.write(
      {
        _connectionId: response?.connectionId,
        _connectionReused: response?.connectionReused,
        _remoteAddress: response?.remoteAddress === address ? undefined : response?.remoteAddress,
        _id: request.id,
        _requestId: request.requestId,
        _hop: request.hop,
        _startedAt: start,
        _endedAt: endedAt,
        _outcome: request.outcome,
        _pending: endedAt === undefined || undefined,
        _error: request.error,
        _responseAt: response && (measured(response.at) ?? start),
        _timing: request.timing,
        _resourceType: request.type,
        _priority: request.priority,
        _initiator: request.initiator,
        _target: request.target,
        _frameId: request.frameId,
        _loaderId: request.loaderId,
        _mainDocument: request.mainDocument,
        _keepalive: request.keepalive,
        _fromPreviousDocument: request.fromPreviousDocument || undefined,
        _wallTime: request.wallTime,
        _fromCache: response?.fromCache,
        _fetchedViaServiceWorker: response?.fromServiceWorker || undefined,
        _bodySize: request.bodySize,
        _chunks: chunks.length > 0 ? chunks.map(({ at, bytes }) => ({ ts: at, bytes })) : undefined,
        ...messagesOf(request, context),
        _background: verdict && {
          kind: verdict.kind,
          because: context.inWords(verdict.reason),
          reason: verdict.reason,
          confidence: verdict.confidence,
        },
      },
      context,
    ),
  };
}

function commentOf(request: Request): string | undefined {
  if (request.endedAt === undefined) {
    return request.response
      ? 'Still open when the observation ended: answered, but not ended. Its time is up to then.'
      : 'Still open when the observation ended: not answered. Its time is up to then.';
  }
  if (request.outcome === 'blocked') return 'Blocked on request: it never left the browser, and counts for nothing.';
  if (request.outcome === 'lost') return 'Its target went away: how it ended is not known, and its time says nothing.';
  return undefined;
}

/** '[::1]:443', '[::1]', '::1', '10.0.0.1:80' or '10.0.0.1' in parts; no address when it is none. */
function splitAddress(text: string): { readonly address?: string; readonly port?: string } {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  if (!isIpAddress(address)) return {};
  return { address, ...(port !== undefined && { port }) };
}

function isIpAddress(text: string): boolean {
  if (/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/.test(text)) return !text.endsWith('.');
  return /^[\da-f:.]{2,45}$/i.test(text) && text.includes(':') && URL.canParse(`http://[${text}]/`);
}

function requestOf(request: Request, redact: Redactor): QuiesceRequest {
  const exact = redact.url(clean(request.url));
  const url = standardUrl(exact);
  const headers = headersOf(request.requestHeaders, redact);
  let typed = false;
  return {
    method: clean(request.method) || 'GET',
    url,
    httpVersion: httpVersion(request.response?.protocol),
    cookies: headers.filter(({ name }) => name.toLowerCase() === 'cookie').flatMap(({ value }) => sentCookies(value)),
    // A request has one type; har-to-k6 refuses a second one.
    headers: headers.filter(({ name }) => {
      if (name.toLowerCase() !== 'content-type') return true;
      const first = !typed;
      typed = true;
      return first;
    }),
    queryString: queryOf(url),
    ...(request.postBody && { postData: postDataOf(request.postBody, redact) }),
    headersSize: -1,
    bodySize: request.postBody ? sizeOf(request.postBody.size) : 0,
    ...(url !== exact && { _url: exact }),
  };
}

function responseOf(request: Request, context: Context): QuiesceResponse {
  const { redact } = context;
  const { response } = request;
  const own = {
    _transferSize: measured(request.transferSize),
    _error: request.error === undefined ? undefined : redact.text(clean(request.error)),
    _fetchedViaServiceWorker: response?.fromServiceWorker ?? false,
  };
  if (!response) {
    return {
      status: 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [],
      content: { size: sizeOf(request.contentSize), mimeType: UNKNOWN_MIME_TYPE },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      ...own,
    };
  }
  const headers = headersOf(response.headers, redact);
  const bodySize = bodySizeOf(request);
  const isRedirect = response.status >= 300 && response.status < 400;
  const location = isRedirect ? headers.find(({ name }) => name.toLowerCase() === 'location')?.value : undefined;
  return {
    status: measured(response.status) !== undefined ? Math.max(0, Math.round(response.status)) : 0,
    statusText: clean(response.statusText),
    httpVersion: httpVersion(response.protocol),
    cookies: headers
      .filter(({ name }) => name.toLowerCase() === 'set-cookie')
      .flatMap(({ value }) => value.split('\n').flatMap(receivedCookie)),
    headers,
    content: contentOf(request, bodySize, context),
    redirectURL: response.redirectUrl === undefined ? (location ?? '') : redact.url(clean(response.redirectUrl)),
    headersSize: headersSizeOf(request, bodySize),
    bodySize,
    ...own,
    _followed: response.redirectUrl === undefined ? undefined : true,
  };
}

/** Bytes of the body on the wire; −1 where nobody can know them: open, failed and lost hops, and service workers. */
function bodySizeOf({ response, outcome, transferSize, bodySize }: Request): number {
  if (!response || response.fromServiceWorker) return -1;
  if (response.fromCache !== undefined || response.status === 304) return 0;
  if (outcome === 'open' || outcome === 'failed' || outcome === 'lost' || outcome === 'blocked') return -1;
  if (bodySize !== undefined) return sizeOf(bodySize);
  if (transferSize === undefined || response.headersText === undefined) return -1;
  return Math.max(0, sizeOf(transferSize) - response.headersText.length);
}

/** What is left of the bytes on the wire without the body, so that both sum up; else the length of the raw block. */
function headersSizeOf({ response, transferSize }: Request, bodySize: number): number {
  if (response?.fromCache === undefined && transferSize !== undefined && bodySize >= 0 && transferSize >= bodySize) {
    return sizeOf(transferSize - bodySize);
  }
  return response?.headersText === undefined ? -1 : response.headersText.length;
}

function contentOf(request: Request, bodySize: number, context: Context): Standard.Content {
  const { response } = request;
  const size = sizeOf(request.contentSize);
  const mimeType = clean(response?.mimeType ?? '') || UNKNOWN_MIME_TYPE;
  const status = response?.status;
  // Below zero when chunked framing made the body larger: nothing was saved then.
  const saved = size - bodySize;
  const comparable = response?.fromCache === undefined && status !== 304 && status !== 206 && bodySize >= 0;
  return {
    size,
    ...(comparable && size >= 0 && saved >= 0 && { compression: saved }),
    mimeType,
    ...bodyTextOf(context.bodies.get(request.id), mimeType, context),
  };
}

function bodyTextOf(
  body: BodyText | undefined,
  mimeType: string,
  { redact, secrets }: Context,
): { text: string; encoding?: string } | undefined {
  if (!body) return undefined;
  if (body.base64) return { text: clean(body.text), encoding: 'base64' };
  const text = clean(body.text);
  // The body of an event stream is its messages, and an answer in JSON is where tokens are handed out.
  if (secrets) return { text };
  if (/^text\/event-stream/i.test(mimeType)) return { text: redact.payload(text) };
  return {
    text: /[/+]json(?:;|$)|^application\/x-www-form-urlencoded/i.test(mimeType) ? redact.body(text, mimeType) : text,
  };
}

// Messages

function messagesOf(request: Request, context: Context): Partial<OwnEntry> {
  const messages = request.messages.filter(
    ({ at, bytes }) => measured(at) !== undefined && measured(bytes) !== undefined,
  );
  const isSocket = request.type === 'websocket';
  if (messages.length === 0 && !isSocket) return {};
  const areEvents =
    !isSocket && messages.every(({ direction, eventName }) => direction === 'received' && eventName !== undefined);
  const name = isSocket ? '_webSocketMessages' : areEvents ? '_eventSourceMessages' : '_messages';
  return {
    [name]: messages.map((message) => ({
      ...messageOf(message, context),
      ...((isSocket || areEvents) && { time: (context.navigationStart + message.at) / 1000 }),
      ...(isSocket && { opcode: measured(message.opcode) ?? 1 }),
      ...(areEvents && { type: undefined, eventName: message.eventName, eventId: message.eventId ?? '' }),
    })),
  };
}

function messageOf(message: Message, { redact, secrets }: Context): HarMessage {
  const text = message.text === undefined ? undefined : redact.payload(clean(message.text));
  return {
    type: message.direction === 'sent' ? 'send' : 'receive',
    // DevTools leaves out messages without a text.
    data: text ?? '',
    _at: message.at,
    _bytes: message.bytes,
    ...shapeFields(message, secrets),
    _data: text === undefined ? 'unknown' : secrets || text === '' ? undefined : 'redacted',
  };
}

/** What a message is like is needed to judge again. Where its text is kept, that says it. */
function shapeFields(message: Message, secrets: boolean): Partial<HarMessage> {
  const isSaid = message.shape === undefined && (secrets || message.text === undefined);
  if (isSaid) return {};
  const { shape, places, wider, fields, joins } = shapeOf(message);
  // Of what the page sends, only questions say something of what comes.
  if (message.direction === 'sent' && joins.length === 0) return {};
  return {
    _shape: shape,
    _places: places.length > 0 ? places : undefined,
    _wider: wider,
    _fields: fields,
    _joins: joins.length > 0 ? joins : undefined,
  };
}

// Headers, cookies, addresses, bodies

/** Header lines; nameless ones, which only a broken server sends, are left out because importers refuse them. */
function headersOf(headers: readonly Header[], redact: Redactor): { name: string; value: string }[] {
  const lines: { name: string; value: string }[] = [];
  for (const header of headers) {
    const name = clean(header.name);
    if (name === '') continue;
    const redacted = redact.header({ name, value: clean(header.value) });
    lines.push({ name, value: redacted.value });
  }
  return lines;
}

function sentCookies(value: string): Standard.Cookie[] {
  return value.split(';').flatMap((pair) => {
    const cookie = cookiePair(pair);
    return cookie ? [cookie] : [];
  });
}

function receivedCookie(line: string): Standard.Cookie[] {
  const [pair = '', ...attributes] = line.split(';');
  const cookie = cookiePair(pair);
  if (!cookie) return [];
  for (const attribute of attributes) {
    const at = attribute.indexOf('=');
    const name = (at === -1 ? attribute : attribute.slice(0, at)).trim().toLowerCase();
    const value = at === -1 ? '' : attribute.slice(at + 1).trim();
    if (name === 'path') cookie.path = value;
    else if (name === 'domain') cookie.domain = value;
    else if (name === 'httponly') cookie.httpOnly = true;
    else if (name === 'secure') cookie.secure = true;
    else if (name === 'expires') {
      const expires = Date.parse(value);
      if (isWritableDate(expires)) cookie.expires = new Date(expires).toISOString();
    }
  }
  return [cookie];
}

/** Undefined for a cookie without a name: HAR has no way to write one. */
function cookiePair(pair: string): Standard.Cookie | undefined {
  const at = pair.indexOf('=');
  const name = at === -1 ? '' : pair.slice(0, at).trim();
  return name === '' ? undefined : { name, value: pair.slice(at + 1).trim() };
}

/** What an address may not hold (RFC 3986), though browsers let some through: a raw `${x}` is a variable to har-to-k6. */
const NOT_IN_URLS = /[^!#-;=?-[\]_a-z~]|%(?![\da-f]{2})/giu;

/** HAR 1.2 wants an absolute address without its fragment; importers want `scheme://` and no raw spaces. */
function standardUrl(url: string): string {
  const hash = url.indexOf('#');
  const plain = (hash === -1 ? url : url.slice(0, hash)).replace(NOT_IN_URLS, (character) =>
    encodeURIComponent(character),
  );
  return /^[a-z][a-z\d+.-]*:\/\//i.test(plain) ? plain : `unknown://${plain}`;
}

/** Parameters as they stand in the address, not decoded: so DevTools writes them, and har-to-k6 decodes them itself. */
function queryOf(url: string): Standard.QueryString[] {
  const at = url.indexOf('?');
  if (at === -1) return [];
  return url
    .slice(at + 1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals === -1
        ? { name: decodable(pair), value: '' }
        : { name: decodable(pair.slice(0, equals)), value: decodable(pair.slice(equals + 1)) };
    });
}

/** Escapes that are no UTF-8 would make decoders throw. */
function decodable(text: string): string {
  if (!text.includes('%')) return text;
  try {
    decodeURIComponent(text);
    return text;
  } catch {
    return text.replaceAll('%', '%25');
  }
}

function postDataOf(body: PostBody, redact: Redactor): QuiescePostData {
  const mimeType = clean(body.mimeType);
  // Without it two calls at one address could not be told apart when the file is judged again.
  const named = operationOf(body);
  const operation = named === undefined ? {} : { _operation: redact.text(clean(named)) };
  if (body.text === undefined) {
    return { mimeType, text: '', comment: 'The browser did not give the body out.', _text: 'unknown', ...operation };
  }
  const text = redact.body(clean(body.text), mimeType);
  return {
    mimeType,
    text,
    ...(text === REDACTED && { _text: 'redacted' as const }),
    ...operation,
  };
}

/** 'HTTP/1.1' as on the wire; newer protocols go by the name that was negotiated: 'h2', 'h3'. */
function httpVersion(protocol: string | undefined): string {
  const name = clean(protocol ?? '');
  return /^http\/\d/i.test(name) ? name.toUpperCase() : name;
}

// Values

/** A time on the page, −1 when there is none. */
function pageTime(at: number | undefined): number {
  return at !== undefined && measured(at) !== undefined && at >= 0 ? at : -1;
}

function sizeOf(bytes: number | undefined): number {
  return bytes !== undefined && measured(bytes) !== undefined && bytes >= 0 ? Math.round(bytes) : -1;
}

const LAST_DATE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** RFC 3339 has four digits for the year. */
function isWritableDate(epoch: number): boolean {
  return epoch >= Date.UTC(1, 0, 1) && epoch <= LAST_DATE;
}

function isoDate(epoch: number): string {
  return new Date(Math.min(LAST_DATE, Math.max(0, Math.round(epoch)))).toISOString();
}
