import type { BackgroundKind } from '../background/kinds.ts';
import type { Question } from '../completion/completion.ts';
import type { FixFact, StarvationFact } from '../fixes.ts';
import type { FailedRequest } from '../health.ts';
import type { ScriptPlace } from '../main-thread.ts';
import type { Bytes, Ms } from '../units.ts';

/** Something beside the network that happened in a load, with its figures. */
export type IncidentFact =
  | {
      readonly code: 'dialog';
      readonly facts: {
        readonly type: string;
        readonly accepted: boolean;
        readonly text: string;
        /** How often, where it was more than once; texts may differ in their figures. */
        readonly times?: number;
      };
    }
  | { readonly code: 'popup'; readonly facts: { readonly url: string; readonly times?: number } }
  | { readonly code: 'client-redirect'; readonly facts: { readonly after: Ms } }
  | { readonly code: 'soft-navigation'; readonly facts: { readonly url: string } }
  | { readonly code: 'hard-navigation'; readonly facts: Readonly<Record<string, never>> }
  /** When watching was over, its main thread gave no answer for so long. */
  | { readonly code: 'stopped-answering'; readonly facts: { readonly silent: Ms; readonly isBroken: true } }
  | {
      readonly code: 'cpu-not-in-workers';
      /** `cpu`: how many times slower the processor was to be. */
      readonly facts: { readonly worker: WorkerKind; readonly cpu: number };
    }
  | { readonly code: 'network-not-in-shared-workers'; readonly facts: { readonly network: string } };

/** A server that a page is developed with. */
export type DevelopmentServer = 'next' | 'vite' | 'webpack';

/** The kinds of workers that a page can have. */
export type WorkerKind = 'worker' | 'shared-worker' | 'service-worker';

/** Tools that write HARs, as far as it matters for how to record better. */
export type HarProducer = 'playwright' | 'puppeteer-har' | 'proxy' | 'other';

/** What shows that a HAR does not hold the load of its page: it was cut, filtered or begun too late. */
export interface MissingLoad {
  readonly missing: 'load';
  readonly noDocument?: true;
  /** When its first request began, where that is long after the page did, ms. */
  readonly firstRequestAt?: Ms;
  /** When the load event is said to have fired, where that is before the document was answered, ms. */
  readonly firedAt?: Ms;
}

/** Evidence that a HAR lacks: why its page is not confirmed, or something in it is counted. */
export type MissingEvidence =
  | MissingLoad
  | {
      /** Figures that can be: so many parts of the file say what cannot. */
      readonly missing: 'figures';
      readonly impossible: number;
    }
  | {
      /** What the load event waited for: nothing was in flight from `lastEndedAt` until it fired. */
      readonly missing: 'load-holder';
      readonly lastEndedAt: Ms;
      readonly firedAt: Ms;
    }
  | {
      /** The file ends inside the quiet window. */
      readonly missing: 'silence';
      /** How long it was silent by then, ms; absent where the file does not say how long was recorded. */
      readonly silence?: Ms;
      readonly quietWindow: Ms;
    }
  | {
      /** A page for another load in the same tab, which the file has under the first one: what came from `at` on is left out. */
      readonly missing: 'own-page';
      readonly url: string;
      readonly at: Ms;
      readonly entries: number;
    }
  | {
      /** The file ends before it was known whether something goes on. */
      readonly missing: 'answers';
      readonly endsAt: Ms;
      readonly questions: readonly Question[];
    }
  | {
      readonly missing: 'load-event';
      /** Absent in results that were stored before it was known. */
      readonly producer?: HarProducer;
      /** How many requests were taken for one load because the file has no pages; absent where it has. */
      readonly requests?: number;
    }
  | {
      /** How long servers took until they answered, and the load event. */
      readonly missing: 'waits';
      readonly requests: number;
    }
  | {
      /** When requests ended. */
      readonly missing: 'ends';
      readonly urls: readonly string[];
    }
  | {
      /** Whether what was asked again and again was open when the file was written. */
      readonly missing: 'open-requests';
      readonly tool: string;
      readonly endpoint: string;
      readonly requests: number;
      readonly lastEndedAt: Ms;
    }
  | {
      /** Whether the page is the same without what its answer depends on. */
      readonly missing: 'effect';
      readonly urls: readonly string[];
      /** When it would be complete without them, ms. */
      readonly withoutAt: Ms;
    }
  | {
      /** When the pieces of answers came that took longer than `longerThan` ms. */
      readonly missing: 'arrival-times';
      readonly urls: readonly string[];
      readonly longerThan: Ms;
    };

/** A figure of a network condition: what was asked for, and what the run got. */
export interface AskedAndGot {
  readonly asked: number;
  readonly got: number;
}

/** A metric of the user's own for which a page has no figure. */
export interface MissingMetric {
  readonly metric: string;
  /** Where it was to come from: 'measure:checkout-ready'. */
  readonly from: string;
  /** The names that the page has, by what it can be: 'mark', 'Server-Timing entry'. `more`: how many are left out of the list. */
  readonly has: readonly { readonly source: string; readonly names: readonly string[]; readonly more: number }[];
}

/** Something that a reader should know about a run, with the addresses it is about and its figures. */
export type FindingFact = NoteFact | FixFact | MainThreadFact | CoverageFact;

/** What is remarkable about a run; what to do about it is up to the reader. */
export type NoteFact = { readonly urls: readonly string[] } & (
  | IncidentFact
  | {
      readonly code: 'load-event-held';
      /** Absent when the load event never fired. */
      readonly facts: { readonly firedAt?: Ms };
    }
  | Omit<StarvationFact, 'urls'>
  | { readonly code: 'live-content'; readonly facts: { readonly endpoint: string; readonly kind: BackgroundKind } }
  | HealthFact
  | { readonly code: 'development-server'; readonly facts: { readonly server: DevelopmentServer } }
  | {
      readonly code: 'late-content';
      readonly facts: { readonly requests: number; readonly firstAt: Ms; readonly firstUrl: string };
    }
  | {
      readonly code: 'network-conditions-off';
      /** The conditions by name; of each figure that is off, what was asked for and what was got. `rtt` in ms, rates in kbit/s. */
      readonly facts: {
        readonly network: string;
        readonly rtt?: AskedAndGot;
        readonly download?: AskedAndGot;
        readonly upload?: AskedAndGot;
      };
    }
  | {
      readonly code: 'network-limit-exceeded';
      /** Rates in kbit/s, over `lasted` ms. One line would have needed `shortBy` ms longer for the same. */
      readonly facts: {
        readonly network: string;
        readonly download: AskedAndGot;
        readonly lasted: Ms;
        readonly shortBy: Ms;
      };
    }
  | { readonly code: 'metric-missing'; readonly facts: MissingMetric }
  | { readonly code: 'entries-left-out'; readonly facts: { readonly entries: number } }
  | { readonly code: 'evidence-missing'; readonly facts: MissingEvidence }
);

/** Something that went wrong in the page itself; `isBroken` says whether the page does not work because of it. */
export type HealthFact =
  /** Requests of the page's own site. `failed` are the first of them. */
  | {
      readonly code: 'broken-request';
      readonly facts: {
        readonly requests: number;
        /** Both absent in results of earlier versions. */
        readonly isBroken?: boolean;
        readonly failed?: readonly FailedRequest[];
      };
    }
  /** Requests to other sites: the page may well do without. */
  | {
      readonly code: 'third-party-failed';
      readonly facts: {
        readonly requests: number;
        readonly isBroken: false;
        readonly failed: readonly FailedRequest[];
      };
    }
  /** `errors`: how many there were in the same script with the same message. */
  | {
      readonly code: 'script-error';
      readonly facts: {
        readonly message: string;
        readonly errors: number;
        readonly url?: string;
        readonly line?: number;
        readonly isBroken: boolean;
      };
    }
  | {
      readonly code: 'blocked-by-policy';
      readonly facts: { readonly directive: string; readonly times: number; readonly isBroken: boolean };
    }
  /** An error message within a page. */
  | { readonly code: 'error-shown'; readonly facts: { readonly text: string; readonly isBroken: true } }
  /** A page that is nothing else. */
  | { readonly code: 'error-page'; readonly facts: { readonly text: string; readonly isBroken: true } }
  | { readonly code: 'blank-page'; readonly facts: { readonly isBroken: true } }
  /** The page led to another one that asks for a password. */
  | {
      readonly code: 'login-page';
      /** What was to be measured, and what was. */
      readonly facts: { readonly asked: string; readonly url: string; readonly isBroken: false };
    };

/** Work of the main thread that a trace showed, with the place in the code. */
export type MainThreadFact = { readonly urls: readonly string[] } & (
  | {
      readonly code: 'layout-thrashing';
      /** How many layouts scripts forced, and how long these took together. */
      readonly facts: { readonly layouts: number; readonly ms: Ms; readonly place?: ScriptPlace };
    }
  | {
      readonly code: 'long-style-recalculation';
      /** The longest one, and how many there were. */
      readonly facts: {
        readonly times: number;
        readonly ms: Ms;
        readonly elements?: number;
        readonly place?: ScriptPlace;
      };
    }
  | {
      readonly code: 'large-document-parse';
      /** The longest piece, and how many there were. */
      readonly facts: { readonly times: number; readonly ms: Ms; readonly lines?: number };
    }
);

/** Code that was loaded and not used. */
export interface CoverageFact {
  readonly code: 'unused-code';
  /** Files worth mending, the most unused first. */
  readonly urls: readonly string[];
  /** How much sooner page complete would be if it were not sent, ms; 0 where page complete does not wait for it. */
  readonly savesMs: Ms;
  readonly facts: {
    readonly files: number;
    /** Of these files, uncompressed. */
    readonly bytes: Bytes;
    readonly unused: Bytes;
    /** About what the unused share has on the wire; absent where that is not known of all of them. */
    readonly unusedTransfer?: Bytes;
  };
}

/** What the figures of a finding are. */
export type FindingFacts = FindingFact['facts'];
