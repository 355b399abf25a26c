import type { Request } from '../../../model/network/timeline.ts';

/** What a page showed by the time at which it was compared with itself without some requests. */
export interface ShownMeanwhile {
  /** A part of the picture moved by itself. */
  readonly moves: boolean;
  /** The document said that it was busy; undefined where it could not be asked. */
  readonly saysBusy: boolean | undefined;
}

/**
 * May what is asked again and again be a job that is still to be done? A page is the same without it until then, so that
 * proves nothing. Who waits for a job is told so: by a spinner or a shimmer, by a bar of progress, by `aria-busy`; or the
 * server says that the work is accepted and not done, or when to ask again.
 *
 * @param asked the requests of one endpoint
 */
export function mayBeJob(asked: readonly Request[], { moves, saysBusy }: ShownMeanwhile): boolean {
  const isToBeRepeated = ({ response }: Request): boolean =>
    response?.headers.some(({ name }) => /^retry-after$/i.test(name)) === true;
  return moves || saysBusy !== false || asked.some((each) => saysUndone(each) || isToBeRepeated(each));
}

/**
 * May it be an answer that is still being written? Who posts a question and reads the response as it comes may get to the
 * point after a long time in which nothing shows: an assistant thinks, and asks its tools.
 */
export function mayBeAnswer(asked: readonly Request[]): boolean {
  return asked.some(
    ({ method, type, endedAt }) => method === 'POST' && type !== 'eventsource' && endedAt === undefined,
  );
}

/** Did the server say that the work is accepted and not done? Source: RFC 9110, 15.3.3. */
export function saysUndone({ response }: Request): boolean {
  return response?.status === 202;
}
