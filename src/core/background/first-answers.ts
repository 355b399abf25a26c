import type { Message, Request, Timeline } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import type { Span } from '../../model/verdict.ts';
import { GOES_ON_WITHIN_MS } from '../lags.ts';
import { joinsOf, shapeOf } from '../message-shape.ts';
import { isStream } from './series.ts';
import { partsOf } from './stream-parts.ts';

/** A first answer over a socket seldom takes longer, ms; what a subscription brings later is news that came by chance. */
export const ANSWER_MS = 10_000;

/** What a page asked over a socket, and how it was answered. */
export interface Asked {
  /** The first answers, each with its question: they carry the id that the question carried. */
  readonly answers: ReadonlyMap<Message, Message>;
  /** Questions that nothing has answered yet. */
  readonly open: readonly Message[];
}

const known = new WeakMap<Timeline, readonly Message[]>();

/**
 * What the page asked by requests whose answers are empty: they only say that it was heard, and the answer proper comes over a
 * stream. Sources: GraphQL over server-sent events (single connection mode), MCP.
 */
export function questionsIn(timeline: Timeline): readonly Message[] {
  const before = known.get(timeline);
  if (before) return before;
  const questions = timeline.requests.filter(isHeardOnly).map(({ startedAt, postBody }): Message => {
    const { size = 0, text = '', joins = joinsOf(text) } = postBody ?? {};
    return { at: startedAt, bytes: size, direction: 'sent', text, joins };
  });
  const joinable = questions.filter(({ joins = [] }) => joins.length > 0);
  known.set(timeline, joinable);
  return joinable;
}

function isHeardOnly(request: Request): boolean {
  const { method, response, endedAt, contentSize, postBody, fromPreviousDocument } = request;
  if (method !== 'POST' || postBody === undefined || fromPreviousDocument || isStream(request)) return false;
  return endedAt !== undefined && contentSize === 0 && (response?.status ?? 0) >= 200 && (response?.status ?? 0) < 300;
}

/**
 * Joins the messages of one socket with what they answer. However late a first answer comes, the page asked for it.
 *
 * @param messages in the order in which they went over the socket
 * @param questions asked by requests of their own, for what cannot be asked over
 */
export function askedIn(
  { type, messages }: Pick<Request, 'type' | 'messages'>,
  questions: readonly Message[] = [],
): Asked {
  const apart = type === 'websocket' || type === 'webtransport' ? [] : questions;
  const open = new Map<string, Message>();
  const answers = new Map<Message, Message>();
  for (const message of [...apart, ...messages].toSorted((a, b) => a.at - b.at)) {
    for (const id of shapeOf(message).joins) {
      const question = open.get(id);
      if (message.direction === 'sent') open.set(id, message);
      else if (question) {
        // A question has one first answer: what carries its id later is an update.
        open.delete(id);
        answers.set(message, question);
      }
    }
  }
  return { answers, open: [...new Set(open.values())] };
}

/**
 * Does the page still wait for the answer to a question of such a shape? One that takes longer is not known to come.
 *
 * @param shapes of questions whose answers brought content where it was learnt
 */
export function isAwaited({ open }: Asked, shapes: readonly string[], now: Ms, patience: Ms): boolean {
  return open.some((question) => now < question.at + patience && shapes.includes(shapeOf(question).shape));
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
  for (const [answer, question] of askedIn(request).answers) {
    if (!isAtOnce(question.at) || answer.at - question.at > ANSWER_MS) continue;
    moments.push(answer.at);
    to = Math.max(to, answer.at);
  }
  return { counts: { from, to } };
}
