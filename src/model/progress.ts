import type { RunResult, RunRole } from './result.ts';
import type { Ms } from './units.ts';

/** What a job tells while it works; the command line draws it, the library hands it on. */
export type Progress =
  | { readonly kind: 'browser-started'; readonly product: string; readonly sandbox: boolean; readonly path?: string }
  | { readonly kind: 'serving'; readonly target: string; readonly url: string }
  | {
      readonly kind: 'run-started';
      readonly target: string;
      readonly index: number;
      readonly of: number;
      readonly role: RunRole;
    }
  | {
      readonly kind: 'run-progress';
      readonly target: string;
      readonly index: number;
      readonly of: number;
      readonly role: RunRole;
      /** Since navigation start. */
      readonly elapsed: Ms;
      readonly requests: number;
      readonly waitingFor: readonly string[];
    }
  | {
      readonly kind: 'run-retried';
      readonly target: string;
      readonly index: number;
      readonly of: number;
      readonly role: RunRole;
      readonly because: string;
    }
  | {
      readonly kind: 'run-finished';
      readonly target: string;
      readonly index: number;
      readonly of: number;
      readonly run: RunResult;
    }
  | { readonly kind: 'file-started'; readonly file: string; readonly index: number; readonly of: number }
  | {
      readonly kind: 'file-finished';
      readonly file: string;
      readonly index: number;
      readonly of: number;
      /** Page loads that it held; none when it could not be analysed. */
      readonly pages: number;
      readonly requests: number;
    }
  | { readonly kind: 'written'; readonly files: readonly string[] };
