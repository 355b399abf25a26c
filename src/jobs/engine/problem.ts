import type { Redactor } from '../../core/har/redact.ts';
import { type MessageCode, type MessageDetails, messageFor, QuiesceError } from '../../wording/messages/messages.ts';

/** Something that could not be measured or written, or that fails the job. */
export interface Problem {
  /** Which row of the message table it is; the exit code follows from it. */
  readonly code: MessageCode;
  /** One line for the user. */
  readonly message: string;
}

/** The problem with this code, in words. */
export function problem<C extends MessageCode>(code: C, ...details: MessageDetails<C>): Problem {
  return { code, message: messageFor(code, ...details) };
}

/** An expected failure as a problem; anything else is a bug and is thrown on. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof QuiesceError)) throw error;
  return { code: error.code, message: error.message };
}

/** Does the work; an expected failure of it joins the problems, and what was done before stands. */
export async function attempt(problems: Problem[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    problems.push(problemOf(error));
  }
}

/**
 * Problems as users see them: each line once, in order, without the secrets that were given. A disk that is full fails every
 * file, and the first of them says so.
 */
export function shownProblems(problems: readonly Problem[], { text }: Pick<Redactor, 'text'>): readonly Problem[] {
  const shown = new Map<string, Problem>();
  for (const { code, message } of problems) {
    const line = text(message);
    const key = code === 'write-failed' ? code : line;
    if (!shown.has(key)) shown.set(key, { code, message: line });
  }
  return [...shown.values()];
}
