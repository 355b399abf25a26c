import type { NetworkEvent, RequestEvent, ResourceTiming, ResponseEvent, TargetKind } from '../../model/network.ts';
import type { Outcome } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../defined.ts';
import { type Fields, fields, finite, list, moment, optional, size, text } from '../har-fields.ts';
import {
  cacheOf,
  chunksOf,
  type Entry,
  type Hop,
  initiatorOf,
  requestEvent,
  responseEvent,
  typeOf,
} from './har-entry.ts';

const OUTCOMES: ReadonlySet<string> = new Set<Outcome>([
  'open',
  'finished',
  'redirected',
  'failed',
  'canceled',
  'lost',
  'blocked',
]);

/** Does the entry hold everything that Quiesce writes, so that it gives back what was recorded? */
export function isExact({ fields: entry }: Entry): boolean {
  return (
    moment(entry._startedAt) !== undefined &&
    (entry._endedAt === undefined || moment(entry._endedAt) !== undefined) &&
    text(entry._id) !== undefined &&
    text(entry._requestId) !== undefined &&
    OUTCOMES.has(text(entry._outcome) ?? '')
  );
}

/** The hop exactly as it was recorded. */
export function exactHop(entry: Entry): Hop {
  const { fields: own, response } = entry;
  const id = text(own._id) ?? '';
  const startedAt = moment(own._startedAt) ?? 0;
  const endedAt = moment(own._endedAt);
  const outcome = text(own._outcome) as Outcome;
  const timing = timingOf(own._timing);
  const transferSize = size(response._transferSize);
  const bodySize = size(own._bodySize);
  const responseAt = moment(own._responseAt);
  const initiator = initiatorOf(own._initiator);
  const request: RequestEvent = defined({
    ...requestEvent(entry, id, text(own._requestId) ?? id, startedAt),
    type: typeOf(own._resourceType) ?? 'other',
    target: targetOf(own._target),
    initiator,
    ...optional('frameId', text(own._frameId)),
    ...optional('loaderId', text(own._loaderId)),
    ...(own._mainDocument === true && { mainDocument: true }),
    ...(own._keepalive === true && { keepalive: true }),
    ...optional('wallTime', finite(own._wallTime)),
  });
  const answer: ResponseEvent | undefined =
    responseAt === undefined
      ? undefined
      : defined({
          ...responseEvent(entry, id, responseAt),
          timing,
          ...optional('remoteAddress', text(own._remoteAddress) ?? text(own.serverIPAddress)),
          ...optional('connectionId', text(own._connectionId)),
          ...(typeof own._connectionReused === 'boolean' && { connectionReused: own._connectionReused }),
          ...optional('fromCache', cacheOf(own._fromCache)),
          ...(own._fetchedViaServiceWorker === true && { fromServiceWorker: true }),
          ...(response._followed === true && { redirectUrl: text(response.redirectURL) ?? '' }),
          ...(transferSize !== undefined && bodySize !== undefined && { encodedBytes: transferSize - bodySize }),
        });
  const parts: NetworkEvent[] = [...chunksOf(own._chunks, id), ...exactMessages(own, id)];
  const end = endedAt === undefined ? undefined : endEvent(id, endedAt, outcome, text(own._error), transferSize);
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
        ...(outcome === 'blocked' && { refused: true }),
      };
  }
}

function exactMessages(own: Fields, id: string): NetworkEvent[] {
  const messages = [own._webSocketMessages, own._eventSourceMessages, own._messages].flatMap(list);
  return messages.flatMap((item): NetworkEvent[] => {
    const message = fields(item);
    const at = moment(message._at);
    if (at === undefined) return [];
    const payload = message._data === undefined ? text(message.data) : undefined;
    const eventId = text(message.eventId);
    return [
      {
        kind: 'message',
        at,
        id,
        direction: message.type === 'send' ? 'sent' : 'received',
        bytes: size(message._bytes) ?? 0,
        ...optional('text', payload),
        ...optional('opcode', finite(message.opcode)),
        ...optional('eventName', text(message.eventName)),
        ...(eventId !== undefined && eventId !== '' && { eventId }),
        ...optional('shape', text(message._shape)),
        ...(Array.isArray(message._places) && { places: message._places.flatMap((place) => text(place) ?? []) }),
        ...(Array.isArray(message._wider) && { wider: message._wider.flatMap((shape) => text(shape) ?? []) }),
        ...(Array.isArray(message._fields) && { fields: message._fields.flatMap((field) => text(field) ?? []) }),
        ...(Array.isArray(message._joins) && { joins: message._joins.flatMap((join) => text(join) ?? []) }),
      },
    ];
  });
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
  const requestedAt = moment(steps.requestedAt);
  if (requestedAt === undefined) return undefined;
  return {
    requestedAt,
    ...optional('proxyStart', moment(steps.proxyStart)),
    ...optional('proxyEnd', moment(steps.proxyEnd)),
    ...optional('dnsStart', moment(steps.dnsStart)),
    ...optional('dnsEnd', moment(steps.dnsEnd)),
    ...optional('connectStart', moment(steps.connectStart)),
    ...optional('connectEnd', moment(steps.connectEnd)),
    ...optional('sslStart', moment(steps.sslStart)),
    ...optional('sslEnd', moment(steps.sslEnd)),
    ...optional('workerStart', moment(steps.workerStart)),
    ...optional('workerReady', moment(steps.workerReady)),
    ...optional('sendStart', moment(steps.sendStart)),
    ...optional('sendEnd', moment(steps.sendEnd)),
    ...optional('headersStart', moment(steps.headersStart)),
    ...optional('headersEnd', moment(steps.headersEnd)),
  };
}
