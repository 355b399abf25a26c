import type { NetworkEvent, RequestEvent, ResourceType, TargetKind } from '../../model/network/network.ts';
import type { Ms } from '../../model/units.ts';
import { CACHE, CHUNKS } from '../har/own-entry.ts';
import { withoutHash } from '../requests/address-parts.ts';
import {
  duration,
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
} from '../requests/har-fields.ts';
import { defined } from '../text/defined.ts';
import { headerOf } from '../text/header.ts';
import {
  type Entry,
  type Hop,
  headersOf,
  initiatorOf,
  redirectOf,
  requestEvent,
  responseEvent,
  statusOf,
} from './har-entry.ts';
import { tabIconsOf } from './har-icons.ts';
import { type Handshake, type Phases, phasesOf, startOf, type Zero } from './har-phases.ts';
import { serviceWorkerRequests } from './har-service-worker.ts';
import { guessedType } from './har-types.ts';

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

/** What is known of a page when its entries are read. */
export interface ForeignPage {
  readonly zero: Zero;
  /** When the load event fired, if that is known. */
  readonly loadAt: Ms | undefined;
  /** The page's document behind the redirects that led to it. */
  readonly document: readonly Entry[];
  readonly handshake: Handshake;
}

/** The hops of another tool's entries, as far as they tell. Nothing of a load begins before it. */
export function foreignHops(entries: readonly Entry[], page: ForeignPage): ForeignHops {
  const sorted = entries
    .map((entry) => ({ entry, start: Math.max(0, startOf(entry, page.zero)) }))
    .sort((a, b) => a.start - b.start || a.entry.index - b.entry.index);
  const workers = serviceWorkerRequests(entries);
  const icons = tabIconsOf(entries);
  const lastStarts = new Map(sorted.map(({ entry, start }) => [withoutHash(entry.url), start] as const));
  /** Redirects whose target was not asked for yet, by the address of the target. */
  const awaited = new Map<string, { readonly requestId: string; readonly hop: number }[]>();
  const documentId = page.document[0] && `har-${page.document[0].index}`;
  const endless: string[] = [];
  let unwaited = 0;
  const hops = sorted.map(({ entry, start }, index) => {
    const address = withoutHash(entry.url);
    const mainHop = page.document.indexOf(entry);
    const main = mainHop >= 0;
    const origin = main ? undefined : awaited.get(address)?.shift();
    const requestId = (main ? documentId : origin?.requestId) ?? `har-${entry.index}`;
    const hop = main ? mainHop : origin === undefined ? 0 : origin.hop + 1;
    const target = icons.has(entry) ? 'browser' : workers.has(entry) ? 'service-worker' : 'page';
    const place: Place = {
      requestId,
      hop,
      type: main ? 'document' : target === 'browser' ? 'other' : guessedType(entry),
      main,
      document: documentId,
      start,
      askedLast: lastStarts.get(address) ?? start,
      target,
      redirectUrl: (main ? page.document[mainHop + 1]?.url : undefined) ?? redirectOf(entry.response, entry.url),
    };
    const events = foreignEvents(entry, page, place);
    if (endedAtOf(events) === undefined) endless.push(entry.url);
    if (isUnwaited(entry)) unwaited += 1;
    const next = main ? undefined : place.redirectUrl;
    if (next !== undefined) {
      const queue = awaited.get(withoutHash(next));
      if (queue) queue.push({ requestId, hop });
      else awaited.set(withoutHash(next), [{ requestId, hop }]);
    }
    return { events, requestId, hop, index };
  });
  return { hops: withPreflights(hops), endless, unwaited };
}

/**
 * The hops, each preflight with the request that it was sent for: of the same address, the one that is nearest in time. It was over
 * by the end of that one, though Firefox may note it later.
 */
function withPreflights(hops: readonly Hop[]): readonly Hop[] {
  const sent = hops.flatMap(({ events }) => {
    const request = events.find((event) => event.kind === 'request');
    return request === undefined || request.type === 'preflight' ? [] : [{ request, endedAt: endedAtOf(events) }];
  });
  const byAddress = Map.groupBy(sent, ({ request }) => withoutHash(request.url));
  return hops.map((hop) => {
    const preflight = hop.events.find((event) => event.kind === 'request' && event.type === 'preflight');
    if (preflight?.kind !== 'request') return hop;
    const away = ({ request }: (typeof sent)[number]): number => Math.abs(request.at - preflight.at);
    const sentFor = byAddress
      .get(withoutHash(preflight.url))
      ?.reduce((nearest, each) => (away(each) < away(nearest) ? each : nearest));
    if (sentFor === undefined) return hop;
    const { request, endedAt = Number.POSITIVE_INFINITY } = sentFor;
    const initiator = { type: 'preflight', requestId: request.id } as const;
    return {
      ...hop,
      events: hop.events.map((event) =>
        event.kind === 'request' ? { ...event, initiator } : cutTo(event, Math.max(preflight.at, endedAt)),
      ),
    };
  });
}

/** The same event, at that moment at the latest. */
function cutTo(event: NetworkEvent, latest: Ms): NetworkEvent {
  if (event.at <= latest) return event;
  if (event.kind !== 'response') return { ...event, at: latest };
  // Its phases would last longer.
  const { timing: _timing, ...answer } = event;
  return { ...answer, at: latest };
}

/** When a hop was over; undefined while it is open. */
function endedAtOf(events: readonly NetworkEvent[]): Ms | undefined {
  return events.find(({ kind }) => kind === 'finished' || kind === 'failed')?.at;
}

interface Place {
  readonly requestId: string;
  readonly hop: number;
  readonly type: ResourceType;
  readonly main: boolean;
  readonly document: string | undefined;
  readonly start: Ms;
  readonly target: TargetKind;
  /** When the same address was asked for the last time. */
  readonly askedLast: Ms;
  /** Where the browser went from here; undefined when it stayed. */
  readonly redirectUrl: string | undefined;
}

function foreignEvents(entry: Entry, page: ForeignPage, place: Place): NetworkEvent[] {
  const { fields: own, response } = entry;
  const { requestId, hop, start, redirectUrl } = place;
  const { zero } = page;
  const id = hop === 0 ? requestId : `${requestId}:${hop}`;
  const phases = phasesOf(own, start, zero, page.handshake);
  const initiator = initiatorOf(own);
  const request: RequestEvent = defined({
    ...requestEvent(entry, id, requestId, start),
    type: place.type,
    target: place.target,
    initiator,
    ...(place.main && { mainDocument: true }),
    ...optional('loaderId', place.document),
    ...(Number.isFinite(entry.startedAt) && { wallTime: entry.startedAt }),
  });
  const messages = foreignMessages(own, id, start, zero);
  const pieces = (CHUNKS.read(own._chunks) ?? []).map(({ ts, bytes }) => ({
    kind: 'data' as const,
    at: Math.max(start, ts - zero.shift),
    id,
    bytes,
  }));
  const parts = [...messages, ...pieces];
  const status = statusOf(response);
  const answered = status > 0;
  const error = errorOf(entry);
  const ended = endOf({
    entry,
    place,
    loadAt: page.loadAt,
    phases,
    parts,
    failed: error !== undefined,
    redirected: redirectUrl !== undefined,
  });
  // What came before the end was read after it.
  const chunks = pieces.map((piece) => ({ ...piece, at: Math.min(piece.at, ended ?? piece.at) }));
  const noted = size(fields(response.content).size);
  const headersSize = size(response.headersSize);
  // DevTools does not say what a body took of HTTP/2, but of one that is empty that is known. Firefox adds the headers to it.
  const written = size(response.bodySize) ?? (noted === 0 ? 0 : undefined);
  const bodySize = written !== undefined && written - (headersSize ?? 0) === noted ? noted : written;
  // A proxy that keeps no content (BrowserMob) writes 0 for all, beside what came of the body.
  const contentSize = noted === 0 && (bodySize ?? 0) > 0 ? bodySize : noted;
  const transferSize =
    size(response._transferSize) ?? (bodySize === undefined ? undefined : bodySize + (headersSize ?? 0));
  const events: NetworkEvent[] = [request];
  if (answered) {
    events.push({
      ...responseEvent(entry, id, phases.headersEnd),
      timing: phases.timing,
      ...optional('remoteAddress', text(own.serverIPAddress) || undefined),
      ...optional('connectionId', text(own._connectionId) ?? text(own.connection)),
      ...optional('fromCache', CACHE.read(own._fromCache)),
      ...((own._fetchedViaServiceWorker === true || response._fetchedViaServiceWorker === true) && {
        fromServiceWorker: true,
      }),
      ...optional('redirectUrl', redirectUrl),
      ...(transferSize !== undefined && {
        encodedBytes: bodySize === undefined ? (headersSize ?? 0) : Math.max(0, transferSize - bodySize),
      }),
    });
  }
  const bytes = contentSize ?? bodySize ?? 0;
  if (chunks.length > 0) for (const chunk of chunks) events.push(chunk);
  // Without its pieces all that is known of a body is when the last of it came.
  else if (answered && bytes > 0) events.push({ kind: 'data', at: phases.end ?? phases.headersEnd, id, bytes });
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

interface Course {
  readonly entry: Entry;
  readonly place: Place;
  readonly loadAt: Ms | undefined;
  readonly phases: Phases;
  readonly parts: readonly { readonly at: Ms }[];
  readonly failed: boolean;
  readonly redirected: boolean;
}

/**
 * When the hop was over; undefined when the file does not tell. Tools stop in the middle of things, and each has its
 * own way of writing down what was open then:
 *
 * - Firefox gives no phases for what came out of its cache, and a time of 0;
 * - Quiesce says so; DevTools and chrome-har leave it out, except what has had messages or pieces of a body;
 * - chrome-har ends such an answer with its headers, though its pieces go on;
 * - mitmproxy writes the time of sending for what was not answered, and an error when the browser was closed;
 * - Playwright writes −1 for what it does not know: for all of an unanswered request, for `receive` and the sizes of an
 *   answer that was still coming;
 * - all of them end a WebSocket or an EventSource with its last message.
 */
function endOf({ entry, place, loadAt, phases, parts, failed, redirected }: Course): Ms | undefined {
  const { fields: own, response } = entry;
  const timings = fields(own.timings);
  const receive = duration(timings.receive);
  const status = statusOf(response);
  const sent = status === 0 && !receive && !duration(timings.wait) && (duration(timings.send) ?? 0) > 0;
  // mitmproxy does not say when the browser gave it up, and it does when it is closed.
  if (own._pending === true || (sent && CLIENT_GONE.test(errorOf(entry) ?? ''))) return undefined;
  const lastPart = parts.reduce((last, { at }) => Math.max(last, at), Number.NEGATIVE_INFINITY);
  // What broke or led elsewhere is over, even if the file does not say when.
  if (failed || redirected) return Math.max(phases.end ?? phases.headersEnd, lastPart);
  const { end } = phases;
  if (end === undefined) {
    if (HOLDS_LOAD.has(place.type) && place.start < (loadAt ?? 0)) return loadAt;
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
  // Playwright: the time is that of the phases that are over. Of other tools a longer time says more than its phases. Without any,
  // Firefox's cache answered.
  const over = end <= phases.headersEnd + 1 && timings.receive !== undefined;
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
  return statusOf(response) > 0 && unknown && duration(receive) !== undefined;
}

const STREAMS: ReadonlySet<string> = new Set<ResourceType>(['websocket', 'eventsource']);

/**
 * What markup asks for has come when the load event fires, even if nobody wrote down when. Source: HTML, "delay the
 * load event".
 */
const HOLDS_LOAD: ReadonlySet<ResourceType> = new Set<ResourceType>(['stylesheet', 'script', 'image', 'font']);

/** Source: RFC 6455, 5.5.1. */
const CLOSE_OPCODE = 8;

function foreignMessages(own: Fields, id: string, start: Ms, { navigationStart }: Zero): NetworkEvent[] {
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
