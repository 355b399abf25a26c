import { type BackgroundKind, KINDS } from '../../../model/background/kinds.ts';
import type { VerdictReason } from '../../../model/background/reason.ts';
import type { Endpoint } from '../../../model/background/series.ts';
import type { Message, Request, Timeline } from '../../../model/network/timeline.ts';
import type { Bytes, Ms } from '../../../model/units.ts';
import { type MessageShape, shapeOf } from './message-shape.ts';

/** Something that came: a message or piece of a stream, or an answer. */
export interface Arrival {
  /** Infinite while an answer has not come. */
  readonly at: Ms;
  readonly request: Request;
  /** Absent of an answer. */
  readonly message?: Message;
}

/** Where something comes from again and again, whatever the protocol: in order of time. Detectors only name its kind. */
export interface Source {
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly fixed: Readonly<Record<string, string>>;
  readonly kind: BackgroundKind;
  readonly reason: VerdictReason;
  readonly requests: readonly Request[];
  readonly arrivals: readonly Arrival[];
}

/** The parts of a stream: messages where the protocol has them, else pieces of the body. */
export function messagesOf(request: Request): readonly Message[] {
  const received = request.messages.filter(({ direction }) => direction === 'received');
  return received.length > 0 ? received : request.chunks.map((chunk): Message => ({ ...chunk, direction: 'received' }));
}

/** When the parts of a stream came. */
export function partsOf(request: Request): readonly Ms[] {
  return messagesOf(request).map(({ at }) => at);
}

/** What came of some requests of a kind so far. */
export function arrivalsOf(kind: BackgroundKind, requests: readonly Request[], timeline: Timeline): readonly Arrival[] {
  return isStreamKind(kind) ? requests.flatMap(arrivalsOfStream) : answersOf(requests, timeline);
}

export function isStreamKind(kind: BackgroundKind): boolean {
  return KINDS[kind].family === 'stream';
}

export function arrivalsOfStream(request: Request): readonly Arrival[] {
  return messagesOf(request).map((message) => ({ at: message.at, request, message }));
}

/** The answers to requests, a redirect's at the end of what it led to. */
export function answersOf(requests: readonly Request[], timeline: Timeline): readonly Arrival[] {
  return requests.flatMap((request) => {
    const { response, endedAt } = lastHopOf(request, timeline);
    return response ? [{ at: endedAt ?? response.at, request }] : [];
  });
}

/** What a redirect led to; a request that was not redirected itself. */
function lastHopOf(request: Request, { requests }: Timeline): Request {
  if (request.outcome !== 'redirected') return request;
  return requests.findLast(({ requestId }) => requestId === request.requestId) ?? request;
}

export const timesOf = (arrivals: readonly Arrival[]): readonly Ms[] => arrivals.map(({ at }) => at);

/** What tells an arrival from others of its source in any load. */
export interface ArrivalLike extends Omit<MessageShape, 'joins'> {
  /** Of an answer: how large it is, decoded. */
  readonly bytes?: Bytes;
}

export function likeOf({ message, request: { response, contentSize } }: Arrival): ArrivalLike {
  return message ? shapeOf(message) : { shape: `status ${response?.status}`, places: [], bytes: contentSize };
}
