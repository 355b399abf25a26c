import type * as Standard from 'har-format';
import type { TimingEntries } from '../../model/metrics.ts';
import type { Header, Initiator, PostBody, ResourceTiming } from '../../model/network.ts';
import type { VerdictReason } from '../../model/reason.ts';
import type { BodyText, PageTimings, Recording } from '../../model/recording.ts';
import type { RunRole } from '../../model/result.ts';
import type { Mark, Message, Request, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { EndpointRule, Policy, Verdict } from '../../model/verdict.ts';
import { operationOf } from '../background/operation.ts';
import { shapeOf } from '../message-shape.ts';
import { toHarTimings } from '../page-timings.ts';
import {
  CREATOR,
  type HarEventSourceMessage,
  type HarInitiator,
  type HarOtherMessage,
  type HarPolicy,
  type HarRule,
  type HarTextState,
  type HarWebSocketMessage,
  type QuiesceEntry,
  type QuiesceHar,
  type QuiescePage,
  type QuiescePostData,
  type QuiesceRequest,
  type QuiesceResponse,
  UNKNOWN_MIME_TYPE,
} from './format.ts';
import { createRedactor, KEEP_SECRETS, REDACTED, type Redactor } from './redact.ts';
import { withoutSecretsIn } from './rendered.ts';
import { harTime, harTimings, measured } from './timings.ts';

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
interface Context {
  readonly inWords: (reason: VerdictReason) => string;
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
    _url: redact.url(clean(navigation.url)),
    ...(page && { _finalUrl: redact.url(clean(page.finalUrl)) }),
    _userAgent: clean(navigation.userAgent),
    ...(navigation.network && { _network: { ...navigation.network } }),
    ...(navigation.view === 'warm' && { _cached: 1 as const }),
    ...(navigation.step !== undefined && { _stepName: redact.text(clean(navigation.step)) }),
    _navigationStart: context.navigationStart,
    _observedUntil: context.observedUntil,
    _marks: timeline.marks
      .filter((mark) => measured(mark.at) !== undefined)
      .map((mark) => ({
        ...mark,
        ...(mark.detail !== undefined && { detail: redact.text(clean(mark.detail)) }),
        ...(mark.url !== undefined && { url: redact.url(clean(mark.url)) }),
      })),
    ...(page && toHarTimings(withoutSecrets(page, redact))),
    _announcedHops: measured(recording.announcedHops) ?? -1,
    ...(recording.mainThread.length > 0 && { _mainThread: recording.mainThread.map((sample) => ({ ...sample })) }),
    ...(recording.frameThreads && {
      _frameThreads: recording.frameThreads.map(({ frameId, samples }) => ({
        frameId: clean(frameId),
        samples: samples.map((sample) => ({ ...sample })),
      })),
    }),
    ...(recording.workerThreads && {
      _workerThreads: recording.workerThreads.map(({ samples }) => ({
        samples: samples.map((sample) => ({ ...sample })),
      })),
    }),
    ...(recording.rendered && { _rendered: withoutSecretsIn(recording.rendered, redact) }),
    ...(options.role && { _role: options.role }),
    ...(options.policy && { _policy: policyOf(options.policy, context) }),
    ...(options.verdicts && {
      _verdicts: options.verdicts.map((verdict) => ({ ...verdict, ...reasonOf(verdict, context) })),
    }),
  };
}

/** Scripts of long frames have addresses, and what shifted has names. */
function withoutSecrets(page: TimingEntries, redact: Redactor): TimingEntries {
  const { longFrames, layoutShifts } = page;
  return {
    ...page,
    ...(layoutShifts && { layoutShifts: withTexts(layoutShifts, (text) => redact.text(clean(text))) }),
    ...(longFrames && {
      longFrames: longFrames.map((frame) => ({
        ...frame,
        scripts: frame.scripts.map((script) => ({
          ...script,
          url: redact.url(clean(script.url)),
          ...(script.name !== undefined && { name: redact.text(clean(script.name)) }),
          ...(script.invoker !== undefined && { invoker: redact.text(clean(script.invoker)) }),
          ...(script.place !== undefined && {
            place: withTexts(script.place, (text) => redact.text(clean(text))),
          }),
        })),
      })),
    }),
  };
}

/** A reason in words, and with its code and figures; texts in it are redacted as addresses are. */
function reasonOf({ reason }: { readonly reason: VerdictReason }, { redact, inWords }: Context) {
  const shown = (text: string): string => redact.text(clean(text));
  return { because: shown(inWords(reason)), reason: withTexts(reason, shown) };
}

/** The same value with every text in it replaced. */
function withTexts<T>(value: T, shown: (text: string) => string): T;
function withTexts(value: unknown, shown: (text: string) => string): unknown {
  if (typeof value === 'string') return shown(value);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, shown));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each, shown)]));
}

/** Patterns are redacted as addresses are, so that they still match. */
function policyOf(policy: Policy, context: Context): HarPolicy {
  const { redact } = context;
  const { learnt, expected, awaited, ...rest } = policy;
  const shown = (text: string): string => redact.text(clean(text));
  return {
    ...rest,
    background: policy.background.map((pattern) => redact.pattern(clean(pattern))),
    foreground: policy.foreground.map((pattern) => redact.pattern(clean(pattern))),
    ...(learnt && { learnt: learnt.map((rule) => harRuleOf(rule, context)) }),
    ...(expected && { expected: withTexts(expected, shown) }),
    ...(awaited && { awaited: withTexts(awaited, shown) }),
  };
}

/** Lessons are redacted as the addresses are that they speak of. */
function harRuleOf(rule: EndpointRule, context: Context): HarRule {
  const { endpoint, fixed } = rule;
  const { redact } = context;
  return {
    ...rule,
    endpoint: redact.text(clean(endpoint)),
    ...reasonOf(rule, context),
    ...(fixed && {
      fixed: Object.fromEntries(
        Object.entries(fixed).map(([name, value]) => {
          const question = new URLSearchParams([[name, value]]);
          const [, shown = ''] = redact.url(`http://host.invalid/?${question}`).split('?');
          return [name, new URLSearchParams(shown).get(name) ?? REDACTED];
        }),
      ),
    }),
  };
}

function pageTimingsOf(marks: readonly Mark[], page: PageTimings | undefined): QuiescePage['pageTimings'] {
  /** The last of a name: the document that stayed, and the paint candidate that won. */
  const last = (name: Mark['name']): number | undefined => {
    const at = marks.findLast((mark) => mark.name === name)?.at;
    return at !== undefined && measured(at) !== undefined && at >= 0 ? at : undefined;
  };
  const firstPaint = last('first-paint') ?? measured(page?.firstPaint);
  const firstContentfulPaint = last('first-contentful-paint') ?? measured(page?.firstContentfulPaint);
  const largestContentfulPaint = last('largest-contentful-paint');
  return {
    onContentLoad: last('dom-content-loaded') ?? pageTime(page?.domContentLoadedEnd),
    onLoad: last('load') ?? pageTime(page?.loadEnd),
    ...(firstPaint !== undefined && { _firstPaint: firstPaint }),
    ...(firstContentfulPaint !== undefined && { _firstContentfulPaint: firstContentfulPaint }),
    ...(largestContentfulPaint !== undefined && { _largestContentfulPaint: largestContentfulPaint }),
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
  const { redact } = context;
  const start = measured(request.startedAt) ?? 0;
  const endedAt = measured(request.endedAt);
  const end = Math.max(start, endedAt ?? context.observedUntil);
  const timings = harTimings(request, start, end);
  const { response } = request;
  const verdict = context.verdicts.get(request.id);
  const timing = request.timing && exactTiming(request.timing);
  const comment = commentOf(request);
  const responseAt = response && (measured(response.at) ?? start);
  const wallTime = measured(request.wallTime);
  const bodySize = measured(request.bodySize);
  const chunks = request.chunks.filter(
    (chunk) => measured(chunk.at) !== undefined && measured(chunk.bytes) !== undefined,
  );
  return {
    pageref: PAGE_ID,
    startedDateTime: isoDate(context.navigationStart + start),
    time: harTime(timings),
    request: requestOf(request, redact),
    response: responseOf(request, context),
    cache: {},
    timings,
    ...connectionOf(request),
    ...(comment !== undefined && { comment }),
    _id: clean(request.id),
    _requestId: clean(request.requestId),
    _hop: request.hop,
    _startedAt: start,
    ...(endedAt !== undefined && { _endedAt: endedAt }),
    _outcome: request.outcome,
    ...(endedAt === undefined && { _pending: true as const }),
    ...(request.error !== undefined && { _error: redact.text(clean(request.error)) }),
    ...(responseAt !== undefined && { _responseAt: responseAt }),
    ...(timing && { _timing: timing }),
    _resourceType: request.type,
    ...(request.priority !== undefined && { _priority: clean(request.priority) }),
    ...(request.initiator && { _initiator: initiatorOf(request.initiator, redact) }),
    _target: request.target,
    ...(request.frameId !== undefined && { _frameId: clean(request.frameId) }),
    ...(request.loaderId !== undefined && { _loaderId: clean(request.loaderId) }),
    _mainDocument: request.mainDocument,
    _keepalive: request.keepalive,
    ...(request.fromPreviousDocument && { _fromPreviousDocument: true as const }),
    ...(wallTime !== undefined && { _wallTime: wallTime }),
    ...(response?.fromCache !== undefined && { _fromCache: response.fromCache }),
    ...(response?.fromServiceWorker && { _fetchedViaServiceWorker: true as const }),
    ...(bodySize !== undefined && { _bodySize: bodySize }),
    ...(chunks.length > 0 && { _chunks: chunks.map((chunk) => ({ ts: chunk.at, bytes: chunk.bytes })) }),
    ...messagesOf(request, context),
    ...(verdict && {
      _background: {
        kind: verdict.kind,
        ...reasonOf(verdict, context),
        confidence: verdict.confidence,
      },
    }),
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

function connectionOf({ response }: Request): Partial<QuiesceEntry> {
  if (!response) return {};
  const { connectionId, connectionReused, remoteAddress } = response;
  const { address, port } = splitAddress(remoteAddress ?? '');
  // DevTools reads the port from here; where it is not known, the id keeps connections apart, as HAR 1.2 wants it.
  const connection = port ?? connectionId;
  return {
    ...(address !== undefined && { serverIPAddress: address }),
    ...(connection !== undefined && connection !== '' && { connection: clean(connection) }),
    ...(connectionId !== undefined && { _connectionId: clean(connectionId) }),
    ...(connectionReused !== undefined && { _connectionReused: connectionReused }),
    ...(remoteAddress !== undefined && remoteAddress !== address && { _remoteAddress: clean(remoteAddress) }),
  };
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
  const error = request.error === undefined ? undefined : redact.text(clean(request.error));
  const transferSize = measured(request.transferSize);
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
      ...(transferSize !== undefined && { _transferSize: transferSize }),
      ...(error !== undefined && { _error: error }),
      _fetchedViaServiceWorker: false,
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
    ...(transferSize !== undefined && { _transferSize: transferSize }),
    ...(error !== undefined && { _error: error }),
    _fetchedViaServiceWorker: response.fromServiceWorker ?? false,
    ...(response.redirectUrl !== undefined && { _followed: true as const }),
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

function messagesOf(request: Request, context: Context): Partial<QuiesceEntry> {
  const messages = request.messages.filter(
    ({ at, bytes }) => measured(at) !== undefined && measured(bytes) !== undefined,
  );
  if (request.type === 'websocket') return { _webSocketMessages: messages.map((m) => webSocketMessage(m, context)) };
  if (messages.length === 0) return {};
  const events = messages.every(({ direction, eventName }) => direction === 'received' && eventName !== undefined);
  if (events) return { _eventSourceMessages: messages.map((message) => eventSourceMessage(message, context)) };
  return { _messages: messages.map((message) => otherMessage(message, context)) };
}

function webSocketMessage(message: Message, context: Context): HarWebSocketMessage {
  return {
    ...otherMessage(message, context),
    time: (context.navigationStart + message.at) / 1000,
    opcode: measured(message.opcode) ?? 1,
  };
}

function eventSourceMessage(message: Message, context: Context): HarEventSourceMessage {
  const { type: _type, ...rest } = otherMessage(message, context);
  return {
    ...rest,
    time: (context.navigationStart + message.at) / 1000,
    eventName: clean(message.eventName ?? 'message'),
    eventId: clean(message.eventId ?? ''),
  };
}

function otherMessage(message: Message, { redact, secrets }: Context): HarOtherMessage {
  const text = message.text === undefined ? undefined : redact.payload(clean(message.text));
  return {
    type: message.direction === 'sent' ? 'send' : 'receive',
    // DevTools leaves out messages without a text.
    data: text ?? '',
    _at: message.at,
    _bytes: message.bytes,
    ...shapeFields(message, secrets),
    ...textState(message.text, text, secrets),
  };
}

/** What a message is like is needed to judge again. Where its text is kept, that says it. */
function shapeFields(
  message: Message,
  secrets: boolean,
): Pick<HarOtherMessage, '_shape' | '_places' | '_wider' | '_fields' | '_joins'> {
  const isSaid = message.shape === undefined && (secrets || message.text === undefined);
  if (isSaid) return {};
  const { shape, places, wider, fields, joins } = shapeOf(message);
  // Of what the page sends, only questions say something of what comes.
  if (message.direction === 'sent' && joins.length === 0) return {};
  return {
    _shape: shape,
    ...(places.length > 0 && { _places: [...places] }),
    ...(wider && { _wider: [...wider] }),
    ...(fields && { _fields: [...fields] }),
    ...(joins.length > 0 && { _joins: [...joins] }),
  };
}

function textState(
  before: string | undefined,
  after: string | undefined,
  secrets: boolean,
): { readonly _data?: HarTextState } {
  if (before === undefined) return { _data: 'unknown' };
  return secrets || after === '' ? {} : { _data: 'redacted' };
}

// Initiator

/** In the form of CDP, whose lines count from 0. */
function initiatorOf(initiator: Initiator, redact: Redactor): HarInitiator {
  const line = measured(initiator.line);
  const { scheduledBy } = initiator;
  const frames = initiator.stack ?? [];
  return {
    type: initiator.type === 'signed-exchange' ? 'SignedExchange' : initiator.type,
    ...(initiator.url !== undefined && { url: redact.url(clean(initiator.url)) }),
    ...(line !== undefined && { lineNumber: line - 1 }),
    ...((frames.length > 0 || scheduledBy !== undefined) && {
      stack: {
        callFrames: frames.map((frame) => ({
          functionName: clean(frame.functionName),
          scriptId: '',
          url: redact.url(clean(frame.url)),
          lineNumber: (measured(frame.line) ?? 0) - 1,
          columnNumber: (measured(frame.column) ?? 0) - 1,
        })),
        ...(scheduledBy !== undefined && { parent: { description: clean(scheduledBy), callFrames: [] } }),
      },
    }),
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

/** Escapes that are no UTF-8 would throw in whoever decodes them. */
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

function exactTiming(timing: ResourceTiming): ResourceTiming {
  return Object.fromEntries(
    Object.entries(timing).filter(([, at]) => measured(at) !== undefined),
  ) as unknown as ResourceTiming;
}

/** A time on the page, −1 when there is none. */
function pageTime(at: number | undefined): number {
  return at !== undefined && measured(at) !== undefined && at >= 0 ? at : -1;
}

function sizeOf(bytes: number | undefined): number {
  return bytes !== undefined && measured(bytes) !== undefined && bytes >= 0 ? Math.round(bytes) : -1;
}

/** Half a surrogate pair is no character: readers in other languages refuse the whole file. */
function clean(text: string): string {
  return text.toWellFormed();
}

const LAST_DATE = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** RFC 3339 has four digits for the year. */
function isWritableDate(epoch: number): boolean {
  return epoch >= Date.UTC(1, 0, 1) && epoch <= LAST_DATE;
}

function isoDate(epoch: number): string {
  return new Date(Math.min(LAST_DATE, Math.max(0, Math.round(epoch)))).toISOString();
}
