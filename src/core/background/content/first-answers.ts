import type { Span } from '../../../model/background/verdict.ts';
import type { Message, Request } from '../../../model/network/timeline.ts';
import type { Ms } from '../../../model/units.ts';
import { GOES_ON_WITHIN_MS, PATIENCE } from '../../time/lags.ts';
import { shapeOf } from './message-shape.ts';
import { partsOf } from './source.ts';

/**
 * The first answers over a socket to what the page asked over it, each with its question: they carry the id that the question
 * carried. What carries it later is an update.
 *
 * @param messages in the order in which they went over the socket
 */
export function firstAnswers(messages: readonly Message[]): ReadonlyMap<Message, Message> {
  const open = new Map<string, Message>();
  const answers = new Map<Message, Message>();
  for (const message of messages.toSorted((a, b) => a.at - b.at)) {
    for (const id of shapeOf(message).joins) {
      const question = open.get(id);
      if (message.direction === 'sent') open.set(id, message);
      else if (question) {
        open.delete(id);
        answers.set(message, question);
      }
    }
  }
  return answers;
}

/**
 * What may be content of a stream of which nothing else is known: its first part, and over a socket the first answers to what
 * the page asked at once. The first part is a moment, not a stretch: a stream that is silent at first must not keep the page
 * waiting.
 */
export function firstParts(request: Request): { readonly counts?: Span } {
  const [from] = partsOf(request);
  if (from === undefined) return {};
  let to = from;
  // Files of other tools date the answer of a socket's handshake at its end.
  const openedAt = Math.min(request.response?.at ?? request.startedAt, request.messages[0]?.at ?? from);
  const moments = [openedAt, from];
  const isAtOnce = (asked: Ms): boolean => moments.some((at) => asked >= at && asked - at <= GOES_ON_WITHIN_MS);
  for (const [answer, question] of firstAnswers(request.messages)) {
    // What a subscription brings later is news that came by chance.
    if (!isAtOnce(question.at) || answer.at - question.at > PATIENCE.ms) continue;
    moments.push(answer.at);
    to = Math.max(to, answer.at);
  }
  return { counts: { from, to } };
}
