import type { Other, Said } from './accuracy-others.ts';
import type { Score } from './accuracy-score.ts';

/** What to measure. */
export interface Job {
  readonly scenario: string;
  readonly repetition: number;
  readonly origin: string;
  readonly evidence: boolean;
  readonly others: boolean;
}

/** Quiet windows of network idle, ms. */
export const RAW_WINDOWS = [500, 2_000, 3_000] as const;

/** What network idle or another tool said of a load: an error against its truth, ms, or why there is none. */
export type Guess = number | 'never' | 'unconfirmed' | 'timeout' | 'failed' | 'no truth';

/** One repetition of one scenario. */
export interface Measured {
  readonly scenario: string;
  readonly repetition: number;
  readonly score: Score;
  /** By window. */
  readonly raw: Readonly<Record<string, Guess>>;
  readonly others: Partial<Record<Other, { readonly said: Said; readonly guess: Guess }>>;
  /** Wall time of everything, and of the audit alone, ms. */
  readonly took: number;
  readonly auditTook: number;
  /** What went wrong, in words. */
  readonly problems: readonly string[];
}
