/** Schemas that several options share. Their messages read on after an option's name. */

import { z } from 'zod';
import type { MessageCode } from '../wording/messages/messages.ts';
import { nearest } from './suggest.ts';

/** Longer waits are a mistake in the unit; timers also overflow at 2^31 ms. */
const LONGEST_WAIT = 24 * 60 * 60 * 1000;

/** What was read of a text, or why it cannot be: a clause, and the code of the message where it has one of its own. */
export type Parsed<T> = { readonly value: T } | Problem;
interface Problem {
  readonly problem: string;
  /** `detail`: what is wrong, where that is only a part of what was given. */
  readonly message?: { readonly code: MessageCode; readonly detail?: string; readonly suggestion: string };
}

/** A value that is read by a function, once it has the right shape. */
export const parsed = <I extends z.ZodType, T>(shape: I, parse: (given: z.output<I>) => Parsed<T>) =>
  shape.transform((given, context): T => {
    const result = parse(given);
    if ('value' in result) return result.value;
    const { problem, message } = result;
    context.addIssue({
      code: 'custom',
      message: problem,
      ...(message && { params: { detail: String(given), ...message } }),
    });
    return z.NEVER;
  });

/** A whole number within bounds. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER) => {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number, ${min} or more`
      : `must be a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

/** Milliseconds, or a text with a unit: 2500, '2.5s', '2500ms', '2m'. */
export const duration = () => {
  const error = 'must be a time above 0 and at most 24 h, such as 500ms, 5s or 2m';
  const milliseconds = z.number(error).gt(0, error).max(LONGEST_WAIT, error);
  const written = z.string(error).regex(DURATION, error).transform(parseDuration).pipe(milliseconds);
  return z.union([milliseconds, written], error);
};

const DURATION = /^\s*\+?\d+(\.\d+)?\s*(ms|s|m|min)?\s*$/;

/** Of what a time can be written in, ms. */
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000 };

/** Milliseconds of '5000', '5000ms', '5s' or '2m'; NaN for anything else. */
export function parseDuration(written: string): number {
  const [all, figure, unit = 'ms'] = /^([-+]?\d+(?:\.\d+)?)\s*([a-z]+)?$/.exec(written.trim()) ?? [];
  return all === undefined ? Number.NaN : Number(figure) * (UNITS[unit] ?? Number.NaN);
}

/** A text that is not empty. */
export const text = (error: string) => z.string(error).regex(/\S/, error);

/** The same where callers are told by the type checker what it may be; whatever is given is read by the same rules. */
export const textOf = <T extends string>(error: string) => text(error) as unknown as z.ZodType<T, T>;

/** A switch. */
export const onOff = () => z.boolean('must be true or false');
export const SWITCHED_OFF = { kind: 'switch', schema: onOff(), default: false } as const;
export const SWITCHED_ON = { kind: 'switch', schema: onOff(), default: true } as const;

/** URL patterns. */
export const urlPatterns = () =>
  z.array(text('must be a URL or a part of one, with * for anything'), 'must be a list of URL patterns');

/** An address of these schemes. */
export const address = (pattern: RegExp, error: string) =>
  z
    .string(error)
    .regex(pattern, error)
    .refine((value) => URL.canParse(value), error);

/** A list of names out of a list; each is kept once. */
export const namesOutOf = <const N extends string>(known: readonly N[]) => {
  const error = `must be a list of ${known.join(', ')}`;
  const name = z.enum(known, {
    error: ({ input }) => {
      const near = nearest(String(input), known);
      return near === undefined ? error : `${error} (did you mean ${near}?)`;
    },
  });
  return z.array(name, 'must be a list').transform((list): readonly N[] => [...new Set(list)]);
};
