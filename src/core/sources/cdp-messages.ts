import type { Protocol } from 'devtools-protocol';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import type { NetworkEvent } from '../../model/network/network.ts';
import type { Ms } from '../../model/units.ts';
import { bytesOfBase64 } from '../text/base64.ts';
import { byteLength } from '../text/byte-length.ts';
import { createBodyStream, isBodyStream } from './body-stream.ts';
import type { Hop, ToMs } from './cdp-hop.ts';
import { headerList, responseEvent } from './cdp-response.ts';

/** What had come of a body before its bytes were asked for, in base64: the answer to that question, as a message. */
export interface StreamedContent {
  readonly requestId: string;
  readonly data: string;
}

/** The messages of the protocol's Network domain, by their names in it. */
type Messages = {
  readonly [M in keyof ProtocolMapping.Events as M extends `Network.${infer N}`
    ? N
    : never]: ProtocolMapping.Events[M][0];
} & { readonly streamedContent: StreamedContent };

/** What a message says of a request that is under way. `arrivedAt` stands for the time of messages that carry none. */
type Follow<P> = (params: P, hop: Hop, ms: ToMs, arrivedAt: Ms) => readonly NetworkEvent[];

const FOLLOW: { readonly [N in keyof Messages]?: Follow<Messages[N]> } = {
  requestWillBeSentExtraInfo: ({ headers }, { requestId }, _ms, at) => [
    { kind: 'request-headers', at, requestId, headers: headerList(headers) },
  ],

  responseReceivedExtraInfo: ({ statusCode, headers, headersText }, { requestId }, _ms, at) => [
    {
      kind: 'response-headers',
      at,
      requestId,
      status: statusCode,
      headers: headerList(headers),
      ...(headersText !== undefined && { headersText }),
    },
  ],

  requestServedFromCache(_params, hop) {
    hop.servedFromMemory = true;
    return [];
  },

  responseReceived(params, hop, ms) {
    const at = ms(params.timestamp);
    if (isReadInParts(params)) hop.body = { stream: createBodyStream(params.response.mimeType), lastAt: at };
    return [responseEvent(hop, at, params.response, params.hasExtraInfo, ms)];
  },

  dataReceived({ timestamp, dataLength, encodedDataLength, data }, hop, ms) {
    const at = ms(timestamp);
    if (hop.body) hop.body.lastAt = at;
    return [
      ...bodyParts(hop, data),
      {
        kind: 'data',
        at,
        id: hop.id,
        bytes: dataLength,
        ...(encodedDataLength > 0 && { encodedBytes: encodedDataLength }),
      },
    ];
  },

  streamedContent: ({ data }, hop) => bodyParts(hop, data),

  loadingFinished({ timestamp, encodedDataLength }, hop, ms) {
    hop.ended = true;
    return [{ kind: 'finished', at: ms(timestamp), id: hop.id, encodedBytes: encodedDataLength }];
  },

  loadingFailed({ timestamp, errorText, canceled, blockedReason, corsErrorStatus }, hop, ms) {
    hop.ended = true;
    const blocked = corsErrorStatus?.corsError ?? blockedReason;
    return [
      {
        kind: 'failed',
        at: ms(timestamp),
        id: hop.id,
        error: errorText,
        ...(canceled && { canceled: true }),
        // What DevTools was told to refuse. Source: CDP `Network.BlockedReason`.
        ...(blockedReason === 'inspector' && { refused: true }),
        ...(blocked && { blockedReason: `${errorText || 'blocked'} (${blocked})` }),
      },
    ];
  },

  eventSourceMessageReceived: ({ timestamp, data, eventName, eventId }, { id }, ms) => [
    {
      kind: 'message',
      at: ms(timestamp),
      id,
      direction: 'received',
      bytes: byteLength(data),
      text: data,
      eventName,
      eventId,
    },
  ],

  webSocketHandshakeResponseReceived({ timestamp, response }, { id, requestId }, ms) {
    const at = ms(timestamp);
    const { status, statusText, headers, requestHeaders } = response;
    const answered: NetworkEvent = {
      kind: 'response',
      at,
      id,
      status,
      statusText,
      mimeType: '',
      headers: headerList(headers),
      hasExtraInfo: true,
      protocol: 'http/1.1',
    };
    if (requestHeaders === undefined) return [answered];
    return [{ kind: 'request-headers', at, requestId, headers: headerList(requestHeaders) }, answered];
  },

  webTransportConnectionEstablished: ({ timestamp }, { id }, ms) => [
    {
      kind: 'response',
      at: ms(timestamp),
      id,
      status: 200,
      statusText: '',
      mimeType: '',
      headers: [],
      hasExtraInfo: false,
      protocol: 'h3',
    },
  ],

  webSocketFrameSent: (params, hop, ms) => [frame(params, hop, ms, 'sent')],
  webSocketFrameReceived: (params, hop, ms) => [frame(params, hop, ms, 'received')],

  webSocketFrameError({ timestamp, errorMessage }, hop, ms) {
    hop.ended = true;
    return [{ kind: 'failed', at: ms(timestamp), id: hop.id, error: errorMessage }];
  },

  webSocketClosed: closed,
  webTransportClosed: closed,
};

/** The events that a message about a request under way stands for; none for a message that is not known. */
export function followUp(name: string, params: unknown, hop: Hop, ms: ToMs, arrivedAt: Ms): readonly NetworkEvent[] {
  const follow = Object.hasOwn(FOLLOW, name) ? (FOLLOW[name as keyof Messages] as Follow<unknown>) : undefined;
  return follow?.(params, hop, ms, arrivedAt) ?? [];
}

/** Is the answer's body read in parts? Those of an EventSource the browser gives as messages. */
export function isReadInParts({ type, response }: Protocol.Network.ResponseReceivedEvent): boolean {
  return type !== 'EventSource' && isBodyStream(response.mimeType, response.headers);
}

/** The parts that are whole with these bytes. */
function bodyParts({ id, body }: Hop, data: string | undefined): readonly NetworkEvent[] {
  if (!body || data === undefined || data === '') return [];
  const at = body.lastAt;
  return body.stream
    .add(bytesOfBase64(data))
    .map((part) => ({ kind: 'message', at, id, direction: 'received', ...part }));
}

function frame(
  { timestamp, response: { opcode, payloadData } }: Protocol.Network.WebSocketFrameReceivedEvent,
  { id }: Hop,
  ms: ToMs,
  direction: 'sent' | 'received',
): NetworkEvent {
  // A binary frame's payload is given in base64.
  const bytes = opcode === 1 ? byteLength(payloadData) : Math.floor((payloadData.replace(/=+$/, '').length * 3) / 4);
  return { kind: 'message', at: ms(timestamp), id, direction, bytes, text: payloadData, opcode };
}

function closed({ timestamp }: { readonly timestamp: number }, hop: Hop, ms: ToMs): readonly NetworkEvent[] {
  hop.ended = true;
  return [{ kind: 'finished', at: ms(timestamp), id: hop.id }];
}
