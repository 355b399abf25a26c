import type {
  CacheKind,
  Header,
  Initiator,
  NetworkEvent,
  PostBody,
  RequestEvent,
  ResourceTiming,
  ResourceType,
  ResponseEvent,
  StackFrame,
  TargetKind,
} from '../../model/network.ts';
import type { Navigation } from '../../model/recording.ts';
import type { Mark, Outcome } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { BackgroundKind, Confidence, Policy, Verdict } from '../../model/verdict.ts';
import { UNKNOWN_MIME_TYPE } from '../har/format.ts';
import { validateHar } from '../har/validate.ts';

/** One page of a HAR, as if it had been watched. */
export interface HarRecording {
  readonly pageId: string;
  readonly title: string;
  readonly navigation: Navigation;
  readonly events: readonly NetworkEvent[];
  readonly marks: readonly Mark[];
  /** What the file says; for files that do not say it, the last sign of life in them, and no longer. */
  readonly observedUntil: Ms;
  /** True when every time is exact and open requests are known as such: the file is Quiesce's own. */
  readonly exact: boolean;
  /** How it was judged when it was recorded. */
  readonly policy?: Policy;
  readonly verdicts?: readonly Verdict[];
}

/** What a HAR holds, and what is wrong with it, one sentence for each fault. */
export interface HarReading {
  readonly recordings: readonly HarRecording[];
  readonly problems: readonly string[];
}

/**
 * The pages of a HAR as recordings. Quiesce's own files give back exactly what was recorded; files of other tools
 * (DevTools, WebPageTest, browsertime, Playwright, Charles) as much as they say. Entries that cannot be placed in time
 * are left out and named in `problems`; so is everything that makes the file invalid, but what can be read is read.
 */
export function readHar(har: unknown): HarReading {
  const problems = [...validateHar(har)];
  const log = fields(fields(har).log);
  const browser = fields(log.browser);
  const creator = fields(log.creator);
  const product = [browser, creator].find((maker) => text(maker.name) !== undefined);
  const pages = list(log.pages).map(fields);
  const known = new Set(pages.map((page) => text(page.id)));
  const groups = new Map<string | undefined, Entry[]>();
  for (const [index, item] of list(log.entries).entries()) {
    const entry = entryOf(fields(item), index, problems);
    if (!entry) continue;
    // Without a page of its own, an entry belongs to the only one there is, or to none.
    const pageref = text(entry.fields.pageref);
    const group =
      pageref !== undefined && known.has(pageref) ? pageref : pages.length === 1 ? text(pages[0]?.id) : undefined;
    const entries = groups.get(group);
    if (entries) entries.push(entry);
    else groups.set(group, [entry]);
  }
  const name = product ? `${text(product.name)}/${text(product.version) ?? ''}` : 'unknown';
  const recordings: HarRecording[] = [];
  for (const page of pages) {
    const id = text(page.id);
    // A page that needed nothing from the network is a page too, when the file says how long it was watched.
    const entries = groups.get(id) ?? (finite(page._observedUntil) === undefined ? undefined : []);
    if (entries) recordings.push(recordingOf(page, entries, name));
    else problems.push(`Page "${id ?? ''}" has no requests.`);
    groups.delete(id);
  }
  const pageless = groups.get(undefined);
  if (pageless) recordings.push(recordingOf({}, pageless, name));
  return { recordings, problems };
}

// Entries

/** An entry that has an address and a time. Times are milliseconds since the Unix epoch. */
interface Entry {
  readonly fields: Fields;
  readonly request: Fields;
  readonly response: Fields;
  readonly url: string;
  readonly startedAt: number;
  readonly index: number;
}

/** Never on the network. Source: DevTools lists them beside those that are. */
const LOCAL_URL = /^(?:data|blob|about|file|filesystem|javascript|[a-z]+-extension|chrome|devtools):/i;

function entryOf(entry: Fields, index: number, problems: string[]): Entry | undefined {
  const request = fields(entry.request);
  const url = text(request._url) ?? text(request.url);
  if (url === undefined || (url === '' && request._url === undefined)) {
    problems.push(`Entry ${index}: request.url is missing, so the entry is left out.`);
    return undefined;
  }
  if (LOCAL_URL.test(url)) return undefined;
  const startedAt = Date.parse(text(entry.startedDateTime) ?? '');
  if (!Number.isFinite(startedAt) && finite(entry._startedAt) === undefined) {
    problems.push(`Entry ${index} (${url.slice(0, 100)}): startedDateTime is no date, so the entry is left out.`);
    return undefined;
  }
  return { fields: entry, request, response: fields(entry.response), url, startedAt, index };
}

/** The events of one hop in the order in which they came, and from where in time it may be told. */
interface Hop {
  readonly events: readonly NetworkEvent[];
  readonly requestId: string;
  readonly hop: number;
  readonly index: number;
}

function recordingOf(page: Fields, entries: readonly Entry[], browser: string): HarRecording {
  const pageStart = finite(page._navigationStart) ?? Date.parse(text(page.startedDateTime) ?? '');
  const firstEntry = firstOf(entries);
  const firstStart = finite(firstEntry?.startedAt);
  const navigationStart = Number.isFinite(pageStart) ? pageStart : (firstStart ?? 0);
  const exact = finite(page._observedUntil) !== undefined && entries.every((entry) => isExact(entry));
  const hops = exact ? entries.map(exactHop) : foreignHops(entries, navigationStart);
  const events = inOrder(hops);
  const marks = marksOf(page);
  const lastSign = events.reduce((last, { at }) => Math.max(last, at), 0);
  const lastMark = marks.reduce((last, { at }) => Math.max(last, at), 0);
  const policy = policyOf(page._policy);
  return {
    pageId: text(page.id) ?? '',
    title: text(page.title) ?? '',
    navigation: {
      url: text(page._url) ?? firstEntry?.url ?? '',
      startedAt: navigationStart,
      browser,
      userAgent: text(page._userAgent) ?? userAgentOf(firstEntry) ?? '',
    },
    events,
    marks,
    observedUntil: exact ? (finite(page._observedUntil) ?? 0) : Math.max(lastSign, lastMark),
    exact,
    ...(policy && { policy }),
    ...(Array.isArray(page._verdicts) && { verdicts: verdictsOf(page._verdicts) }),
  };
}

function firstOf(entries: readonly Entry[]): Entry | undefined {
  let first = entries[0];
  for (const entry of entries) if (first && entry.startedAt < first.startedAt) first = entry;
  return first;
}

function userAgentOf(entry: Entry | undefined): string | undefined {
  return headersOf(entry?.request.headers).find(({ name }) => name.toLowerCase() === 'user-agent')?.value;
}

/**
 * The events of all hops by time. Within a hop their order is the cause's, whatever their times say; a hop starts
 * after the hop that led to it; and at the same moment starts come before ends, so that a redirect leaves no gap.
 */
function inOrder(hops: readonly Hop[]): readonly NetworkEvent[] {
  const rows: { readonly event: NetworkEvent; readonly key: Ms; readonly rank: number; readonly index: number }[] = [];
  const chains = new Map<string, { key: Ms; index: number }>();
  for (const hop of [...hops].sort((a, b) => a.hop - b.hop)) {
    const before = chains.get(hop.requestId);
    // Half a step keeps it behind its predecessor and before the next entry.
    const index = before ? Math.max(hop.index, before.index + 0.5) : hop.index;
    let key = before?.key ?? Number.NEGATIVE_INFINITY;
    for (const event of hop.events) {
      key = Math.max(key, event.at);
      if (event.kind === 'request') chains.set(hop.requestId, { key, index });
      rows.push({ event, key, rank: event.kind === 'request' ? 0 : 1, index });
    }
  }
  return rows.sort((a, b) => a.key - b.key || a.rank - b.rank || a.index - b.index).map(({ event }) => event);
}

// Quiesce's own entries

const OUTCOMES: ReadonlySet<string> = new Set<Outcome>([
  'open',
  'finished',
  'redirected',
  'failed',
  'canceled',
  'lost',
]);

function isExact({ fields: entry }: Entry): boolean {
  return (
    finite(entry._startedAt) !== undefined &&
    text(entry._id) !== undefined &&
    text(entry._requestId) !== undefined &&
    OUTCOMES.has(text(entry._outcome) ?? '')
  );
}

function exactHop(entry: Entry): Hop {
  const { fields: own, response } = entry;
  const id = text(own._id) ?? '';
  const startedAt = finite(own._startedAt) ?? 0;
  const endedAt = finite(own._endedAt);
  const outcome = text(own._outcome) as Outcome;
  const timing = timingOf(own._timing);
  const transferSize = finite(response._transferSize);
  const bodySize = finite(own._bodySize);
  const responseAt = finite(own._responseAt);
  const initiator = initiatorOf(own._initiator);
  const request: RequestEvent = {
    ...requestEvent(entry, id, text(own._requestId) ?? id, startedAt),
    type: typeOf(own._resourceType) ?? 'other',
    target: targetOf(own._target),
    ...(initiator && { initiator }),
    ...optional('frameId', text(own._frameId)),
    ...optional('loaderId', text(own._loaderId)),
    ...(own._mainDocument === true && { mainDocument: true }),
    ...(own._keepalive === true && { keepalive: true }),
    ...optional('wallTime', finite(own._wallTime)),
  };
  const answer: ResponseEvent | undefined =
    responseAt === undefined
      ? undefined
      : {
          ...responseEvent(entry, id, responseAt),
          ...(timing && { timing }),
          ...optional('remoteAddress', text(own._remoteAddress) ?? text(own.serverIPAddress)),
          ...optional('connectionId', text(own._connectionId)),
          ...(typeof own._connectionReused === 'boolean' && { connectionReused: own._connectionReused }),
          ...optional('fromCache', cacheOf(own._fromCache)),
          ...(own._fetchedViaServiceWorker === true && { fromServiceWorker: true }),
          ...(response._followed === true && { redirectUrl: text(response.redirectURL) ?? '' }),
          ...(transferSize !== undefined && bodySize !== undefined && { encodedBytes: transferSize - bodySize }),
        };
  const parts: NetworkEvent[] = [...chunksOf(own._chunks, id), ...exactMessages(own, id)];
  const end = endedAt === undefined ? undefined : endEvent(id, endedAt, outcome, text(own._error), transferSize);
  // An answer that was told of after the end must not change how the hop ended.
  const late =
    endedAt !== undefined &&
    ((timing?.headersEnd ?? endedAt) > endedAt ||
      outcome === 'canceled' ||
      (outcome === 'finished' && response._followed === true));
  const ending = end ? [end] : [];
  const answering = answer ? [answer] : [];
  return {
    events: late ? [request, ...parts, ...ending, ...answering] : [request, ...answering, ...parts, ...ending],
    requestId: request.requestId,
    hop: finite(own._hop) ?? 0,
    index: entry.index,
  };
}

function endEvent(
  id: string,
  at: Ms,
  outcome: Outcome,
  error: string | undefined,
  encodedBytes: number | undefined,
): NetworkEvent | undefined {
  switch (outcome) {
    case 'open':
      return undefined;
    case 'finished':
    case 'redirected':
      return { kind: 'finished', at, id, ...optional('encodedBytes', encodedBytes) };
    default:
      return {
        kind: 'failed',
        at,
        id,
        error: error ?? '',
        ...(outcome === 'canceled' && { canceled: true }),
        ...(outcome === 'lost' && { lost: true }),
      };
  }
}

function exactMessages(own: Fields, id: string): NetworkEvent[] {
  const messages = [own._webSocketMessages, own._eventSourceMessages, own._messages].flatMap(list);
  return messages.flatMap((item): NetworkEvent[] => {
    const message = fields(item);
    const at = finite(message._at);
    if (at === undefined) return [];
    const payload = message._data === undefined ? text(message.data) : undefined;
    const eventId = text(message.eventId);
    return [
      {
        kind: 'message',
        at,
        id,
        direction: message.type === 'send' ? 'sent' : 'received',
        bytes: finite(message._bytes) ?? 0,
        ...optional('text', payload),
        ...optional('opcode', finite(message.opcode)),
        ...optional('eventName', text(message.eventName)),
        ...(eventId !== undefined && eventId !== '' && { eventId }),
      },
    ];
  });
}

// Entries of other tools

function foreignHops(entries: readonly Entry[], navigationStart: number): readonly Hop[] {
  const sorted = entries
    .map((entry) => ({ entry, start: startOf(entry, navigationStart) }))
    .sort((a, b) => a.start - b.start || a.entry.index - b.entry.index);
  /** Redirects whose target was not asked for yet, by the address of the target. */
  const awaited = new Map<string, { readonly requestId: string; readonly hop: number; readonly main: boolean }[]>();
  let document: string | undefined;
  return sorted.map(({ entry, start }, index) => {
    const origin = awaited.get(withoutHash(entry.url))?.shift();
    const requestId = origin?.requestId ?? `har-${entry.index}`;
    const hop = origin === undefined ? 0 : origin.hop + 1;
    const guess = guessedType(entry);
    // What a page begins with is its document, even if it is a redirect that says nothing of its type.
    const type = index === 0 && guess === 'other' ? 'document' : guess;
    // HAR does not name the document of a page: it is the first one asked for, with the redirects that lead to it.
    const main = origin?.main ?? (document === undefined && type === 'document');
    if (main) document ??= requestId;
    const events = foreignEvents(entry, start, navigationStart, { requestId, hop, type, main, document });
    const target = events.find((event) => event.kind === 'response')?.redirectUrl;
    if (target !== undefined) {
      const next = { requestId, hop, main };
      const address = withoutHash(target);
      const queue = awaited.get(address);
      if (queue) queue.push(next);
      else awaited.set(address, [next]);
    }
    return { events, requestId, hop, index };
  });
}

interface Place {
  readonly requestId: string;
  readonly hop: number;
  readonly type: ResourceType;
  readonly main: boolean;
  readonly document: string | undefined;
}

function foreignEvents(entry: Entry, start: Ms, navigationStart: number, place: Place): NetworkEvent[] {
  const { fields: own, response, url } = entry;
  const { requestId, hop } = place;
  const id = hop === 0 ? requestId : `${requestId}:${hop}`;
  const phases = phasesOf(own, start);
  const initiator = initiatorOf(own._initiator);
  const request: RequestEvent = {
    ...requestEvent(entry, id, requestId, start),
    type: place.type,
    target: 'page',
    ...(initiator && { initiator }),
    ...(place.main && { mainDocument: true }),
    ...optional('loaderId', place.document),
    ...(Number.isFinite(entry.startedAt) && { wallTime: entry.startedAt }),
  };
  const messages = foreignMessages(own, id, start, navigationStart);
  const chunks = chunksOf(own._chunks, id);
  const lastSign = [...messages, ...chunks].reduce((last, { at }) => Math.max(last, at), phases.end);
  const status = finite(response.status) ?? 0;
  const error = text(response._error) ?? text(own._error) ?? text(response._failureText) ?? text(own._failureText);
  const failed = status <= 0 || (error !== undefined && error !== '');
  const answered = status > 0;
  const location = text(response.redirectURL) ?? '';
  const followed = status >= 300 && status < 400 && status !== 304 && location !== '';
  const target = followed && URL.canParse(location, url) ? new URL(location, url).href : undefined;
  const bodySize = positive(response.bodySize);
  const headersSize = positive(response.headersSize);
  const transferSize =
    positive(response._transferSize) ?? (bodySize === undefined ? undefined : bodySize + (headersSize ?? 0));
  const fromCache = cacheOf(own._fromCache);
  const events: NetworkEvent[] = [request];
  if (answered) {
    events.push({
      ...responseEvent(entry, id, phases.headersEnd),
      timing: phases.timing,
      ...optional('remoteAddress', text(own.serverIPAddress) || undefined),
      ...optional('connectionId', text(own._connectionId) ?? text(own.connection)),
      ...optional('fromCache', fromCache),
      ...((own._fetchedViaServiceWorker === true || response._fetchedViaServiceWorker === true) && {
        fromServiceWorker: true,
      }),
      ...optional('redirectUrl', target),
      ...(transferSize !== undefined && {
        encodedBytes: bodySize === undefined ? (headersSize ?? 0) : transferSize - bodySize,
      }),
    });
  }
  const size = positive(fields(response.content).size) ?? bodySize ?? 0;
  if (chunks.length > 0) for (const chunk of chunks) events.push(chunk);
  // Without its pieces all that is known of a body is when the last of it came.
  else if (answered && size > 0) events.push({ kind: 'data', at: phases.end, id, bytes: size });
  for (const message of messages) events.push(message);
  if (own._pending === true) return events;
  if (failed) {
    const reason = error ?? 'not answered';
    const canceled = /ERR_ABORTED|BINDING_ABORTED|cancell?ed/i.test(reason);
    events.push({ kind: 'failed', at: lastSign, id, error: reason, ...(canceled && { canceled }) });
  } else {
    events.push({ kind: 'finished', at: lastSign, id, ...optional('encodedBytes', transferSize) });
  }
  return events;
}

/** WebPageTest and browsertime know the start to better than the date's millisecond in a field of their own. */
function startOf({ fields: own, startedAt }: Entry, navigationStart: number): Ms {
  return Number.isFinite(startedAt) ? startedAt - navigationStart : (finite(own._startedAt) ?? 0);
}

/** The phases of HAR laid one after the other. `ssl` lies inside `connect`. */
function phasesOf(own: Fields, start: Ms): { timing: ResourceTiming; headersEnd: Ms; end: Ms } {
  const timings = fields(own.timings);
  const phase = (name: string): number | undefined => positive(timings[name]);
  const requestedAt = start + (phase('_blocked_queueing') ?? 0);
  let cursor = Math.max(requestedAt, start + (phase('blocked') ?? 0));
  const dns = phase('dns');
  const dnsStart = cursor;
  cursor += dns ?? 0;
  const connect = phase('connect');
  const connectStart = cursor;
  cursor += connect ?? 0;
  const connectEnd = cursor;
  const ssl = connect === undefined ? undefined : phase('ssl');
  const sendStart = cursor;
  cursor += phase('send') ?? 0;
  const sendEnd = cursor;
  cursor += phase('wait') ?? 0;
  const headersEnd = cursor;
  cursor += phase('receive') ?? 0;
  // Some tools write phases that sum to less than the time: Charles rounds, and WebPageTest leaves gaps.
  const end = Math.max(cursor, start + (positive(own.time) ?? 0));
  return {
    timing: {
      requestedAt,
      ...(dns !== undefined && { dnsStart, dnsEnd: dnsStart + dns }),
      ...(connect !== undefined && { connectStart, connectEnd }),
      ...(ssl !== undefined && { sslStart: Math.max(connectStart, connectEnd - ssl), sslEnd: connectEnd }),
      sendStart,
      sendEnd,
      headersEnd,
    },
    headersEnd,
    end,
  };
}

function foreignMessages(own: Fields, id: string, start: Ms, navigationStart: number): NetworkEvent[] {
  const messages = [own._webSocketMessages, own._eventSourceMessages].flatMap(list);
  return messages.flatMap((item): NetworkEvent[] => {
    const message = fields(item);
    const time = finite(message.time);
    if (time === undefined) return [];
    const payload = text(message.data) ?? '';
    const opcode = finite(message.opcode);
    // Binary frames are written in base64, four characters for three bytes.
    const bytes = opcode === 2 ? Math.floor((payload.replace(/=+$/, '').length * 3) / 4) : utf8Length(payload);
    return [
      {
        kind: 'message',
        // In seconds since the Unix epoch, as DevTools and Playwright write it.
        at: Math.max(start, time * 1000 - navigationStart),
        id,
        direction: message.type === 'send' ? 'sent' : 'received',
        bytes,
        text: payload,
        ...optional('opcode', opcode),
        ...optional('eventName', text(message.eventName)),
        ...optional('eventId', text(message.eventId) || undefined),
      },
    ];
  });
}

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

/** What other names than DevTools' mean. Sources: WebPageTest `_request_type`, CDP `Network.ResourceType`. */
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
};

function typeOf(value: unknown): ResourceType | undefined {
  const name = text(value)?.toLowerCase();
  if (name === undefined) return undefined;
  if (TYPES.has(name)) return name as ResourceType;
  return Object.hasOwn(OTHER_TYPES, name) ? OTHER_TYPES[name] : undefined;
}

function guessedType({ fields: own, request, response, url }: Entry): ResourceType {
  const said = typeOf(own._resourceType) ?? typeOf(own._request_type) ?? typeOf(own._type);
  if (said !== undefined) return said;
  if (/^wss?:/i.test(url) || finite(response.status) === 101 || Array.isArray(own._webSocketMessages))
    return 'websocket';
  const headers = headersOf(request.headers);
  const sent = (name: string): string => headers.find((h) => h.name.toLowerCase() === name)?.value.toLowerCase() ?? '';
  const destination = sent('sec-fetch-dest');
  if (/^(?:i?frame|document|embed|object)$/.test(destination)) return 'document';
  if (sent('x-requested-with') === 'xmlhttprequest') return 'xhr';
  const mimeType = (text(fields(response.content).mimeType) ?? '').toLowerCase();
  if (mimeType.startsWith('text/event-stream')) return 'eventsource';
  if (destination === 'empty') return 'fetch';
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

// Both

function requestEvent(entry: Entry, id: string, requestId: string, at: Ms): RequestEvent {
  const { fields: own, request, url } = entry;
  const postBody = postBodyOf(request);
  return {
    kind: 'request',
    at,
    id,
    requestId,
    url,
    method: text(request.method) ?? 'GET',
    type: 'other',
    headers: headersOf(request.headers),
    target: 'page',
    ...(postBody && { postBody }),
    ...optional('priority', text(own._priority)),
  };
}

function responseEvent({ response }: Entry, id: string, at: Ms): ResponseEvent {
  const mimeType = text(fields(response.content).mimeType) ?? '';
  const protocol = protocolOf(text(response.httpVersion) ?? '');
  return {
    kind: 'response',
    at,
    id,
    status: finite(response.status) ?? 0,
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
    size: positive(request.bodySize) ?? utf8Length(written ?? ''),
    ...optional('text', written),
  };
}

function chunksOf(chunks: unknown, id: string): Extract<NetworkEvent, { kind: 'data' }>[] {
  return list(chunks).flatMap((item) => {
    const at = finite(fields(item).ts);
    const bytes = finite(fields(item).bytes);
    return at === undefined || bytes === undefined ? [] : [{ kind: 'data' as const, at, id, bytes }];
  });
}

function headersOf(headers: unknown): readonly Header[] {
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

/** Browsertime writes an initiator as an address, everybody else as CDP does, with lines from 0. */
function initiatorOf(value: unknown): Initiator | undefined {
  if (typeof value === 'string' && value !== '') return { type: 'other', url: value };
  if (typeof value !== 'object' || value === null) return undefined;
  const initiator = fields(value);
  const name = text(initiator.type) ?? 'other';
  const line = finite(initiator.lineNumber);
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
        line: (finite(frame.lineNumber) ?? -1) + 1,
        column: (finite(frame.columnNumber) ?? -1) + 1,
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

/** Chrome keeps 32 asynchronous parents at most; more is no stack. */
const DEEPEST_STACK = 64;

// Page

const MARKS: ReadonlySet<string> = new Set<Mark['name']>([
  'navigation-start',
  'document-commit',
  'dom-content-loaded',
  'load',
  'first-paint',
  'first-contentful-paint',
  'largest-contentful-paint',
  'complete-on',
]);

function marksOf(page: Fields): readonly Mark[] {
  if (Array.isArray(page._marks)) {
    return page._marks.map(fields).flatMap((mark): Mark[] => {
      const name = text(mark.name) ?? '';
      const at = finite(mark.at);
      if (!MARKS.has(name) || at === undefined) return [];
      return [
        {
          name: name as Mark['name'],
          at,
          ...optional('loaderId', text(mark.loaderId)),
          ...optional('detail', text(mark.detail)),
        },
      ];
    });
  }
  const timings = fields(page.pageTimings);
  const marks: readonly { readonly name: Mark['name']; readonly at: number | undefined }[] = [
    { name: 'dom-content-loaded', at: positive(timings.onContentLoad) },
    { name: 'load', at: positive(timings.onLoad) },
    {
      name: 'first-contentful-paint',
      at: positive(timings._firstContentfulPaint) ?? positive(page._firstContentfulPaint),
    },
    {
      name: 'largest-contentful-paint',
      at: positive(timings._largestContentfulPaint) ?? positive(page['_chromeUserTiming.LargestContentfulPaint']),
    },
  ];
  return marks.flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at }]));
}

function policyOf(value: unknown): Policy | undefined {
  const policy = fields(value);
  const quietWindow = positive(policy.quietWindow);
  const maxInflight = positive(policy.maxInflight);
  const timeout = positive(policy.timeout);
  if (quietWindow === undefined || maxInflight === undefined || timeout === undefined) return undefined;
  return {
    quietWindow,
    maxInflight,
    timeout,
    background: list(policy.background).filter((item) => typeof item === 'string'),
    foreground: list(policy.foreground).filter((item) => typeof item === 'string'),
    ...optional('completeOn', text(policy.completeOn)),
  };
}

function verdictsOf(value: readonly unknown[]): readonly Verdict[] {
  return value.map(fields).flatMap((verdict): Verdict[] => {
    const requestId = text(verdict.requestId);
    const kind = text(verdict.kind);
    if (requestId === undefined || kind === undefined) return [];
    return [
      {
        requestId,
        kind: kind as BackgroundKind,
        because: text(verdict.because) ?? '',
        confidence: (text(verdict.confidence) ?? 'possible') as Confidence,
      },
    ];
  });
}

// Values

type Fields = Readonly<Record<string, unknown>>;

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** WebPageTest writes some numbers as text. */
function finite(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** −1 stands for "not known" in HAR only. */
function positive(value: unknown): number | undefined {
  const number = finite(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

const CACHES: ReadonlySet<string> = new Set<CacheKind>(['memory', 'disk', 'prefetch']);

function cacheOf(value: unknown): CacheKind | undefined {
  return typeof value === 'string' && CACHES.has(value) ? (value as CacheKind) : undefined;
}

const TARGETS: ReadonlySet<string> = new Set<TargetKind>([
  'page',
  'iframe',
  'worker',
  'service-worker',
  'shared-worker',
  'browser',
]);

function targetOf(value: unknown): TargetKind {
  return typeof value === 'string' && TARGETS.has(value) ? (value as TargetKind) : 'page';
}

function timingOf(value: unknown): ResourceTiming | undefined {
  const steps = fields(value);
  const requestedAt = finite(steps.requestedAt);
  if (requestedAt === undefined) return undefined;
  return {
    requestedAt,
    ...optional('proxyStart', finite(steps.proxyStart)),
    ...optional('proxyEnd', finite(steps.proxyEnd)),
    ...optional('dnsStart', finite(steps.dnsStart)),
    ...optional('dnsEnd', finite(steps.dnsEnd)),
    ...optional('connectStart', finite(steps.connectStart)),
    ...optional('connectEnd', finite(steps.connectEnd)),
    ...optional('sslStart', finite(steps.sslStart)),
    ...optional('sslEnd', finite(steps.sslEnd)),
    ...optional('workerStart', finite(steps.workerStart)),
    ...optional('workerReady', finite(steps.workerReady)),
    ...optional('sendStart', finite(steps.sendStart)),
    ...optional('sendEnd', finite(steps.sendEnd)),
    ...optional('headersStart', finite(steps.headersStart)),
    ...optional('headersEnd', finite(steps.headersEnd)),
  };
}

function withoutHash(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}

function utf8Length(value: string): number {
  let length = 0;
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
