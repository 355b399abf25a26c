import type { CoverageChanges } from '../coverage.ts';
import type { LighthouseComparisons } from '../lighthouse/lighthouse.ts';
import type { CodeChanges } from '../main-thread.ts';
import type { ResourceType } from '../network/network.ts';
import type { DropReason } from '../result/failure.ts';
import type { ServerNote } from '../result/note.ts';
import type { BackgroundEndpoint, Finding, ResultHeader, RunResult, TargetResult } from '../result/result.ts';
import type { Bytes, Ms, Unit } from '../units.ts';
import type { Build } from './build.ts';
import type { PageDifferenceFact } from './page-difference.ts';
import type { RequestTiming, Why } from './why.ts';

export type { Build };

/** What can be said of one metric: the candidate is worse · better · within the smallest effect of interest · nothing yet. */
export type Decision = 'slower' | 'faster' | 'same' | 'unsure';

/** The smallest change that anybody cares about. */
export interface MinEffect {
  /** Share of the base's median, 0.05 for 5 %. */
  readonly relative: number;
  /** The floor for short times, ms: a smaller change is none, whatever its share. */
  readonly absolute: Ms;
  /** The floor for paints, ms; the same as `absolute` where it is absent. */
  readonly paint?: Ms;
}

/** What is fixed before the first load of a comparison. */
export interface ExperimentPlan {
  /** Everything random follows from it. */
  readonly seed: number;
  /** After how many pairs the intervals are looked at, rising; the last is the largest number of pairs. */
  readonly looks: readonly number[];
  /** Probability of calling identical builds different, over all looks and gate metrics, at most. */
  readonly alpha: number;
  readonly minEffect: MinEffect;
  /** Names of the metrics that decide; they share `alpha`. */
  readonly gates: readonly string[];
  /** Fail a gate only when the whole interval lies beyond the smallest effect of interest. */
  readonly strict: boolean;
}

/** How the difference of a metric is expressed: as a ratio of times, or in the metric's own unit where it can be 0. */
export type Scale = 'ratio' | 'shift';

/** The candidate against the base in one metric. */
export interface MetricComparison extends ComparedFigures {
  /** The step of the script that it is of; absent for loads. */
  readonly step?: string;
  /** The decision in plain words, with figures. */
  readonly sentence: string;
}

/**
 * What loads were like that are compared: as they were, or as they would have been on a machine that takes nothing from the
 * page.
 */
export type Basis = 'measured' | 'undisturbed';

/** What two builds come to in a metric. */
interface TwoBuilds {
  readonly base: BuildMedian;
  readonly candidate: BuildMedian;
  /** Absent when a build has too few values to compare. */
  readonly difference?: Difference;
  /** Two-sided, of no difference at all; at this look alone, not corrected for looks or metrics. */
  readonly p?: number;
}

/** The figures that a metric has on the basis that did not decide. */
export interface OtherBasis extends TwoBuilds {
  readonly basis: Basis;
}

/** The figures and the decision of it. */
export interface ComparedFigures extends TwoBuilds {
  readonly metric: string;
  readonly unit: Unit;
  readonly scale: Scale;
  /** True for the metrics that decide. */
  readonly gate: boolean;
  /** On which of two bases `base` to `fails` stand, the more precise one; absent where there is but one, as measured. */
  readonly basis?: Basis;
  /** The figures on the other. */
  readonly beside?: OtherBasis;
  /**
   * For other metrics than gates: still a difference once the number of metrics is taken into account
   * (Benjamini–Hochberg at `FALSE_DISCOVERY_RATE`).
   */
  readonly discovery?: boolean;
  readonly decision: Decision;
  /** True when the gate fails: a regression that is large enough to matter. */
  readonly fails: boolean;
  /** How many pairs would be enough; for gates that are `unsure`. */
  readonly pairsToSettle?: number;
}

/** A metric of one build over the pairs that count. */
export interface BuildMedian {
  readonly n: number;
  /** Absent when nothing was measured. */
  readonly median?: number;
}

/** Hodges–Lehmann shift of the candidate against the base, with its interval. Positive: the candidate is worse. */
export interface Difference {
  /** As a share of the base, 0.0387 for +3.87 %; absent where the base can be 0. */
  readonly relative?: number;
  /** In the metric's unit; for ratios the share of the base's median. */
  readonly absolute: number;
  /**
   * The interval, as shares for ratios, in the metric's unit for shifts. An end that is absent is unbounded: there are
   * too few pairs for an interval of this level.
   */
  readonly low?: number;
  readonly high?: number;
  /** Coverage of the interval over all looks, 0.95. */
  readonly level: number;
  /** The smallest effect of interest on the scale of `low` and `high`: both as it is (up) and mirrored (down). */
  readonly minEffect: { readonly up: number; readonly down: number };
}

/** How the loads were laid out, and how many there were. */
export interface Design {
  readonly seed: number;
  /** Complete blocks of four loads that count. */
  readonly blocks: number;
  /** Loads of each build that count. */
  readonly pairs: number;
  /** The looks that were planned, in pairs. */
  readonly looks: readonly number[];
  /** The looks that were taken, with the critical value of each. */
  readonly looksTaken: readonly Look[];
  readonly alpha: number;
  /** Blocks that do not count, and why. */
  readonly dropped: readonly DroppedBlock[];
  /** Loads that were repeated because the host was busy with something else. */
  readonly repeated: number;
  readonly stoppedBecause: StopReason;
  /** The same in plain words. */
  readonly stoppedSentence: string;
}

/** One look at the intervals. */
export interface Look {
  readonly pairs: number;
  /** |z| beyond which a gate metric differs at this look. */
  readonly criticalValue: number;
}

/** A block that was taken out whole, so that the builds stay balanced. */
export interface DroppedBlock {
  readonly block: number;
  /** With its full stop. */
  readonly because: string;
  /** The same with its code and figures; absent in results of earlier versions. */
  readonly reason?: DropReason;
}

/**
 * decided: every gate metric · failed: a gate failed, and no more was asked for (`--fail-fast`) · all pairs that were planned · the time that it was given is over (`--budget-time`) · ended by the user · too many blocks failed · nothing to
 * decide with · one page is blank, the other is not · the browser or the disk gave up · all pairs of this shard's share · merged, with shards missing.
 */
export type StopReason =
  | 'decided'
  | 'failed'
  | 'max-pairs'
  | 'out-of-time'
  | 'interrupted'
  | 'too-many-failures'
  | 'not-measurable'
  | 'blank'
  | 'broken'
  | 'share'
  | 'shards-missing';

/** Was the machine the same for both builds? */
export interface HostComparison {
  /** fit · unfit: too busy or stolen from in too many runs, for both builds alike · differs between builds · unknown. */
  readonly verdict: 'fit' | 'unfit' | 'differs' | 'unknown';
  /** The micro-benchmark before each load, compared as a metric would be; absent when it was not run. */
  readonly control?: Difference & { readonly p: number; readonly differs: boolean };
  /** Runs that count although the host was not fit in them: the repeats were used up. */
  readonly unfitRuns: number;
  /** In plain words. */
  readonly sentence: string;
}

/** The host of a comparison before it is put into words. */
export interface HostComparisonFacts extends Omit<HostComparison, 'sentence'> {
  /** Runs that count. */
  readonly runs: number;
  /** Machines that they were made on. */
  readonly machines: number;
  /** In so many runs this machine was busy while it drove a browser on another one; absent where the browser ran here. */
  readonly driverBusyIn?: number;
}

/** One way in which the two pages are not the same page. Shown before any figure. */
export interface PageDifference {
  readonly code: PageDifferenceFact['code'];
  readonly message: string;
  /** The figures of the message, by the code; absent in results of earlier versions. */
  readonly facts?: PageDifferenceFact['facts'];
}

/** A background endpoint that only one build has. */
export interface BackgroundChange extends BackgroundEndpoint {
  /** The build that has it. */
  readonly build: Build;
  /** The other build asks for it too, and its page needs it. */
  readonly contentInOther?: true;
}

/** A request that one build makes and the other does not, or of another size. */
export interface RequestChange {
  /** Method and address without what changes from build to build: content hashes, values, the page's own origin. */
  readonly name: string;
  /** As it was seen: the candidate's, or the base's when only that one has it. */
  readonly url: string;
  readonly type: ResourceType;
  readonly base?: RequestSize;
  readonly candidate?: RequestSize;
}

/** Medians over the runs of a build. */
export interface RequestSize {
  readonly requests: number;
  readonly transferSize: Bytes;
}

/** What changed besides time. */
export interface Changes {
  readonly added: readonly RequestChange[];
  readonly removed: readonly RequestChange[];
  readonly grown: readonly RequestChange[];
  readonly shrunk: readonly RequestChange[];
  /** Transferred bytes by type, only types that either build has; medians over the runs. */
  readonly bytes: readonly { readonly type: ResourceType; readonly base: Bytes; readonly candidate: Bytes }[];
  /** Hosts of other sites that only one build talks to. */
  readonly thirdParties: { readonly added: readonly string[]; readonly removed: readonly string[] };
  /** Findings that most runs of one build have and no run of the other. */
  readonly findings: { readonly added: readonly Finding[]; readonly removed: readonly Finding[] };
}

/** One address of a load, its requests added up. */
export interface InventoryItem {
  /** As in `RequestChange`. */
  readonly name: string;
  readonly url: string;
  readonly type: ResourceType;
  readonly requests: number;
  readonly transferSize: Bytes;
  /** Set where it belongs to another site than the page. */
  readonly thirdParty?: string;
  /** Set where it leads to another address. */
  readonly redirects?: true;
  /** Set for the page's own document. */
  readonly page?: true;
  /** Of the first request; absent where it was not answered. */
  readonly timing?: RequestTiming;
}

/** A run of a comparison in its place. */
export interface PlacedRun extends RunResult {
  readonly build: Build;
  /** From 1. */
  readonly block: number;
  /** Place in the block, 0 to 3. */
  readonly order: number;
}

/** result.json of `quiesce compare`. All times are milliseconds since navigation start; absent means not known. */
export interface CompareResult extends ResultHeader, ServerNotes {
  readonly kind: 'compare';
  readonly base: TargetResult;
  readonly candidate: TargetResult;
  readonly design: Design;
  /** Gate metrics first. */
  readonly comparisons: readonly MetricComparison[];
  readonly decision: Decision | 'invalid';
  /** The decision in plain words, with figures. */
  readonly sentence: string;
  /** Names of the gate metrics that fail. */
  readonly failedGates: readonly string[];
  /**
   * Why the candidate is slower or faster: proven things first, never more ms than the change. Absent where it is neither,
   * and in results of earlier versions.
   */
  readonly why?: readonly Why[];
  /** How many ms of the change these leave; absent like `why`, and where the change is none of a moment. */
  readonly unexplained?: Ms;
  readonly host: HostComparison;
  readonly pageDifferences: readonly PageDifference[];
  readonly backgroundChanges: readonly BackgroundChange[];
  readonly changes: Changes;
  /** Which code took longer or shorter; absent unless both builds were traced. */
  readonly mainThread?: CodeChanges;
  /** How much code was loaded and not used; absent unless both builds were traced. */
  readonly coverage?: CoverageChanges;
  /** Lighthouse on both builds; it informs and decides nothing. Absent when it was not asked for. */
  readonly lighthouse?: LighthouseComparisons;
}

/** What a reader should know of the servers that Quiesce started for a comparison. */
interface ServerNotes {
  /** A sentence each. */
  readonly notes?: readonly string[];
  /** The same, one for one, with codes and figures. */
  readonly noteFacts?: readonly ServerNote[];
}

/** What one of several pages has in common with the others. */
type PagesHeader = Exclude<keyof ResultHeader, 'settings' | 'sentence'> | keyof ServerNotes;

/** One of several pages that are compared, or of the steps after its loads: what a comparison of it alone says, with its own settings and decision. */
export interface ComparedPage extends Omit<CompareResult, PagesHeader | 'kind'> {
  /** What the user calls it, else its path. */
  readonly name: string;
  /** A path of both builds. */
  readonly path: string;
  /** The step of the page's script that it is; absent for the load. */
  readonly step?: string;
  /** Its folder beside result.json: the files that it names lie there, and its own report. */
  readonly folder: string;
  /** Why it was not compared although others were, in a sentence: only one build has it, there was no time. */
  readonly leftOut?: string;
}

/** result.json of `quiesce compare` of several pages, or of a page and the steps of a script. */
export interface ComparePagesResult extends ResultHeader, ServerNotes {
  readonly kind: 'compare';
  /** In the order in which they were named; behind each page its steps. */
  readonly targets: readonly ComparedPage[];
  /** Slower when any page is; else invalid, unsure or faster when any is, in this order; else the same. */
  readonly decision: Decision | 'invalid';
  /** What `decision` stands for, and how often it is wrong, in a sentence. */
  readonly decisionRule: string;
  /** The decision in plain words, with figures. */
  readonly sentence: string;
}
