import type { Initiator, NetworkEvent, RequestEvent, ResourceTiming, ResourceType } from '../../model/network.ts';
import type { Ms } from '../../model/units.ts';
import { withoutHash } from '../address-parts.ts';
import { defined } from '../defined.ts';
import {
  duration,
  type Fields,
  fields,
  finite,
  list,
  moment,
  optional,
  positive,
  text,
  utf8Length,
} from '../har-fields.ts';
import { headerOf } from '../header.ts';
import {
  cacheOf,
  chunksOf,
  type Entry,
  type Hop,
  headersOf,
  initiatorOf,
  requestEvent,
  responseEvent,
} from './har-entry.ts';
import { guessedType, isTabIcon } from './har-types.ts';

/** What the entries of other tools tell. */
export interface ForeignHops {
  readonly hops: readonly Hop[];
  /** Of the requests whose end the file does not tell: they stay open. */
  readonly endless: readonly string[];
  /** How many answers have no waiting time: their real end is later than the file says. */
  readonly unwaited: number;
}

/** Tools round to a millisecond or two; what came of a hop this much later than its end came after it, ms. */
const END_SLACK_MS = 5;
/**
 * chrome-har writes an answer that is still coming as if it had ended with its headers, and the pieces of one that has
 * ended at the time when the page's busy process read them. So many of them, over so many ms, are a stream.
 */
const LATE_PIECES = 3;
const LATE_FOR_MS = 2_000;

/**
 * The hops of another tool's entries, as far as they tell.
 *
 * @param loadAt when the load event fired, if that is known
 */
export function foreignHops(entries: readonly Entry[], navigationStart: number, loadAt: Ms | undefined): ForeignHops {
  const sorted = entries
    .map((entry) => ({ entry, start: startOf(entry, navigationStart) }))
    .sort((a, b) => a.start - b.start || a.entry.index - b.entry.index);
  const serviceWorkers = new Set(entries.filter(isServiceWorker).map(({ url }) => withoutHash(url)));
  const lastStarts = new Map(sorted.map(({ entry, start }) => [withoutHash(entry.url), start] as const));
  /** Redirects whose target was not asked for yet, by the address of the target. */
  const awaited = new Map<string, { readonly requestId: string; readonly hop: number; readonly main: boolean }[]>();
  const endless: string[] = [];
  let unwaited = 0;
  let document: string | undefined;
  const hops = sorted.map(({ entry, start }, index) => {
    const address = withoutHash(entry.url);
    const origin = awaited.get(address)?.shift();
    const requestId = origin?.requestId ?? `har-${entry.index}`;
    const hop = origin === undefined ? 0 : origin.hop + 1;
    const guess = guessedType(entry);
    // What a page begins with is its document, even if it is a redirect that says nothing of its type.
    const type = index === 0 && guess === 'other' ? 'document' : guess;
    // HAR does not name the document of a page: it is the first one asked for, with the redirects that lead to it.
    const main = origin?.main ?? (document === undefined && type === 'document');
    if (main) document ??= requestId;
    const askedLast = lastStarts.get(address) ?? start;
    const place = { requestId, hop, type, main, document, start, askedLast, loadAt, serviceWorkers };
    const events = foreignEvents(entry, navigationStart, place);
    if (!events.some(({ kind }) => kind === 'finished' || kind === 'failed')) endless.push(entry.url);
    if (isUnwaited(entry)) unwaited += 1;
    const target = events.find((event) => event.kind === 'response')?.redirectUrl;
    if (target !== undefined) {
      const next = { requestId, hop, main };
      const queue = awaited.get(withoutHash(target));
      if (queue) queue.push(next);
      else awaited.set(withoutHash(target), [next]);
    }
    return { events, requestId, hop, index };
  });
  return { hops: withPreflights(hops), endless, unwaited };
}

/** The hops, each preflight with the request that it was sent for: of the same address, the one that is nearest in time. */
function withPreflights(hops: readonly Hop[]): readonly Hop[] {
  const requests = hops.flatMap(({ events }) => events.filter((event) => event.kind === 'request'));
  const byAddress = Map.groupBy(
    requests.filter(({ type }) => type !== 'preflight'),
    ({ url }) => withoutHash(url),
  );
  const sentFor = ({ url, at }: RequestEvent): string | undefined =>
    byAddress
      .get(withoutHash(url))
      ?.reduce((nearest, each) => (Math.abs(each.at - at) < Math.abs(nearest.at - at) ? each : nearest)).id;
  return hops.map((hop) => ({
    ...hop,
    events: hop.events.map((event) => {
      const requestId = event.kind === 'request' && event.type === 'preflight' ? sentFor(event) : undefined;
      return requestId === undefined ? event : { ...event, initiator: { type: 'preflight', requestId } as const };
    }),
  }));
}

interface Place {
  readonly requestId: string;
  readonly hop: number;
  readonly type: ResourceType;
  readonly main: boolean;
  readonly document: string | undefined;
  readonly start: Ms;
  /** The addresses of the scripts of service workers. */
  readonly serviceWorkers: ReadonlySet<string>;
  /** When the same address was asked for the last time. */
  readonly askedLast: Ms;
  readonly loadAt: Ms | undefined;
}

function foreignEvents(entry: Entry, navigationStart: number, place: Place): NetworkEvent[] {
  const { fields: own, response, url } = entry;
  const { requestId, hop, start } = place;
  const id = hop === 0 ? requestId : `${requestId}:${hop}`;
  const phases = phasesOf(own, start);
  const initiator =
    initiatorOf(own._initiator_detail) ??
    initiatorOf(own._initiator) ??
    (isTabIcon(url) ? ({ type: 'other' } as const) : undefined);
  const request: RequestEvent = defined({
    ...requestEvent(entry, id, requestId, start),
    type: place.type,
    target: isAskedBy(initiator, place.serviceWorkers) ? 'service-worker' : 'page',
    initiator,
    ...(place.main && { mainDocument: true }),
    ...optional('loaderId', place.document),
    ...(Number.isFinite(entry.startedAt) && { wallTime: entry.startedAt }),
  });
  const messages = foreignMessages(own, id, start, navigationStart);
  const pieces = chunksOf(own._chunks, id);
  const parts = [...messages, ...pieces];
  const status = finite(response.status) ?? 0;
  const answered = status > 0;
  const error = errorOf(entry);
  const redirectUrl = redirectOf(response, status, url);
  const ended = endOf({
    entry,
    place,
    phases,
    parts,
    failed: error !== undefined,
    redirected: redirectUrl !== undefined,
  });
  // What came before the end was read after it.
  const chunks = pieces.map((piece) => ({ ...piece, at: Math.min(piece.at, ended ?? piece.at) }));
  const contentSize = positive(fields(response.content).size);
  // DevTools does not say what a body took of HTTP/2, but of one that is empty that is known.
  const bodySize = positive(response.bodySize) ?? (contentSize === 0 ? 0 : undefined);
  const headersSize = positive(response.headersSize);
  const transferSize =
    positive(response._transferSize) ?? (bodySize === undefined ? undefined : bodySize + (headersSize ?? 0));
  const events: NetworkEvent[] = [request];
  if (answered) {
    events.push({
      ...responseEvent(entry, id, phases.headersEnd),
      timing: phases.timing,
      ...optional('remoteAddress', text(own.serverIPAddress) || undefined),
      ...optional('connectionId', text(own._connectionId) ?? text(own.connection)),
      ...optional('fromCache', cacheOf(own._fromCache)),
      ...((own._fetchedViaServiceWorker === true || response._fetchedViaServiceWorker === true) && {
        fromServiceWorker: true,
      }),
      ...optional('redirectUrl', redirectUrl),
      ...(transferSize !== undefined && {
        encodedBytes: bodySize === undefined ? (headersSize ?? 0) : Math.max(0, transferSize - bodySize),
      }),
    });
  }
  const size = contentSize ?? bodySize ?? 0;
  if (chunks.length > 0) for (const chunk of chunks) events.push(chunk);
  // Without its pieces all that is known of a body is when the last of it came.
  else if (answered && size > 0) events.push({ kind: 'data', at: phases.end ?? phases.headersEnd, id, bytes: size });
  for (const message of messages) events.push(message);
  if (ended === undefined) return events;
  if (error !== undefined || (!answered && phases.end !== undefined)) {
    const reason = error ?? 'not answered';
    const canceled = /ERR_ABORTED|BINDING_ABORTED|cancell?ed/i.test(reason);
    events.push({ kind: 'failed', at: ended, id, error: reason, ...(canceled && { canceled }) });
  } else {
    events.push({ kind: 'finished', at: ended, id, ...optional('encodedBytes', transferSize) });
  }
  return events;
}

/** What kept it from being answered. */
function errorOf({ fields: own, response }: Entry): string | undefined {
  return [response._error, own._error, response._failureText, own._failureText].find(
    (said): said is string => typeof said === 'string' && said !== '',
  );
}

/** mitmproxy's words. */
const CLIENT_GONE = /^client disconnected/i;

/** Where the browser went from here; absent when it stayed. */
function redirectOf(response: Fields, status: number, url: string): string | undefined {
  const location = text(response.redirectURL) ?? '';
  const followed = status >= 300 && status < 400 && status !== 304 && location !== '';
  return followed && URL.canParse(location, url) ? new URL(location, url).href : undefined;
}

interface Course {
  readonly entry: Entry;
  readonly place: Place;
  readonly phases: ReturnType<typeof phasesOf>;
  readonly parts: readonly { readonly at: Ms }[];
  readonly failed: boolean;
  readonly redirected: boolean;
}

/**
 * When the hop was over; undefined when the file does not tell. Tools stop in the middle of things, and each has its
 * own way of writing down what was open then:
 *
 * - Firefox gives no times for what came out of its cache;
 * - Quiesce says so; DevTools and chrome-har leave it out, except what has had messages or pieces of a body;
 * - chrome-har ends such an answer with its headers, though its pieces go on;
 * - mitmproxy writes the time of sending for what was not answered, and an error when the browser was closed;
 * - Playwright writes −1 for what it does not know: for all of an unanswered request, for `receive` and the sizes of an
 *   answer that was still coming;
 * - all of them end a WebSocket or an EventSource with its last message.
 */
function endOf({ entry, place, phases, parts, failed, redirected }: Course): Ms | undefined {
  const { fields: own, response } = entry;
  const timings = fields(own.timings);
  const receive = duration(timings.receive);
  const status = finite(response.status) ?? 0;
  const sent = status === 0 && !receive && !duration(timings.wait) && (duration(timings.send) ?? 0) > 0;
  // mitmproxy does not say when the browser gave it up, and it does when it is closed.
  if (own._pending === true || (sent && CLIENT_GONE.test(errorOf(entry) ?? ''))) return undefined;
  const lastPart = parts.reduce((last, { at }) => Math.max(last, at), Number.NEGATIVE_INFINITY);
  // What broke or led elsewhere is over, even if nobody says when.
  if (failed || redirected) return Math.max(phases.end ?? phases.headersEnd, lastPart);
  const { end } = phases;
  if (end === undefined) {
    if (HOLDS_LOAD.has(place.type) && place.start < (place.loadAt ?? 0)) return place.loadAt;
    // chrome-har writes null for what it cannot compute.
    return isWhole(response) ? Math.max(phases.headersEnd, lastPart) : undefined;
  }
  if (STREAMS.has(place.type)) {
    const closed = list(own._webSocketMessages).some((message) => fields(message).opcode === CLOSE_OPCODE);
    // One is opened again when the one before was closed.
    const again = place.askedLast > place.start && place.askedLast >= end - END_SLACK_MS;
    return closed || again ? Math.max(end, lastPart) : undefined;
  }
  if (sent) return undefined;
  // Playwright: the time is that of the phases that are over. Of other tools a longer time says more than its phases.
  const over = end <= phases.headersEnd + 1;
  if (status > 0 && receive === undefined && over && !isMeasured(response) && !isWhole(response)) return undefined;
  if (isStream(parts, end)) return undefined;
  return receive ? end : Math.max(end, lastPart);
}

/** Did pieces go on coming after the hop is said to have ended? */
function isStream(parts: readonly { readonly at: Ms }[], end: Ms): boolean {
  const late = parts.map(({ at }) => at).filter((at) => at > end + END_SLACK_MS);
  return late.length >= LATE_PIECES && Math.max(...late) - Math.min(...late) >= LATE_FOR_MS;
}

function isMeasured({ bodySize, content, _transferSize }: Fields): boolean {
  return [bodySize, fields(content).size, _transferSize].some((size) => positive(size) !== undefined);
}

/** What servers send at once, with the headers, bytes. Source: RFC 6928, the initial window. */
const SENT_AT_ONCE = 14_600;

/** Does the answer say that nothing of it is missing? Playwright does not see the end of what the page never reads. */
function isWhole({ status, content, headers }: Fields): boolean {
  if (status === 204 || status === 304) return true;
  const announced = headerOf(headersOf(headers), 'content-length');
  const length = announced === undefined ? undefined : positive(announced);
  return length !== undefined && (length <= SENT_AT_ONCE || length === finite(fields(content).size));
}

/** Playwright's minimal mode: how long the body took is all that is said of an answer. */
function isUnwaited({ fields: own, response }: Entry): boolean {
  const { send, wait, receive } = fields(own.timings);
  const unknown = [send, wait].every((phase) => finite(phase) === -1);
  return (finite(response.status) ?? 0) > 0 && unknown && duration(receive) !== undefined;
}

const STREAMS: ReadonlySet<string> = new Set<ResourceType>(['websocket', 'eventsource']);

/**
 * What markup asks for has come when the load event fires, even if nobody wrote down when. Source: HTML, "delay the
 * load event".
 */
const HOLDS_LOAD: ReadonlySet<ResourceType> = new Set<ResourceType>(['stylesheet', 'script', 'image', 'font']);

/** Source: RFC 6455, 5.5.1. */
const CLOSE_OPCODE = 8;

/** When the page asked for it. WebPageTest's date is that of the sending, after the connection was made. */
function startOf({ fields: own, startedAt }: Entry, navigationStart: number): Ms {
  const all = wholeOf(own);
  if (all) return all.start;
  const start = Number.isFinite(startedAt) ? startedAt - navigationStart : (moment(own._startedAt) ?? 0);
  return start - (duration(fields(own.timings)._queued) ?? 0);
}

/** WebPageTest says when all of an exchange began and ended, on the axis of the page. */
function wholeOf(own: Fields): { readonly start: Ms; readonly end: Ms } | undefined {
  const start = moment(own._all_start);
  const end = moment(own._all_end);
  return start !== undefined && end !== undefined && end > start ? { start, end } : undefined;
}

/**
 * The phases of HAR laid one after the other. `ssl` lies inside `connect`. `end` is absent when the entry does not say
 * how long it took: null (NaN, once it is JSON), −1, or nothing.
 */
function phasesOf(own: Fields, start: Ms): { timing: ResourceTiming; headersEnd: Ms; end?: Ms } {
  const timings = fields(own.timings);
  const phase = (name: string): number | undefined => duration(timings[name]);
  // chrome-har's date is when the network stack took the request, and `_queued` what it had waited before.
  const requestedAt = start + (phase('_blocked_queueing') ?? phase('_queued') ?? 0);
  let cursor = Math.max(requestedAt, (phase('_queued') ?? 0) + start + (phase('blocked') ?? 0));
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
  const receive = phase('receive');
  cursor += receive ?? 0;
  const time = duration(own.time);
  // Some tools write phases that sum to less than the time: Charles rounds. Playwright adds `ssl` to what contains it.
  const timed = start + (phase('_queued') ?? 0) + (time ?? 0);
  const twice = Math.abs(timed - cursor - (phase('ssl') ?? 0)) < 0.01;
  const end = wholeOf(own)?.end ?? (twice ? cursor : Math.max(cursor, timed));
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
    ...((time !== undefined || receive !== undefined) && { end }),
  };
}

function foreignMessages(own: Fields, id: string, start: Ms, navigationStart: number): NetworkEvent[] {
  const messages = [own._webSocketMessages, own._eventSourceMessages].flatMap(list);
  return messages.flatMap((item): NetworkEvent[] => {
    const message = fields(item);
    // In seconds since the Unix epoch, as DevTools and Playwright write it.
    const at = moment((finite(message.time) ?? Number.NaN) * 1000 - navigationStart);
    if (at === undefined) return [];
    const payload = text(message.data) ?? '';
    const opcode = finite(message.opcode);
    // Binary frames are written in base64, four characters for three bytes.
    const bytes = opcode === 2 ? Math.floor((payload.replace(/=+$/, '').length * 3) / 4) : utf8Length(payload);
    return [
      {
        kind: 'message',
        at: Math.max(start, at),
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

/** Source: Service Workers, "Handle fetch of a service worker script". */
function isServiceWorker({ request }: Entry): boolean {
  return headerOf(headersOf(request.headers), 'service-worker') === 'script';
}

/** Did nothing but these scripts ask for it? */
function isAskedBy(initiator: Initiator | undefined, scripts: ReadonlySet<string>): boolean {
  const { stack = [] } = initiator ?? {};
  return stack.length > 0 && stack.every(({ url }) => scripts.has(withoutHash(url)));
}
