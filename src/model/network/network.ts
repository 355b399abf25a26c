import type { Bytes, Ms } from '../units.ts';

export const RESOURCE_TYPES = [
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
] as const satisfies readonly string[];

/**
 * What a request was for, in the lower-case names that DevTools writes to `_resourceType` in its HAR exports.
 * Source: chrome-devtools-frontend `common/ResourceType`.
 */
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** One header line. Names keep the case they had on the wire; compare them in lower case. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

/** One frame of the script stack that started a request. Lines and columns count from 1. */
export interface StackFrame {
  readonly functionName: string;
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** What asks for requests. */
export const INITIATORS = [
  'parser',
  'script',
  'preload',
  'preflight',
  'signed-exchange',
  'other',
] as const satisfies readonly string[];

/** Who asked for a request. */
export interface Initiator {
  readonly type: (typeof INITIATORS)[number];
  readonly url?: string;
  readonly line?: number;
  /** The browser's id of the request that this one prepares (a preflight's parent). */
  readonly requestId?: string;
  /** The synchronous stack first, then the asynchronous ones that led to it, outermost last. */
  readonly stack?: readonly StackFrame[];
  /**
   * What set the script going: the nearest timer ('setTimeout', 'setInterval' …) with nothing but promises in between,
   * else the first asynchronous parent ('await', 'Promise.then', 'XMLHttpRequest.send' …).
   */
  readonly scheduledBy?: string;
}

export const TARGETS = [
  'page',
  'iframe',
  'worker',
  'service-worker',
  'shared-worker',
  'browser',
] as const satisfies readonly string[];

/** Where in the browser a request came from. */
export type TargetKind = (typeof TARGETS)[number];

/** The body that was sent; `text` is absent when the browser did not give it out. */
export interface PostBody {
  readonly mimeType: string;
  readonly size: Bytes;
  readonly text?: string;
  /** The operation that the body names (GraphQL, JSON-RPC …), kept where its text is not. */
  readonly operation?: string;
}

/**
 * The steps of one exchange, each an absolute time. A step that did not happen (a reused connection has no connect)
 * is absent.
 *
 * ```
 * startedAt   dnsStart   connectStart   sslStart   sslEnd=connectEnd   sendStart  sendEnd   headersEnd   endedAt
 *     |--queue----|---dns----|----tcp-------|---tls----|------stall--------|--send---|--wait-----|--receive--|
 *     |<- requested: when the network stack took it                        |
 * ```
 *
 * Source: CDP `Network.ResourceTiming`, rebased to navigation start.
 */
export interface ResourceTiming {
  /** When the network stack (or the service worker) took the request; the wait before is renderer queueing. */
  readonly requestedAt: Ms;
  readonly proxyStart?: Ms;
  readonly proxyEnd?: Ms;
  readonly dnsStart?: Ms;
  readonly dnsEnd?: Ms;
  readonly connectStart?: Ms;
  readonly connectEnd?: Ms;
  readonly sslStart?: Ms;
  readonly sslEnd?: Ms;
  readonly workerStart?: Ms;
  readonly workerReady?: Ms;
  readonly sendStart?: Ms;
  readonly sendEnd?: Ms;
  /** First byte of the response headers, on the wire: an emulated network gives it out only with the last one. */
  readonly headersStart?: Ms;
  /** Last byte of the response headers. */
  readonly headersEnd?: Ms;
}

export const CACHES = ['memory', 'disk', 'prefetch'] as const satisfies readonly string[];

/** Which cache answered, when the network did not. */
export type CacheKind = (typeof CACHES)[number];

/**
 * One thing that happened on the wire, in order of arrival. `at` is clamped to be sane by the sources, but it may step
 * back between requests: DevTools reports some times late.
 *
 * `id` names one hop: a redirect reuses the browser's request id, so the second hop is `<requestId>:1`, and so on.
 */
export type NetworkEvent =
  | RequestEvent
  | RequestHeadersEvent
  | ResponseEvent
  | ResponseHeadersEvent
  | DataEvent
  | MessageEvent
  | FinishedEvent
  | FailedEvent;

/** A hop was issued. */
export interface RequestEvent {
  readonly kind: 'request';
  readonly at: Ms;
  readonly id: string;
  /** The browser's id, shared by all hops of a redirect chain. */
  readonly requestId: string;
  readonly url: string;
  readonly method: string;
  readonly type: ResourceType;
  readonly headers: readonly Header[];
  readonly postBody?: PostBody;
  readonly initiator?: Initiator;
  readonly priority?: string;
  readonly target: TargetKind;
  readonly frameId?: string;
  readonly loaderId?: string;
  /** True for the top-level document of a navigation (`loaderId === requestId`, type Document, main frame). */
  readonly mainDocument?: boolean;
  /** `fetch(…, { keepalive: true })` and `sendBeacon`. */
  readonly keepalive?: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly wallTime?: number;
}

/** The headers that really were sent, with cookies (`requestWillBeSentExtraInfo`). Paired by the timeline. */
interface RequestHeadersEvent {
  readonly kind: 'request-headers';
  readonly at: Ms;
  readonly requestId: string;
  readonly headers: readonly Header[];
}

/** Status and headers arrived. */
export interface ResponseEvent {
  readonly kind: 'response';
  readonly at: Ms;
  readonly id: string;
  readonly status: number;
  readonly statusText: string;
  readonly mimeType: string;
  readonly headers: readonly Header[];
  /** 'http/1.1', 'h2', 'h3', … */
  readonly protocol?: string;
  readonly timing?: ResourceTiming;
  readonly remoteAddress?: string;
  readonly connectionId?: string;
  readonly connectionReused?: boolean;
  readonly fromCache?: CacheKind;
  readonly fromServiceWorker?: boolean;
  /** Transferred bytes so far: the headers. */
  readonly encodedBytes?: Bytes;
  /** True when a `response-headers` event with this hop's real status exists. */
  readonly hasExtraInfo: boolean;
  /** The URL that a redirect leads to. */
  readonly redirectUrl?: string;
}

/** The real status and headers (`responseReceivedExtraInfo`). Paired by the timeline. */
interface ResponseHeadersEvent {
  readonly kind: 'response-headers';
  readonly at: Ms;
  readonly requestId: string;
  readonly status: number;
  readonly headers: readonly Header[];
  /** Size of the raw header block, where the protocol has one. */
  readonly headersText?: string;
}

/** A piece of the body arrived. */
interface DataEvent {
  readonly kind: 'data';
  readonly at: Ms;
  readonly id: string;
  /** Bytes after decoding: the cadence of a stream is read from these (HTTP/2 batches encoded sizes). */
  readonly bytes: Bytes;
  /** Transferred bytes, where this piece's are known. */
  readonly encodedBytes?: Bytes;
}

/** A WebSocket frame, a server-sent event, or a WebTransport life sign. */
interface MessageEvent {
  readonly kind: 'message';
  readonly at: Ms;
  readonly id: string;
  readonly direction: 'sent' | 'received';
  readonly bytes: Bytes;
  /** Payload; redacted at the HAR edge unless asked for. */
  readonly text?: string;
  /** WebSocket opcode. */
  readonly opcode?: number;
  /** Server-sent event name and id. */
  readonly eventName?: string;
  readonly eventId?: string;
  /** What it is like, and what it is about, where that is known without its text (core/background/content/message-shape.ts). */
  readonly shape?: string;
  readonly places?: readonly string[];
  readonly wider?: readonly string[];
  readonly fields?: readonly string[];
  /** What joins it with its question or its answer. */
  readonly joins?: readonly string[];
}

/** The hop is over and was answered. */
interface FinishedEvent {
  readonly kind: 'finished';
  readonly at: Ms;
  readonly id: string;
  /** Transferred bytes in all, headers included. */
  readonly encodedBytes?: Bytes;
}

/** The hop is over without a (whole) answer. */
interface FailedEvent {
  readonly kind: 'failed';
  readonly at: Ms;
  readonly id: string;
  /** 'net::ERR_…', or what the browser said. */
  readonly error: string;
  /** The page gave it up itself. */
  readonly canceled?: boolean;
  readonly blockedReason?: string;
  /** The user had it refused inside the browser. */
  readonly refused?: boolean;
  /** The target went away before it could tell how the request ended; never to be read as slowness. */
  readonly lost?: boolean;
}
