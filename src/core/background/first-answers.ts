import type { Message } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { shapeOf } from '../message-shape.ts';

/** What a page asked over a socket, and how it was answered. */
export interface Asked {
  /** The first answers, each with its question: they carry the id that the question carried. */
  readonly answers: ReadonlyMap<Message, Message>;
  /** Questions that nothing has answered yet. */
  readonly open: readonly Message[];
}

/**
 * Joins the messages of one socket with what they answer. However late a first answer comes, the page asked for it.
 *
 * @param messages in the order in which they went over the socket
 */
export function askedIn(messages: readonly Message[]): Asked {
  const open = new Map<string, Message>();
  const answers = new Map<Message, Message>();
  for (const message of messages) {
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
 * Does the page still wait for an answer like those that it was given? One that takes longer is not known to come.
 *
 * @param content messages that brought content
 */
export function awaitsMore({ answers, open }: Asked, content: readonly Message[], now: Ms, patience: Ms): boolean {
  const waiting = open.filter(({ at }) => now < at + patience);
  if (waiting.length === 0) return false;
  const questions = content.flatMap((message) => answers.get(message) ?? []);
  const shapes = new Set(questions.map((question) => shapeOf(question).shape));
  return waiting.some((question) => shapes.has(shapeOf(question).shape));
}
