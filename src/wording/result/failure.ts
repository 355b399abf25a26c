import type { LoadFault } from '../../model/result/failure.ts';
import type { Failure } from '../../model/result/result.ts';
import { type MessageCode, type MessageDetails, messageFor } from '../messages/messages.ts';

/** What is said without a known reason. */
export const NO_REASON = 'no reason given';

/** A failure with its line out of the table. */
export function failure<C extends MessageCode>(code: C, ...details: MessageDetails<C>): Failure {
  const status = details[0]?.status;
  return { code, message: messageFor(code, ...details), status };
}

/** What is wrong with a load, with its line. */
export function loadFailure({ code, ...fault }: LoadFault): Failure {
  return failure(code, { detail: unnamed(fault), ...fault });
}

/** What is said where the browser names nothing. */
function unnamed({ status, replaced, isDownload }: Omit<LoadFault, 'code'>): string {
  if (isDownload) return 'a download';
  if (replaced !== undefined) return `the page replaced itself ${replaced} times`;
  return status === undefined ? 'unknown error' : `an empty answer (HTTP ${status})`;
}
