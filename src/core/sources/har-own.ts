import type { NetworkEvent, RequestEvent, ResponseEvent } from '../../model/network/network.ts';
import type { Outcome } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { HarMessage, OwnEntry } from '../har/own-entry.ts';
import { optional, size, text } from '../requests/har-fields.ts';
import { type Entry, type Hop, requestEvent, responseEvent } from './har-entry.ts';

/** The hop exactly as it was recorded. */
export function exactHop(entry: Entry, own: OwnEntry): Hop {
  const { fields: stored, response } = entry;
  const { _id: id, _endedAt: endedAt, _outcome: outcome, _timing: timing, _bodySize: bodySize } = own;
  const transferSize = size(response._transferSize);
  const request: RequestEvent = {
    ...requestEvent(entry, id, own._requestId, own._startedAt),
    type: own._resourceType,
    target: own._target,
    initiator: own._initiator,
    frameId: own._frameId,
    loaderId: own._loaderId,
    mainDocument: own._mainDocument || undefined,
    keepalive: own._keepalive || undefined,
    wallTime: own._wallTime,
  };
  const answer: ResponseEvent | undefined =
    own._responseAt === undefined
      ? undefined
      : {
          ...responseEvent(entry, id, own._responseAt),
          timing,
          remoteAddress: own._remoteAddress ?? text(stored.serverIPAddress),
          connectionId: own._connectionId,
          connectionReused: own._connectionReused,
          fromCache: own._fromCache,
          fromServiceWorker: own._fetchedViaServiceWorker,
          redirectUrl: response._followed === true ? (text(response.redirectURL) ?? '') : undefined,
          encodedBytes: transferSize !== undefined && bodySize !== undefined ? transferSize - bodySize : undefined,
        };
  const messages = [own._webSocketMessages, own._eventSourceMessages, own._messages].flatMap((each) => each ?? []);
  const parts: NetworkEvent[] = [
    ...(own._chunks ?? []).map(({ ts, bytes }) => ({ kind: 'data' as const, at: ts, id, bytes })),
    ...messages.map((message) => messageEvent(message, id)),
  ];
  const end = endedAt === undefined ? undefined : endEvent(id, endedAt, outcome, own._error, transferSize);
  // An answer that was reported after the end must not change how the hop ended.
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
    hop: own._hop,
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
        ...(outcome === 'blocked' && { refused: true }),
      };
  }
}

function messageEvent(message: HarMessage, id: string): NetworkEvent {
  const { type, _data, data, opcode, eventName, eventId } = message;
  return {
    kind: 'message',
    at: message._at,
    id,
    direction: type === 'send' ? 'sent' : 'received',
    bytes: message._bytes,
    text: _data === undefined ? data : undefined,
    opcode,
    eventName,
    eventId: eventId || undefined,
    shape: message._shape,
    places: message._places,
    wider: message._wider,
    fields: message._fields,
    joins: message._joins,
  };
}
