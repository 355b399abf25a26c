import type { Request } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { Span } from '../../model/verdict.ts';

/** When the parts of a stream came: messages where the protocol has them, else pieces of the body. */
export function partsOf(request: Request): readonly Ms[] {
  const messages = request.messages.filter(({ direction }) => direction === 'received');
  return (messages.length > 0 ? messages : request.chunks).map(({ at }) => at);
}

/**
 * The moment at which a stream's first part came, which may be content. A moment, not a stretch: a stream that is silent
 * at first must not keep the page waiting.
 */
export function firstPart(request: Request): { readonly counts?: Span } {
  const [at] = partsOf(request);
  return at === undefined ? {} : { counts: { from: at, to: at } };
}
