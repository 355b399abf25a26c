import type { Build } from '../compare/build.ts';

/** Why a run could not be measured. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  /** The HTTP status of an answer that was no page. */
  readonly status?: number;
}

/** Why a load could not be measured, as the browser or the answer tells it. */
export interface LoadFault {
  readonly code:
    | 'host-not-found'
    | 'connection-refused'
    | 'connection-failed'
    | 'tls-invalid'
    | 'redirect-loop'
    | 'truncated'
    | 'navigation-failed'
    | 'http-error'
    | 'not-a-page';
  readonly url: string;
  readonly status?: number;
  /** How often the page replaced itself. */
  readonly replaced?: number;
  /** The browser stores it instead of showing it. */
  readonly isDownload?: true;
  /** What the browser says: a network error, a type of content. */
  readonly detail?: string;
}

/** Why a block of a comparison, or one of its loads, does not count. */
export type DropReason =
  /** One of its loads, counted from 1. */
  | {
      readonly code: 'load-failed';
      readonly load: number;
      readonly build: Build;
      readonly attempts: number;
      readonly failure: Failure;
    }
  /** Of a step: a load of this build did not do it. */
  | { readonly code: 'step-missing'; readonly build: Build }
  /** The comparison was ended in it. */
  | { readonly code: 'interrupted' }
  /** What a comparison says that was interrupted in an earlier version: its text alone. */
  | { readonly code: 'recorded'; readonly text: string };
