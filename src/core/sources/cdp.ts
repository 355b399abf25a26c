import type { Protocol } from 'devtools-protocol';
import type { NetworkEvent, ResourceType, TargetKind } from '../../model/network/network.ts';
import { byteLength } from '../text/byte-length.ts';
import { toMicroseconds } from '../time/time.ts';
import type { Hop, ToMs } from './cdp-hop.ts';
import { initiatorOf } from './cdp-initiator.ts';
import { followUp } from './cdp-messages.ts';
import { headerList, responseEvent } from './cdp-response.ts';

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
  const dropped = new Set<string>();
  let announced = 0;

  const ms: ToMs = (seconds) => toMicroseconds((seconds - origin) * 1000);

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
    hop.sessionId = message.sessionId;
    return followUp(name ?? '', message.params, hop, ms, ms(message.arrivedAt));
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
    const redirects = before ? before.redirects + 1 : 0;
    const at = ms(params.timestamp);
    const hop: Hop = {
      id: redirects === 0 ? requestId : `${requestId}:${redirects}`,
      requestId,
      redirects,
      sessionId: message.sessionId,
      ended: false,
      servedFromMemory: before?.servedFromMemory === true,
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
          ...responseEvent({ id: before.id }, at, redirectResponse, params.redirectHasExtraInfo, ms),
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
    const { sessionId } = message;
    const hop = { id: requestId, requestId, redirects: 0, sessionId, ended: false };
    current.set(requestId, { ...hop, servedFromMemory: false });
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

  return {
    accept,
    targetGone(sessionId, arrivedAt) {
      const lost: NetworkEvent[] = [];
      for (const hop of current.values()) {
        if (hop.ended || hop.sessionId !== sessionId) continue;
        hop.ended = true;
        lost.push({ kind: 'failed', at: ms(arrivedAt), id: hop.id, error: 'target-closed', lost: true });
      }
      return lost;
    },
    announcedHops: () => announced,
  };
}

function transportId(params: unknown): string | undefined {
  return (params as { transportId?: string }).transportId;
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
