import type { Ms } from '../units.ts';
import type { Header } from './network.ts';

/** One request of a mix. */
export interface LoadTarget {
  readonly url: string;
  /** How often it is asked for, against the others. */
  readonly weight: number;
  readonly headers: readonly Header[];
}

/** What is sent. */
export interface LoadRequests {
  readonly targets: readonly LoadTarget[];
  readonly method: string;
  readonly body?: string;
  /** How long a request may take. */
  readonly timeout: Ms;
}

/** A load that goes on until it is ended. */
export interface LoadPlan extends LoadRequests {
  readonly connections: number;
  /** Requests per second of all connections, at equal distances; as fast as the answers come when absent. */
  readonly rate?: number;
  /** What each connection waits between an answer and its next request. */
  readonly thinkTime?: Ms;
  /** Requests that may be sent at most. */
  readonly most: number;
}

/** What a driver tells several times a second. */
export interface LoadTick {
  /** Which of several processes. */
  readonly worker: number;
  /** End of what it tells of, since the load began. */
  readonly at: Ms;
  /** Answers without an error, and the sum of their times. */
  readonly good: number;
  readonly goodTime: Ms;
  /** All answers. */
  readonly answered: number;
  readonly answeredTime: Ms;
  /** Times of good answers: bucket and count. */
  readonly counts: readonly (readonly [bucket: number, count: number])[];
  /** Good answers, spread over the slices in which they were worked on: slice and amount. */
  readonly spread: readonly (readonly [slice: number, amount: number])[];
  readonly errors: Readonly<Record<string, number>>;
  readonly sockets: number;
  /** CPU time of this process so far, and time in which it wanted a processor and had none. */
  readonly cpu: Ms;
  readonly waiting?: Ms;
  /** 99th percentile of how late timers were since the last tick. */
  readonly delay?: Ms;
}

/** Why an engine made no load. */
export type EngineFault =
  | { readonly code: 'no-summary' }
  /** What it or Node said, or which signal ended it; null where only the exit code is known. */
  | { readonly code: 'failed' | 'ended'; readonly said: string | null; readonly exit?: number | null };
