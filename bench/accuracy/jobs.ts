import type { Certainty } from '../../src/model/result/result.ts';
import type { Other, Said } from './others.ts';
import type { Score } from './score.ts';

/** What to measure. */
export interface Job {
  readonly scenario: string;
  readonly repetition: number;
  readonly origin: string;
  readonly evidence: boolean;
  readonly others: boolean;
  /** Timed runs of the audit. */
  readonly runs: number;
  /** No timed run ends early. */
  readonly fullWindow: boolean;
  /** The folder for the results of all audits, each in one of its own; without it they are removed. */
  readonly keep?: string;
}

/** Quiet windows of network idle, ms. */
export const RAW_WINDOWS = [500, 2_000, 3_000] as const;

/** What network idle or another tool said of a load: an error against its truth, ms, or why there is none. */
export type Guess = number | 'never' | 'unconfirmed' | 'timeout' | 'failed' | 'no truth';

/** One timed load. */
export interface Measured {
  readonly scenario: string;
  /** Of all timed loads of the scenario, from 0 on. */
  readonly repetition: number;
  readonly score: Score;
  /** How sure the answer was. */
  readonly doubt?: Certainty;
  /** By window; of the first load of an audit alone. */
  readonly raw: Readonly<Record<string, Guess>>;
  readonly others: Partial<Record<Other, { readonly said: Said; readonly guess: Guess }>>;
  /** What went wrong, in words. */
  readonly problems: readonly string[];
}

/** What one job found. */
export interface Done {
  readonly loads: readonly Measured[];
  /** Wall time of everything, and of the audit alone, ms. */
  readonly took: number;
  readonly auditTook: number;
}
