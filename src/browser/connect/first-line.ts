import { NO_REASON } from '../../wording/result/failure.ts';

/** The first line of an error that is not empty, for messages of one line. */
export function firstLine(error: unknown): string {
  // A host name with several addresses fails with one error for each.
  if (error instanceof AggregateError && error.message === '') return firstLine(error.errors[0]);
  const lines = (error instanceof Error ? error.message : String(error)).split('\n').map((line) => line.trim());
  return lines.find((line) => line !== '') ?? NO_REASON;
}
