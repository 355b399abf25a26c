import { defined } from '../core/defined.ts';
import type { LoadFault } from '../model/failure.ts';
import type { Failure } from '../model/result.ts';
import { type Details, type MessageCode, messageFor } from './messages.ts';

/** A failure with its line out of the table. */
export function failure(code: MessageCode, details: Details): Failure {
  const { status } = details;
  return defined({ code, message: messageFor(code, details), status });
}

/** What is wrong with a load, with its line. */
export function loadFailure({ code, ...fault }: LoadFault): Failure {
  return failure(code, { detail: unnamed(fault), ...fault });
}

/** What is said where the browser names nothing. */
const unnamed = ({ status }: Pick<LoadFault, 'status'>): string =>
  status === undefined ? 'unknown error' : `an empty answer (HTTP ${status})`;
