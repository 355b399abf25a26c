import type { Message, Request } from '../../../model/timeline.ts';
import type { Ms } from '../../../model/units.ts';

const known = new WeakMap<Request, readonly Message[]>();

/** The parts of a stream: messages where the protocol has them, else pieces of the body. */
export function messagesOf(request: Request): readonly Message[] {
  const before = known.get(request);
  if (before) return before;
  const received = request.messages.filter(({ direction }) => direction === 'received');
  const messages =
    received.length > 0 ? received : request.chunks.map((chunk): Message => ({ ...chunk, direction: 'received' }));
  known.set(request, messages);
  return messages;
}

/** When the parts of a stream came. */
export function partsOf(request: Request): readonly Ms[] {
  return messagesOf(request).map(({ at }) => at);
}
