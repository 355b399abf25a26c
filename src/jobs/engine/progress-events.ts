import type { Note, RetryReason } from '../../model/result/note.ts';
import type { Progress } from '../../model/result/progress.ts';
import { retryReasonInWords } from '../../wording/result/loads.ts';
import { noteInWords } from '../../wording/result/notes.ts';

type RunRetried = Extract<Progress, { kind: 'run-retried' }>;

/** A note as progress, with its line. */
export function noted(note: Note): Extract<Progress, { kind: 'note' }> {
  return { kind: 'note', note, message: noteInWords(note) };
}

/** A load that is made again as progress, with its clause. */
export function runRetried(
  place: Pick<RunRetried, 'target' | 'index' | 'of' | 'role'>,
  reason: RetryReason,
): RunRetried {
  const failed = reason.code !== 'ending-doubted' && reason.code !== 'host-unfit';
  return { kind: 'run-retried', ...place, reason, because: retryReasonInWords(reason), ...(failed && { failed }) };
}
