import type { Protocol } from 'devtools-protocol';
import type {
  CacheKind,
  Header,
  Initiator,
  NetworkEvent,
  ResourceTiming,
  ResourceType,
  StackFrame,
  TargetKind,
} from '../../model/network.ts';
import type { Ms } from '../../model/units.ts';
import { bytesOfBase64 } from '../base64.ts';
import { toMicroseconds } from '../time.ts';
import { type BodyStream, createBodyStream, isBodyStream } from './body-stream.ts';

/** One message of the DevTools protocol, with where and when it came in. */
export interface CdpMessage {
  readonly method: string;
  readonly params: unknown;
  readonly sessionId: string;
  readonly target: TargetKind;
  /** The browser's monotonic clock when the message arrived, seconds; for messages that carry no time of their own. */
  readonly arrivedAt: number;
}

/** Translates messages to events, one after the other. */
export interface CdpSource {
  /** The events that a message stands for; none for messages that say nothing about the network. */
  accept(message: CdpMessage): readonly NetworkEvent[];
  /** A target went away: its open requests are lost, not slow. */
  targetGone(sessionId: string, arrivedAt: number): readonly NetworkEvent[];
  /** How many hops the browser has announced so far, to be compared with what was written down. */
  announcedHops(): number;
}

/** Schemes that never touch the network. */
const OFF_WIRE = /^(?!https?:|wss?:)/i;

/** DevTools' names for what differs from the lower-cased protocol name. Source: DevTools' HAR export. */
const TYPES: Readonly<Record<string, ResourceType>> = {
  Document: 'document',
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  Media: 'media',
  TextTrack: 'texttrack',
  XHR: 'xhr',
  Fetch: 'fetch',
  EventSource: 'eventsource',
  WebSocket: 'websocket',
  Manifest: 'manifest',
  Prefetch: 'prefetch',
  Preflight: 'preflight',
  Ping: 'ping',
  CSPViolationReport: 'csp-violation-report',
  SignedExchange: 'signed-exchange',
};

interface Hop {
  readonly id: string;
  readonly url: string;
  readonly hops: number;
  sessionId: string;
  ended: boolean;
  /** A body that is read in parts, and when its last bytes came. */
  body?: { readonly stream: BodyStream; lastAt: Ms };
}

/** Is the answer's body read in parts? Those of an EventSource the browser gives as messages. */
export function isReadInParts({ type, response }: Protocol.Network.ResponseReceivedEvent): boolean {
  return type !== 'EventSource' && isBodyStream(response.mimeType, response.headers);
}

/** What had come of a body before its bytes were asked for, in base64: the answer to that question, as a message. */
export interface StreamedContent {
  readonly requestId: string;
  readonly data: string;
}

/** The parts that are whole with these bytes. */
function bodyParts({ id, body }: Hop, data: string | undefined): readonly NetworkEvent[] {
  if (!body || data === undefined || data === '') return [];
  const at = body.lastAt;
  return body.stream.add(bytesOfBase64(data)).map((part) => ({
    kind: 'message',
    at,
    id,
    direction: 'received',
    ...part,
  }));
}

/**
 * A translator whose times are milliseconds since `origin`.
 *
 * Sessions are merged by request id: an out-of-process frame's document starts on its parent's session and ends on its
 * own, a worker's script likewise; what comes before its start is kept until the start is there.
 *
 * @param origin the browser's monotonic clock at navigation start, in seconds
 * @param mainFrameId the frame whose documents are navigations of the page
 */
export function createCdpSource(origin: number, mainFrameId?: string): CdpSource {
  const current = new Map<string, Hop>();
  const early = new Map<string, CdpMessage[]>();
  const memoryCached = new Set<string>();
  const dropped = new Set<string>();
  let announced = 0;

  const ms = (seconds: number): Ms => toMicroseconds((seconds - origin) * 1000);

  const accept = (message: CdpMessage): readonly NetworkEvent[] => {
    const [domain, name] = message.method.split('.');
    if (domain !== 'Network') return [];
    const requestId = (message.params as { requestId?: string }).requestId ?? transportId(message.params);
    if (requestId === undefined || dropped.has(requestId)) return [];
    if (name === 'requestWillBeSent') {
      const started = start(message, message.params as Protocol.Network.RequestWillBeSentEvent);
      return [...started, ...replayEarly(requestId)];
    }
    if (name === 'webSocketCreated' || name === 'webTransportCreated') {
      const started = startSocket(message, requestId, name);
      return [...started, ...replayEarly(requestId)];
    }
    const hop = current.get(requestId);
    if (!hop) {
      const waiting = early.get(requestId) ?? [];
      waiting.push(message);
      early.set(requestId, waiting);
      return [];
    }
    return follow(message, name ?? '', hop, requestId);
  };

  const replayEarly = (requestId: string): readonly NetworkEvent[] => {
    const waiting = early.get(requestId);
    if (!waiting) return [];
    early.delete(requestId);
    return waiting.flatMap((message) => accept(message));
  };

  const start = (message: CdpMessage, params: Protocol.Network.RequestWillBeSentEvent): readonly NetworkEvent[] => {
    const { requestId, request, redirectResponse } = params;
    if (OFF_WIRE.test(request.url)) {
      dropped.add(requestId);
      early.delete(requestId);
      return [];
    }
    const before = current.get(requestId);
    // Two sessions can announce the same hop (a service worker is a child of the browser and of the page).
    if (before && !redirectResponse) return [];
    const hops = before ? before.hops + 1 : 0;
    const at = ms(params.timestamp);
    const hop: Hop = {
      id: hops === 0 ? requestId : `${requestId}:${hops}`,
      url: request.url,
      hops,
      sessionId: message.sessionId,
      ended: false,
    };
    announced += 1;
    const events: NetworkEvent[] = [
      {
        kind: 'request',
        at,
        id: hop.id,
        requestId,
        url: request.url + (request.urlFragment ?? ''),
        method: request.method,
        type: params.initiator.type === 'preflight' ? 'preflight' : (TYPES[params.type ?? 'Other'] ?? 'other'),
        headers: headerList(request.headers),
        initiator: initiatorOf(params.initiator),
        priority: request.initialPriority,
        target: message.target,
        loaderId: params.loaderId,
        mainDocument:
          params.type === 'Document' &&
          params.loaderId === requestId &&
          (mainFrameId ?? params.frameId) === params.frameId,
        ...(params.frameId !== undefined && { frameId: params.frameId }),
        ...(isKeepalive(params) && { keepalive: true }),
        ...postBodyOf(request),
        wallTime: params.wallTime * 1000,
      },
    ];
    if (before && redirectResponse) {
      // The new hop starts before the old one ends, or a moment of false quiet appears between them.
      events.push(
        {
          ...responseEvent(before.id, at, redirectResponse, params.redirectHasExtraInfo, undefined),
          redirectUrl: request.url,
        },
        { kind: 'finished', at, id: before.id, encodedBytes: redirectResponse.encodedDataLength },
      );
    }
    current.set(requestId, hop);
    return events;
  };

  const startSocket = (message: CdpMessage, requestId: string, name: string): readonly NetworkEvent[] => {
    if (current.has(requestId)) return [];
    const params = message.params as Protocol.Network.WebSocketCreatedEvent & { timestamp?: number };
    announced += 1;
    current.set(requestId, { id: requestId, url: params.url, hops: 0, sessionId: message.sessionId, ended: false });
    return [
      {
        kind: 'request',
        at: ms(params.timestamp ?? message.arrivedAt),
        id: requestId,
        requestId,
        url: params.url,
        method: name === 'webSocketCreated' ? 'GET' : 'CONNECT',
        type: name === 'webSocketCreated' ? 'websocket' : 'webtransport',
        headers: [],
        target: message.target,
        ...(params.initiator && { initiator: initiatorOf(params.initiator) }),
      },
    ];
  };

  const responseEvent = (
    id: string,
    at: Ms,
    response: Protocol.Network.Response,
    hasExtraInfo: boolean,
    cache: CacheKind | undefined,
  ): Extract<NetworkEvent, { kind: 'response' }> => {
    const fromCache: CacheKind | undefined =
      cache ?? (response.fromPrefetchCache ? 'prefetch' : response.fromDiskCache ? 'disk' : undefined);
    const timing = response.timing && timingOf(response.timing, ms);
    const address = response.remoteIPAddress;
    return {
      kind: 'response',
      at,
      id,
      status: response.status,
      statusText: response.statusText,
      mimeType: response.mimeType,
      headers: headerList(response.headers),
      hasExtraInfo,
      connectionReused: response.connectionReused,
      connectionId: String(response.connectionId),
      ...(response.protocol !== undefined && { protocol: response.protocol }),
      ...(timing && { timing }),
      ...(address && { remoteAddress: address }),
      ...(fromCache && { fromCache }),
      ...(response.fromServiceWorker && { fromServiceWorker: true }),
      ...(response.encodedDataLength >= 0 && { encodedBytes: response.encodedDataLength }),
    };
  };

  const follow = (message: CdpMessage, name: string, hop: Hop, requestId: string): readonly NetworkEvent[] => {
    hop.sessionId = message.sessionId;
    const { id } = hop;
    switch (name) {
      case 'requestWillBeSentExtraInfo': {
        const params = message.params as Protocol.Network.RequestWillBeSentExtraInfoEvent;
        return [{ kind: 'request-headers', at: ms(message.arrivedAt), requestId, headers: headerList(params.headers) }];
      }
      case 'responseReceivedExtraInfo': {
        const params = message.params as Protocol.Network.ResponseReceivedExtraInfoEvent;
        return [
          {
            kind: 'response-headers',
            at: ms(message.arrivedAt),
            requestId,
            status: params.statusCode,
            headers: headerList(params.headers),
            ...(params.headersText !== undefined && { headersText: params.headersText }),
          },
        ];
      }
      case 'requestServedFromCache':
        memoryCached.add(requestId);
        return [];
      case 'responseReceived': {
        const params = message.params as Protocol.Network.ResponseReceivedEvent;
        const cache = memoryCached.has(requestId) ? 'memory' : undefined;
        if (isReadInParts(params)) {
          hop.body = { stream: createBodyStream(params.response.mimeType), lastAt: ms(params.timestamp) };
        }
        return [responseEvent(id, ms(params.timestamp), params.response, params.hasExtraInfo, cache)];
      }
      case 'dataReceived': {
        const params = message.params as Protocol.Network.DataReceivedEvent;
        if (hop.body) hop.body.lastAt = ms(params.timestamp);
        return [
          ...bodyParts(hop, params.data),
          {
            kind: 'data',
            at: ms(params.timestamp),
            id,
            bytes: params.dataLength,
            ...(params.encodedDataLength > 0 && { encodedBytes: params.encodedDataLength }),
          },
        ];
      }
      case 'streamedContent': {
        return bodyParts(hop, (message.params as StreamedContent).data);
      }
      case 'loadingFinished': {
        const params = message.params as Protocol.Network.LoadingFinishedEvent;
        hop.ended = true;
        return [{ kind: 'finished', at: ms(params.timestamp), id, encodedBytes: params.encodedDataLength }];
      }
      case 'loadingFailed': {
        const params = message.params as Protocol.Network.LoadingFailedEvent;
        hop.ended = true;
        const blocked = params.corsErrorStatus?.corsError ?? params.blockedReason;
        return [
          {
            kind: 'failed',
            at: ms(params.timestamp),
            id,
            error: params.errorText,
            ...(params.canceled && { canceled: true }),
            // What DevTools was told to refuse. Source: CDP `Network.BlockedReason`.
            ...(params.blockedReason === 'inspector' && { refused: true }),
            ...(blocked && { blockedReason: `${params.errorText || 'blocked'} (${blocked})` }),
          },
        ];
      }
      case 'eventSourceMessageReceived': {
        const params = message.params as Protocol.Network.EventSourceMessageReceivedEvent;
        return [
          {
            kind: 'message',
            at: ms(params.timestamp),
            id,
            direction: 'received',
            bytes: byteLength(params.data),
            text: params.data,
            eventName: params.eventName,
            eventId: params.eventId,
          },
        ];
      }
      case 'webSocketHandshakeResponseReceived': {
        const params = message.params as Protocol.Network.WebSocketHandshakeResponseReceivedEvent;
        const at = ms(params.timestamp);
        const { response } = params;
        return [
          ...(response.requestHeaders
            ? ([
                { kind: 'request-headers', at, requestId, headers: headerList(response.requestHeaders) },
              ] satisfies NetworkEvent[])
            : []),
          {
            kind: 'response',
            at,
            id,
            status: response.status,
            statusText: response.statusText,
            mimeType: '',
            headers: headerList(response.headers),
            hasExtraInfo: true,
            protocol: 'http/1.1',
          },
        ];
      }
      case 'webTransportConnectionEstablished': {
        const params = message.params as Protocol.Network.WebTransportConnectionEstablishedEvent;
        return [
          {
            kind: 'response',
            at: ms(params.timestamp),
            id,
            status: 200,
            statusText: '',
            mimeType: '',
            headers: [],
            hasExtraInfo: false,
            protocol: 'h3',
          },
        ];
      }
      case 'webSocketFrameSent':
      case 'webSocketFrameReceived': {
        const { timestamp, response } = message.params as Protocol.Network.WebSocketFrameReceivedEvent;
        return [
          {
            kind: 'message',
            at: ms(timestamp),
            id,
            direction: name === 'webSocketFrameSent' ? 'sent' : 'received',
            // A binary frame's payload is given in base64.
            bytes:
              response.opcode === 1
                ? byteLength(response.payloadData)
                : Math.floor((response.payloadData.replace(/=+$/, '').length * 3) / 4),
            text: response.payloadData,
            opcode: response.opcode,
          },
        ];
      }
      case 'webSocketFrameError': {
        const params = message.params as Protocol.Network.WebSocketFrameErrorEvent;
        hop.ended = true;
        return [{ kind: 'failed', at: ms(params.timestamp), id, error: params.errorMessage }];
      }
      case 'webSocketClosed':
      case 'webTransportClosed': {
        const params = message.params as Protocol.Network.WebSocketClosedEvent;
        hop.ended = true;
        return [{ kind: 'finished', at: ms(params.timestamp), id }];
      }
      default:
        return [];
    }
  };

  return {
    accept,
    targetGone(sessionId, arrivedAt) {
      const lost: NetworkEvent[] = [];
      for (const hop of current.values()) {
        if (hop.ended || hop.sessionId !== sessionId) continue;
        hop.ended = true;
        lost.push({ kind: 'failed', at: ms(arrivedAt), id: hop.id, error: 'its target went away', lost: true });
      }
      return lost;
    },
    announcedHops: () => announced,
  };
}

function transportId(params: unknown): string | undefined {
  return (params as { transportId?: string }).transportId;
}

/** Headers as lines: Chrome joins repeated ones with a newline. */
function headerList(headers: Protocol.Network.Headers): readonly Header[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    String(value)
      .split('\n')
      .map((line) => ({ name, value: line })),
  );
}

function timingOf(timing: Protocol.Network.ResourceTiming, ms: (seconds: number) => Ms): ResourceTiming {
  const requestedAt = ms(timing.requestTime);
  const step = <N extends string>(name: N, offset: number): { readonly [K in N]?: Ms } =>
    (offset >= 0 ? { [name]: toMicroseconds(requestedAt + offset) } : {}) as { readonly [K in N]?: Ms };
  return {
    requestedAt,
    ...step('proxyStart', timing.proxyStart),
    ...step('proxyEnd', timing.proxyEnd),
    ...step('dnsStart', timing.dnsStart),
    ...step('dnsEnd', timing.dnsEnd),
    ...step('connectStart', timing.connectStart),
    ...step('connectEnd', timing.connectEnd),
    ...step('sslStart', timing.sslStart),
    ...step('sslEnd', timing.sslEnd),
    ...step('workerStart', timing.workerStart),
    ...step('workerReady', timing.workerReady),
    ...step('sendStart', timing.sendStart),
    ...step('sendEnd', timing.sendEnd),
    ...step('headersStart', timing.receiveHeadersStart ?? -1),
    ...step('headersEnd', timing.receiveHeadersEnd),
  };
}

function initiatorOf(initiator: Protocol.Network.Initiator): Initiator {
  const kinds: Readonly<Record<string, Initiator['type']>> = {
    parser: 'parser',
    script: 'script',
    preload: 'preload',
    preflight: 'preflight',
    SignedExchange: 'signed-exchange',
  };
  const stack: StackFrame[] = [];
  const scheduledBy = scheduledByOf(initiator.stack?.parent);
  for (let trace = initiator.stack; trace; trace = trace.parent) {
    for (const frame of trace.callFrames) {
      stack.push({
        functionName: frame.functionName,
        url: frame.url,
        line: frame.lineNumber + 1,
        column: frame.columnNumber + 1,
      });
    }
  }
  const url = initiator.url ?? stack.find((frame) => frame.url !== '')?.url;
  const line =
    initiator.lineNumber === undefined ? stack.find((frame) => frame.url !== '')?.line : initiator.lineNumber + 1;
  return {
    type: kinds[initiator.type] ?? 'other',
    ...(url !== undefined && { url }),
    ...(line !== undefined && { line }),
    ...(initiator.requestId !== undefined && { requestId: initiator.requestId }),
    ...(stack.length > 0 && { stack }),
    ...(scheduledBy !== undefined && { scheduledBy }),
  };
}

/** Steps of one asynchronous chain that are no event of their own. Source: V8 `async-stack`, Blink `AsyncTaskContext`. */
const CONTINUATIONS: ReadonlySet<string> = new Set([
  'await',
  'async function',
  'Promise.then',
  'Promise.catch',
  'Promise.finally',
  'Promise.all',
  'Promise.resolve',
  'queueMicrotask',
]);

/** What runs script because time has passed, by the names that stacks have for it. */
const TIMERS: ReadonlySet<string> = new Set([
  'setTimeout',
  'setInterval',
  'requestAnimationFrame',
  'requestIdleCallback',
  'postTask',
]);

/**
 * What set the script going: the nearest timer, looking through promises up to the first event of another kind (an
 * answer, a message, a click), else the first asynchronous parent.
 *
 * What V8 keeps is where a step was registered, not what woke it: a loop that awaits a promise which a timer resolves
 * says 'await', one that sets its own next timer says 'setTimeout'; and what follows `await` in a timer's callback
 * still belongs to that timer, however long the awaited answer took.
 */
function scheduledByOf(parent: Protocol.Runtime.StackTrace | undefined): string | undefined {
  for (let trace = parent; trace; trace = trace.parent) {
    const step = trace.description ?? '';
    if (TIMERS.has(step)) return step;
    if (!CONTINUATIONS.has(step)) break;
  }
  return parent?.description;
}

function postBodyOf(request: Protocol.Network.Request): {
  postBody?: { mimeType: string; size: number; text?: string };
} {
  if (!request.hasPostData && request.postData === undefined) return {};
  const mimeType = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return {
    postBody: {
      mimeType: String(mimeType),
      size: byteLength(request.postData ?? ''),
      ...(request.postData !== undefined && { text: request.postData }),
    },
  };
}

/** The protocol does not say so outright: beacons and CSP reports are sent so that they outlive the page. */
function isKeepalive(params: Protocol.Network.RequestWillBeSentEvent): boolean {
  return params.type === 'Ping' || params.type === 'CSPViolationReport';
}

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).length;
}
