import type { EndingDoubt } from '../../model/completion/completion.ts';
import type { RetryReason } from '../../model/result/note.ts';
import type { RunRole } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { hostReasonsInWords } from '../host/reasons.ts';

/** Which load of a job is under way. */
export interface LoadPlace {
  /** From 1. */
  readonly index: number;
  readonly of: number;
  /** A comparison ends as soon as it is decided. */
  readonly atMost: boolean;
  readonly role: RunRole;
  /** How much longer the job takes, about; absent before it can be known. */
  readonly left?: Ms;
  /** How much longer it takes at most, by its settings, as long as that is all that is known. */
  readonly atMostLeft?: Ms;
}

/** Why an untimed load is made, and why it takes longer than others. */
const UNTIMED: Readonly<Partial<Record<RunRole, string>>> = {
  evidence: 'filming the page, which takes longest',
  ablation: 'blocking background traffic',
  discarded: 'warming up',
};

/** Why a load is made again, as a clause. */
export function retryReasonInWords(reason: RetryReason): string {
  switch (reason.code) {
    case 'browser-died':
      return 'the browser crashed';
    case 'browser-lost':
      return 'the connection to the browser broke';
    case 'load-failed':
      return reason.failure.message;
    case 'ending-doubted':
      return endingDoubtInWords(reason.doubt);
    case 'host-unfit':
      return hostReasonsInWords(reason.reasons);
  }
}

/** Why a run that ended early is loaded again, as a clause. */
export function endingDoubtInWords(doubt: EndingDoubt): string {
  return doubt === 'ending-missed'
    ? 'it had ended early, and another run showed content that arrives later'
    : 'it had ended early, without the content that other runs needed';
}

/** "load 3 of 7, about 25 s left", "load 1 of 7, filming the page …". */
export function loadInWords({ index, of, atMost, role, left, atMostLeft }: LoadPlace): string {
  const why = UNTIMED[role];
  const time = left === undefined ? undefined : `${atMost ? 'at most ' : ''}about ${durationInWords(left)} left`;
  const limit = atMostLeft === undefined ? undefined : `at most ${durationInWords(atMostLeft)} left`;
  return [`load ${index} of ${atMost ? 'at most ' : ''}${of}`, why, time, limit]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** Rounded as an estimate is: "5 s", "25 s", "3 min". */
function durationInWords(ms: Ms): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
}
