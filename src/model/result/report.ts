import type { VerdictReason } from '../background/reason.ts';
import type { BackgroundKind } from '../background/verdict.ts';
import type { ComparePagesResult, CompareResult } from '../compare/comparison.ts';
import type { TaskName } from '../main-thread.ts';
import type { CacheKind, Header, ResourceType } from '../network/network.ts';
import type { Bytes, Ms, Unit } from '../units.ts';
import type { AuditResult, RunResult, TargetResult } from './result.ts';

/** A step of a request, as DevTools colours them. `open` is the part after the last sign of life of an unended one. */
export type PhaseName = 'queue' | 'stall' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive';

/** One coloured piece of a bar. */
export interface Phase {
  readonly name: PhaseName;
  readonly from: Ms;
  readonly to: Ms;
}

/** One row of the waterfall: one hop. */
export interface WaterfallRow {
  readonly id: string;
  readonly url: string;
  readonly method: string;
  readonly type: ResourceType;
  readonly status?: number;
  readonly startedAt: Ms;
  /** The end, or for an open request the end of observation. */
  readonly endsAt: Ms;
  readonly open: boolean;
  readonly failed: boolean;
  /** How it ended, in words, when that is not simply "finished". */
  readonly outcome?: string;
  readonly phases: readonly Phase[];
  /** Arrival times of body pieces and messages. */
  readonly chunks: readonly Ms[];
  readonly transferSize?: Bytes;
  readonly contentSize: Bytes;
  readonly mimeType?: string;
  readonly protocol?: string;
  readonly fromCache?: string;
  readonly priority?: string;
  /** True when it held up what came after it in the document. */
  readonly renderBlocking?: boolean;
  /** True when it brought the picture of the largest contentful paint. */
  readonly largestPaint?: boolean;
  /** What the server said of the answer: only headers that hold no secrets. */
  readonly headers?: readonly Header[];
  readonly initiator?: string;
  /** The id of the row whose answer asked for this one, or led here. */
  readonly initiatorRow?: string;
  /** Set when the row is flagged as background. */
  readonly background?: {
    readonly kind: BackgroundKind;
    readonly because: string;
    readonly reason?: VerdictReason;
    readonly confidence: string;
    /** Until then it counts all the same: it brought content first. Absent: nothing of it counts. */
    readonly countsUntil?: Ms;
  };
}

/** A vertical line in the waterfall. */
export interface Milestone {
  readonly name: string;
  /** A short label: 'FCP', 'LCP', 'DCL', 'load', 'page complete'. */
  readonly label: string;
  readonly at: Ms;
}

/** Everything a waterfall draws. */
export interface Waterfall {
  readonly run: number;
  readonly rows: readonly WaterfallRow[];
  readonly milestones: readonly Milestone[];
  /** The silence that proved completion. */
  readonly quietWindow?: { readonly from: Ms; readonly to: Ms };
  /** What network idle says of the same load. */
  readonly raw?: { readonly state: 'complete' | 'unconfirmed' | 'never'; readonly at?: Ms };
  /** When the main thread ran tasks of 50 ms or more; absent where it was not recorded. */
  readonly longTasks?: readonly { readonly from: Ms; readonly to: Ms; readonly name?: TaskName }[];
  /** What arrived on the wire: bytes in each span of `step` ms, from 0 on; the last span may end early. */
  readonly bandwidth?: { readonly step: Ms; readonly bytes: readonly Bytes[] };
  /** The rows of the critical path, by id, in order of time. */
  readonly critical?: readonly string[];
  readonly observedUntil: Ms;
}

/** How a request of a waterfall ended, when it did not simply finish. */
export type RowOutcome =
  /** It belongs to the page before a redirect by the page itself. */
  | { readonly code: 'previous-document' }
  /** Not over when observation ended: with an answer that had begun, or without any. */
  | { readonly code: 'open' | 'unanswered' }
  | { readonly code: 'redirected'; readonly to?: string }
  /** `error` is the browser's. */
  | { readonly code: 'canceled' | 'failed'; readonly error?: string }
  /** Its target went away while it was recorded, or the user had it blocked. */
  | { readonly code: 'lost' | 'blocked' };

/** A row before it is put into words. */
export type WaterfallRowFacts = Omit<WaterfallRow, 'background' | 'fromCache' | 'outcome'> & {
  readonly fromCache?: CacheKind | 'service-worker';
  readonly outcome?: RowOutcome;
  readonly background?: Omit<NonNullable<WaterfallRow['background']>, 'because' | 'reason'> & {
    readonly reason: VerdictReason;
  };
};

/** A waterfall before it is put into words. */
export type WaterfallFacts = Omit<Waterfall, 'milestones' | 'rows'> & {
  readonly milestones: readonly MilestoneFact[];
  readonly rows: readonly WaterfallRowFacts[];
};

/** A milestone without its label. */
export interface MilestoneFact {
  readonly name: MilestoneName;
  readonly at: Ms;
}

export type MilestoneName =
  | 'first-contentful-paint'
  | 'largest-contentful-paint'
  | 'dom-content-loaded'
  | 'load'
  | 'complete-on'
  | 'action-end'
  | 'page-complete';

/** A metric as a report shows it. */
export interface MetricColumn {
  readonly name: string;
  /** In words: 'Largest contentful paint'. */
  readonly title: string;
  readonly unit: Unit;
  /** One sentence on what it measures. */
  readonly description: string;
  /** True for the few that a short table shows. */
  readonly headline: boolean;
  /** Only of steps of a script: where it was not measured, it is not missing. */
  readonly onlyInSteps?: true;
  /** The user has defined it. */
  readonly own?: true;
  /** The time of a paint. */
  readonly isPaint?: true;
}

/** One audited target, ready to be written down. */
export interface TargetReport {
  readonly result: TargetResult;
  /** One sentence: when the page was complete, and whether the runs agree. */
  readonly sentence: string;
  /** One sentence: what a tool that waits for network idle would have said; absent where there is nothing to say of it. */
  readonly networkIdle?: string;
  /** One sentence each for what was left out, and why. */
  readonly notes: readonly string[];
  /** The timed run whose page-complete is the median; its waterfall and breakdown stand for the target. */
  readonly representative?: RunResult;
  /** The representative first, then the other runs' in order. */
  readonly waterfalls: readonly Waterfall[];
  /** Small copies of the evidence's pictures as data URLs, by their path beside result.json, for self-contained pages. */
  readonly pictures?: Readonly<Record<string, string>>;
}

/** What every reporter of an audit receives. */
export interface AuditReport {
  readonly result: AuditResult;
  readonly columns: readonly MetricColumn[];
  readonly targets: readonly TargetReport[];
  /** The files of other formats that lie beside the report, and what each is good for. */
  readonly files: readonly { readonly file: string; readonly describe: string }[];
  /** How large the recordings and pictures are that lie beside the report, by their path; where that is known. */
  readonly sizes?: Readonly<Record<string, Bytes>>;
  /**
   * Set when the pages are too many for one file: where each target's own is, as a link beside the report, in the order of
   * the targets. These then hold what tables of many pages show, and nothing else.
   */
  readonly pages?: readonly string[];
  /** True for the report of one of so many pages: its file lies in a folder beside their index. */
  readonly oneOfMany?: boolean;
}

/** Gives a target with all its runs, by its position among those of a report that may hold them in short. */
export type WholeTarget = (index: number) => TargetReport;

/** What every reporter of a comparison receives. */
export interface CompareReport {
  readonly result: CompareResult;
  readonly columns: readonly MetricColumn[];
  /** Each build as a target; of its waterfalls only the representative run's. */
  readonly base: TargetReport;
  readonly candidate: TargetReport;
  /** The file beside the report in which both builds load side by side; absent where it was not written. */
  readonly race?: string;
}

/** What every reporter of a comparison of several pages receives. */
export interface ComparePagesReport {
  readonly result: ComparePagesResult;
  readonly columns: readonly MetricColumn[];
  /** Each page as a comparison of it alone, in the order of the result. */
  readonly compared: readonly CompareReport[];
}
