import type { Build } from '../compare/comparison.ts';
import type { WaitingFor } from '../completion/completion.ts';
import type { Ms, Unit } from '../units.ts';
import type { Note, RetryReason } from './note.ts';
import type { RunResult, RunRole } from './result.ts';

/** Which of the pages of an audit or a comparison a run belongs to; absent when there is one page only. */
export interface PagePlace {
  /** What the user calls it, else as it was named. */
  readonly name: string;
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** Which run of which page an event is about. */
interface RunPlace {
  readonly target: string;
  readonly page?: PagePlace;
  /** In a comparison of several pages. */
  readonly build?: Build;
  readonly index: number;
  readonly of: number;
}

/** What a job reports while it works; the command line draws it, the library hands it on. */
export type Progress =
  | { readonly kind: 'browser-started'; readonly product: string; readonly sandbox?: boolean; readonly path?: string }
  | { readonly kind: 'serving'; readonly target: string; readonly url: string }
  /** What two servers need is being started, and has been after so many milliseconds. */
  | { readonly kind: 'setup-starting'; readonly command: string }
  | { readonly kind: 'setup-finished'; readonly command: string; readonly after: Ms }
  /** `build`: whose server it is, where there are two. */
  | {
      readonly kind: 'server-starting';
      readonly build?: Build;
      readonly command: string;
      readonly url: string;
    }
  /** It answers, after so many milliseconds. */
  | {
      readonly kind: 'server-started';
      readonly build?: Build;
      readonly command: string;
      readonly url: string;
      readonly after: Ms;
    }
  /** The last lines of the server under test, or of what it needs, when it has failed. */
  | {
      readonly kind: 'server-output';
      readonly build?: Build;
      readonly command: string;
      readonly lines: readonly string[];
    }
  /** One of two states of a repository is checked out, where it is not there already, and built, where a command is given. */
  | { readonly kind: 'build-starting'; readonly build: Build; readonly name: string; readonly command?: string }
  /** What it says: as it comes, or, when it has failed, its last lines. */
  | {
      readonly kind: 'build-output';
      readonly build: Build;
      readonly name: string;
      readonly lines: readonly string[];
      readonly failed: boolean;
    }
  /** It can be served, after so many milliseconds; at once where it was built before. */
  | { readonly kind: 'build-finished'; readonly build: Build; readonly name: string; readonly after?: Ms }
  /** What a job tells between its loads, and the same as a line. */
  | { readonly kind: 'note'; readonly note: Note; readonly message: string }
  /**
   * So many loads are ahead, the next one included; again whenever that becomes clearer. At most so many, of a comparison.
   * `within`: how long that takes at most, by the settings, tries included; absent where a comparison
   * is over but for a few loads that explain it.
   */
  | { readonly kind: 'loads-ahead'; readonly loads: number; readonly atMost: boolean; readonly within?: Ms }
  | ({ readonly kind: 'run-started'; readonly role: RunRole } & RunPlace)
  | ({
      readonly kind: 'run-progress';
      readonly role: RunRole;
      /** Since navigation start. */
      readonly elapsed: Ms;
      readonly requests: number;
      readonly waitingFor: readonly WaitingFor[];
    } & RunPlace)
  | ({
      readonly kind: 'run-retried';
      readonly role: RunRole;
      readonly reason: RetryReason;
      /** The same as a clause. */
      readonly because: string;
      /** It failed; otherwise it was measured on a busy machine. */
      readonly failed?: true;
    } & RunPlace)
  | ({ readonly kind: 'run-finished'; readonly run: RunResult } & RunPlace)
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
  /** The runs of a page are made to agree, once all are loaded; only where there are several pages. */
  | { readonly kind: 'settling'; readonly index: number; readonly of: number }
  /** A page's own file is written; only where they are too many for one. */
  | { readonly kind: 'drawing'; readonly index: number; readonly of: number }
  /** A level of a load is being measured. */
  | {
      readonly kind: 'level-progress';
      readonly server?: 'base' | 'candidate';
      readonly concurrency: number;
      readonly rate?: number;
      readonly pass: 1 | 2;
      readonly index: number;
      readonly of?: number;
      readonly elapsed: Ms;
      readonly throughput: number;
    }
  | { readonly kind: 'reading'; readonly file: string; readonly index: number; readonly of: number }
  | ComparisonLook
  | { readonly kind: 'written'; readonly files: readonly string[] };

/** A comparison's gate metrics after a block: the intervals narrow as pairs come in. Nothing is decided between looks. */
export interface ComparisonLook {
  readonly kind: 'comparison-progress';
  readonly page?: PagePlace;
  readonly pairs: number;
  readonly maxPairs: number;
  /** Pairs at which the next look is taken; absent after the last. */
  readonly nextLook?: number;
  /** How many more pairs it is likely to take, as far as can be told by now. */
  readonly expectedPairs?: number;
  readonly gates: readonly {
    readonly metric: string;
    readonly title: string;
    readonly scale: 'ratio' | 'shift';
    readonly unit: Unit;
    readonly estimate?: number;
    readonly low?: number;
    readonly high?: number;
    /** Set at a look. */
    readonly decision?: 'slower' | 'faster' | 'same' | 'unsure';
  }[];
}
