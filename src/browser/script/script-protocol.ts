import type { ScriptContext, ScriptPage } from '../../model/recording/script.ts';

/** The file number, in the process of a script, of a pipe that ends with the program. Nothing is written to it. */
export const LIFELINE = 4;

/** An error on its way between processes. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
}

/** The page without its connection, whose messages have a way of their own. */
export type PlainPage = Omit<ScriptPage, 'wire'>;

/** What this program sends to the process of a script. */
export type ToScript =
  | { readonly kind: 'import'; readonly file: string }
  | {
      readonly kind: 'run';
      readonly part: 'before' | 'measure';
      readonly page: PlainPage;
      readonly context: ScriptContext;
    }
  /** A message of the browser; without text the connection is over. */
  | { readonly kind: 'browser'; readonly text?: string }
  /** Do what a step is about, and a step is over. */
  | { readonly kind: 'act'; readonly step: number }
  | { readonly kind: 'stepped'; readonly step: number; readonly error?: PlainError };

/** What the process of a script sends. */
export type FromScript =
  /** It has started: from now on the script's own code takes the time. */
  | { readonly kind: 'started' }
  | { readonly kind: 'imported'; readonly parts: readonly ('before' | 'measure')[] }
  | { readonly kind: 'refused'; readonly problem: string }
  /** A message for the browser; without text the connection is to be closed. */
  | { readonly kind: 'browser'; readonly text?: string }
  | { readonly kind: 'attach' }
  /** It read this of its environment. */
  | { readonly kind: 'read'; readonly name: string }
  | {
      readonly kind: 'step';
      readonly step: number;
      readonly name: unknown;
      readonly isFunction: boolean;
      readonly call: PlainError;
    }
  | { readonly kind: 'acted'; readonly step: number; readonly error?: PlainError }
  | { readonly kind: 'done'; readonly error?: PlainError }
  /** Nothing caught this: the process ends. */
  | { readonly kind: 'crashed'; readonly error: PlainError };

export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, ...(stack !== undefined && { stack }) };
}

export function errorOf({ name, message, stack }: PlainError): Error {
  return Object.assign(new Error(message), { name, stack: stack ?? '' });
}
