import type { WaitingFor } from '../completion/completion.ts';
import type { LateContent } from '../completion/late-content.ts';
import type { Build } from './build.ts';

/** So many of so many loads. */
export interface LoadShare {
  readonly n: number;
  readonly of: number;
}

/** Why loads failed: the code of a failure, of `http-error` with the status. */
export interface FailureKind {
  readonly code: string;
  readonly status?: number;
}

/** One way in which the two pages are not the same page, with its figures. */
export type PageDifferenceFact =
  /** All loads of a build failed. */
  | {
      readonly code: 'status';
      readonly facts: { readonly build: Build; readonly loads: number; readonly failures: readonly FailureKind[] };
    }
  /** Many loads of a build failed, and few or none of the other. */
  | {
      readonly code: 'failures';
      readonly facts: {
        readonly build: Build;
        readonly here: LoadShare;
        readonly there: LoadShare;
        readonly failures: readonly FailureKind[];
      };
    }
  /** Where they ended: inside the site that was asked for without its origin. */
  | { readonly code: 'final-url'; readonly facts: Readonly<Record<Build, string>> }
  | { readonly code: 'title'; readonly facts: Readonly<Record<Build, string>> }
  | { readonly code: 'blank'; readonly facts: { readonly build: Build; readonly loads: number } }
  | {
      readonly code: 'never-complete';
      readonly facts: {
        readonly build: Build;
        readonly here: LoadShare;
        readonly there: LoadShare;
        readonly url: string;
        readonly waitingFor: readonly WaitingFor[];
      };
    }
  /** Content of one build that comes after page complete, and is not in the times. */
  | {
      readonly code: 'late-content';
      readonly facts: Pick<LateContent, 'after' | 'share' | 'urls'> & { readonly build: Build; readonly url: string };
    }
  /** Endpoints of background traffic that only one build has: how many, and which; the latter absent in results of earlier versions. */
  | {
      readonly code: 'background';
      readonly facts: Readonly<Record<Build, number>> & {
        readonly endpoints?: readonly { readonly build: Build; readonly kind: string; readonly endpoint: string }[];
      };
    };
