import type { OverrulingReason, VerdictReason } from '../background/reason.ts';
import type { RequestCause, RequestReason } from '../background/request-reason.ts';
import type { BackgroundKind, Confidence, PagePolicy, VisualImpact } from '../background/verdict.ts';
import type { BudgetResult } from '../budgets.ts';
import type { LoadedFile } from '../compare/why.ts';
import type { CompletionReason, DecidedBy, EndingDoubt, WaitingFor, WatchReason } from '../completion/completion.ts';
import type { LateContent } from '../completion/late-content.ts';
import type { Coverage } from '../coverage.ts';
import type { FixAbout } from '../fixes.ts';
import type { ElsewhereConditions, MeasuredNetwork, StatedConditions } from '../host/conditions.ts';
import type { HostReason } from '../host/reason.ts';
import type { LighthouseResult } from '../lighthouse/lighthouse.ts';
import type { BlockingScript, CodeProfile, MainThread, MainThreadCategory, StepPlace } from '../main-thread.ts';
import type { Box, ByMetric, Interaction, LayoutShift, LongFrame, OwnMetric, RunMetrics } from '../metrics/metrics.ts';
import type { MetricSummary } from '../metrics/summary.ts';
import type { ResourceType } from '../network/network.ts';
import type { MergedShards, ShardPlace } from '../shards/shard.ts';
import type { Instant, Ms } from '../units.ts';
import type { DropReason, Failure } from './failure.ts';
import type { FindingFacts } from './finding.ts';
import type { BrowserNote, PagesNote } from './note.ts';

export type { Failure, MetricSummary };

/**
 * The version of `result.json`.
 *
 * 1 – first published form.
 */
export type ResultVersion = 1;

/** What every kind of result begins with. */
export interface ResultHeader {
  readonly $schema?: string;
  readonly version: ResultVersion;
  readonly tool: { readonly name: 'quiesce'; readonly version: string };
  readonly browser: Browser;
  /**
   * ISO 8601 time at which the job began.
   *
   * @format date-time
   */
  readonly startedAt: string;
  /** Every option as resolved. */
  readonly settings: Settings;
  /** Set when the job was ended early by the user. */
  readonly interrupted?: boolean;
  /** The answer in one or two sentences; absent while the job is under way, and in results of earlier versions. */
  readonly sentence?: string;
  /** The exit code of the command; absent like `sentence`. */
  readonly exit?: number;
  /** Which state of the source was measured, where it is known; of a comparison: the candidate's. */
  readonly source?: Source;
  /** Set when this is the result of one shard: a part of the work that other machines do the rest of. */
  readonly shard?: ShardPlace;
  /** Set when `quiesce merge` joined it from shards. */
  readonly merged?: MergedShards;
}

/** The browser that loaded the pages; of an analysis: who recorded them. */
export interface Browser {
  /** 'Chrome/156.0.8078.79'. */
  readonly product: string;
  readonly userAgent?: string;
  /** Whether Chrome's own sandbox is on; absent where it is not known. */
  readonly sandbox?: boolean;
  /** True when it ran on another machine than Quiesce. */
  readonly elsewhere?: boolean;
  /** What a reader should know of it, a sentence each: flags that it was started without. */
  readonly notes?: readonly string[];
  /** The same, one for one, with codes and figures; absent in results of earlier versions. */
  readonly noteFacts?: readonly BrowserNote[];
}

/** A state of the source that a target was built from. */
export interface Source {
  /** The full hash of the commit; as short as the user gave it. */
  readonly commit: string;
  /** Branch or tag. */
  readonly ref?: string;
  /** True when files of the work tree differed from the commit. */
  readonly modified?: boolean;
  /** True where a job measured it for a pull request. */
  readonly pullRequest?: boolean;
}

/** result.json of `quiesce audit` and, with kind 'analysis', of `quiesce analyze`. All times are milliseconds since navigation start; absent means not known. */
export interface AuditResult extends ResultHeader {
  readonly kind: 'audit' | 'analysis';
  /** The worst that is said of a target; absent like `sentence`. */
  readonly verdict?: PageVerdict;
  readonly targets: readonly TargetResult[];
  /** How the list of pages came about, a sentence each: what a sitemap had more, which duplicates were dropped. */
  readonly notes?: readonly string[];
  /** The same, one for one, with codes and figures; absent in results of earlier versions. */
  readonly noteFacts?: readonly PagesNote[];
}

/**
 * A page in one word: fast enough, by Web Vitals' limits for Largest Contentful Paint and Lighthouse's for Time to
 * Interactive, to which page complete is held · so-so · too slow · it does not work · it was never complete · it may have
 * been complete, too late to be sure · no run of it counts. Budgets have their own states.
 */
export type PageVerdict = 'good' | 'needs-improvement' | 'poor' | 'broken' | 'never' | 'unconfirmed' | 'unmeasured';

/** An audit's result without its targets, which may be too many to be held at once. */
export type AuditHeader = Omit<AuditResult, 'targets'>;

/** Options as resolved, by their long name in camelCase. */
export interface Settings {
  readonly [option: string]: unknown;
}

/** Metrics over the timed runs, by their names. */
export interface MetricSummaries extends ByMetric<MetricSummary> {}

/** All that was measured of one target. */
export interface TargetResult {
  /** What the user named; of a side of a comparison that got something of its own, with that: 'https://a.test/ (flag=on)'. */
  readonly target: string;
  /** What the user calls it; no other target of the result has the same. Absent when it was not given a name. */
  readonly name?: string;
  /** What was loaded. */
  readonly url: string;
  /** The step after the load of `url` that was measured, by its name; absent for the load itself. */
  readonly step?: string;
  readonly title?: string;
  readonly finalUrl?: string;
  /** The answer in one or two sentences; absent in comparisons, while the job is under way, and in results of earlier versions. */
  readonly sentence?: string;
  /** What it comes to in one word; absent like `sentence`. */
  readonly verdict?: PageVerdict;
  /** Which state of the source this target was built from, where that is not what the header says. */
  readonly source?: Source;
  /** Under which conditions its runs were loaded; absent in analyses of HARs. */
  readonly conditions?: StatedConditions;
  /**
   * What counted as complete. Absent in results of earlier versions, and where HARs were judged by policies of their own
   * that differ: these stand in the settings.
   */
  readonly policy?: PagePolicy;
  /** The metrics that the user defined; absent without any, and in results of earlier versions. */
  readonly ownMetrics?: readonly OwnMetric[];
  readonly runs: readonly RunResult[];
  readonly summary: MetricSummaries;
  /** The index of the timed run that stands for the page: the one in the middle by page-complete; absent when none counts. */
  readonly representativeRun?: number;
  /** True where there was no evidence run, and the page has background traffic: the time may include the first of it. */
  readonly unproved?: true;
  /** Why the answer may be wrong, each with the time that it would be then; absent where nothing speaks against it. */
  readonly doubts?: readonly Doubt[];
  /**
   * When it would be complete under other conditions, estimated by replaying the loads; absent where these were slow
   * themselves, in steps, and in results of earlier versions.
   */
  readonly elsewhere?: readonly (ElsewhereConditions & { readonly pageComplete: Ms })[];
  /** What that run needed up to page complete; absent where it was never complete. */
  readonly totals?: TargetTotals;
  /** What was painted last as the largest thing in that run; absent where the browser names nothing. */
  readonly largestContentfulPaint?: LargestPaint;
  /**
   * What to fix, a problem each, the largest saving first, as `representativeRun` words it, with the median saving of all
   * runs; absent where nothing was found.
   */
  readonly fixes?: readonly TargetFix[];
  /** Agreed over the runs. */
  readonly background: readonly BackgroundEndpoint[];
  /** What the untimed runs showed; absent when there were none. */
  readonly evidence?: Evidence;
  /** Which code kept the main thread busy until page complete; absent where no evidence run was traced. */
  readonly mainThread?: MainThread;
  /** What its functions took in profiled loads; absent where none were made. */
  readonly codeProfile?: CodeProfile;
  /** How much of its scripts and style sheets was used until page complete; absent where no evidence run was traced. */
  readonly coverage?: Coverage;
  /** Its files as the evidence run saw them; only in comparisons that trace. */
  readonly files?: readonly LoadedFile[];
  /** What Lighthouse says of it; absent when it was not asked for. */
  readonly lighthouse?: LighthouseResult;
  /** Its budgets, judged, in the order in which they were given; absent when it has none. */
  readonly budgets?: readonly BudgetResult[];
}

/**
 * Why an answer may be wrong. `film-disagrees`: the filmed load shows the last of the content later or earlier after its
 * network than the timed loads do; `at` is when it would be complete by that. `filmed-busy`: the machine was busy with other
 * things while the page was filmed, which tells content from background. `not-filmed`: the page has background traffic, and
 * nothing shows what that does. `background-unproved`: neither the protocol, nor the film, nor a load without it shows that this
 * endpoint is background; `at` is when the page would be complete with it, absent where it would not be. `content-unproved`: the
 * file of another tool does not show whether the page needs these requests, the last of it; `at` is when it is complete without them.
 */
export type Doubt =
  | { readonly code: 'film-disagrees'; readonly at: Ms }
  | { readonly code: 'filmed-busy' }
  | { readonly code: 'not-filmed' }
  | { readonly code: 'background-unproved'; readonly endpoint: string; readonly at?: Ms }
  | { readonly code: 'content-unproved'; readonly urls: readonly string[]; readonly at: Ms };

/**
 * How sure an answer is. `proved`: all that was left out, and the last that counts, is shown by the protocol, the film or a load
 * without it. `likely`: part of it was read from behaviour. `doubtful`: something that was seen may change it (`doubts`).
 */
export type Certainty = 'proved' | 'likely' | 'doubtful';

/** A fix, as a finding words it. */
export type AgreedFix = Pick<Finding, 'code' | 'message' | 'urls'> & { readonly savesMs: Ms };

/** A problem with its best fix. */
export interface TargetFix extends AgreedFix, FixAbout {
  /** What else would help against it, the best first. The savings overlap. */
  readonly alternatives: readonly AgreedFix[];
}

/** What a page needed up to page complete; background traffic is left out. */
export interface TargetTotals {
  readonly byType: Readonly<Partial<Record<ResourceType, TypeTotals>>>;
  /** The page's own site, and all others; only those that it needed. Absent in results of earlier versions. */
  readonly byParty?: Readonly<Partial<Record<Party, TypeTotals>>>;
  /** Each site, the most bytes first. Absent in results of earlier versions. */
  readonly bySite?: readonly SiteTotals[];
}

/** Whose a request is: of the site that the page belongs to, or of another. */
export type Party = 'first' | 'third';

/** What a page needed of one site: a registered domain, or a host where there is none. */
export interface SiteTotals extends TypeTotals {
  readonly site: string;
  /** Who runs it, where that is known: `Google Tag Manager`. A site of which several run a part is there for each. */
  readonly entity?: string;
  readonly party: Party;
}

/** What the largest contentful paint painted, where the browser names it. */
export interface LargestPaint {
  /** The address of the picture; absent of text, and of pictures that stand in the document itself. */
  readonly url?: string;
  /** The element: 'img#hero.wide'. */
  readonly selector?: string;
  /** Where it stands in the viewport at the end of watching. */
  readonly box?: Box;
}

/** What a page needed of one type of request. */
export interface TypeTotals {
  readonly requests: number;
  /** Transferred bytes. */
  readonly transferSize: number;
}

/** What the untimed runs showed of one page. */
export interface Evidence {
  /** How long the evidence run watched, ms, and what for. */
  readonly watchedUntil: Ms;
  readonly watchedBecause: string;
  /** The same with its code and figures; absent in results of earlier versions. */
  readonly watchedReason?: WatchReason;
  /** Pictures of the evidence run, in order of time: the first paint, page complete, the end, and what suspects changed. */
  readonly pictures: readonly EvidencePicture[];
  /** The filmstrip: frames that show something new, in order of time; the first is the page at 0. */
  readonly film?: readonly FilmFrame[];
  /**
   * How much of what was to be seen at page complete was there by when; times ascend, moving parts are left out. Of a
   * page that never was complete: of what was to be seen at the end of watching. Absent when nothing was drawn.
   */
  readonly progress?: readonly VisualProgress[];
  /** The area above that curve, ms: of one untimed run, for information. Source: Speed Index, WebPageTest. */
  readonly speedIndex?: Ms;
  /** Content that came when the page had been silent for a whole quiet window; absent when there was none. */
  readonly lateContent?: LateContent;
  /** The page with the suspects blocked; absent when there were none, or when it was not asked for. */
  readonly ablation?: Ablation;
}

/** One picture, in a file beside result.json. */
export interface EvidencePicture {
  readonly at: Ms;
  /** Path relative to result.json: `evidence/….png` or `….jpg`; equal pictures are one file. */
  readonly file: string;
  /** What is to be seen in it: 'page complete', 'after data from GET … arrived'. */
  readonly caption: string;
  /** The same as a code, of data with `endpoint`; absent in results of earlier versions. */
  readonly moment?: PictureMoment;
  /** The endpoint that brought what is new in it, where that is why it is shown. */
  readonly endpoint?: string;
}

/** Why a picture is shown: what was to be seen then. */
export type PictureMoment =
  | 'first-contentful-paint'
  | 'largest-contentful-paint'
  | 'page-complete'
  | 'data-arrived'
  | 'end';

/** One frame of the filmstrip; it was seen until the next one. */
export interface FilmFrame {
  readonly at: Ms;
  /** Path relative to result.json; frames that look the same name the same file. */
  readonly file: string;
  /** Visual progress at that moment, 0 to 1; absent when nothing was drawn. */
  readonly progress?: number;
}

/** A point of the curve of visual progress, which stays where it is until the next one. */
export interface VisualProgress {
  readonly at: Ms;
  /** 0 – as at navigation start; 1 – as at page complete. */
  readonly share: number;
}

/** How the page looked, and when it was complete, with the suspects blocked. */
export interface Ablation {
  /** The endpoints that were held back. */
  readonly held: readonly string[];
  /** Share of the viewport's pixels that differ from the evidence run's last picture, 0 to 1, moving parts left out. */
  readonly difference: number;
  /** True when nothing that a person would see differs. */
  readonly same: boolean;
  /** How many loads it took to find out what the page is the same without; absent for one. */
  readonly loads?: number;
  /** When the page was complete then, and what network idle says of the same page with everything. */
  readonly completeAt?: Ms;
  readonly pictures: { readonly with: string; readonly without: string; readonly difference?: string };
  /** One sentence. */
  readonly sentence: string;
}

export const ROLES = ['timed', 'evidence', 'ablation', 'profiled', 'discarded'] as const satisfies readonly string[];

/** What a run was for; only `timed` runs count. */
export type RunRole = (typeof ROLES)[number];

/** One fresh browser profile loading one page once. */
export interface RunResult {
  readonly index: number;
  readonly role: RunRole;
  readonly ok: boolean;
  readonly failure?: Failure;
  readonly pageComplete?: PageCompleteResult;
  readonly metrics?: RunMetrics;
  /** Moments of `metrics` as they would have been on a machine that takes nothing from the page; absent where not known. */
  readonly undisturbed?: RunMetrics;
  /** When it would have been complete on a phone with slow 4G, ms; absent where that is not estimated. */
  readonly onPhone?: Ms;
  readonly breakdown?: Breakdown;
  /** What the page needed up to page complete, by type; background traffic is left out. Absent when it was never complete. */
  readonly byType?: Readonly<Partial<Record<ResourceType, TypeTotals>>>;
  /** The same by site, the most bytes first; absent like it, and in results of earlier versions. */
  readonly bySite?: readonly SiteTotals[];
  readonly largestContentfulPaint?: LargestPaint;
  /** The layout shifts that moved most, the largest first; absent where it was not recorded, or nothing moved. */
  readonly layoutShifts?: readonly LayoutShift[];
  readonly criticalPath?: CriticalPath;
  /** The interaction behind `interactionToNextPaint`: of a step, or of all steps after a load. */
  readonly interaction?: Interaction;
  /**
   * Which scripts ran in its long frames until page complete, the longest first. Absent where the browser does not tell, and
   * where it was never complete.
   */
  readonly blockingScripts?: readonly BlockingScript[];
  /**
   * The longest of its long frames until page complete, and until the paint of its interactions. Absent where there was none,
   * where the browser does not tell, and where it was never complete.
   */
  readonly longestFrame?: LongFrame;
  readonly background?: readonly BackgroundEndpoint[];
  readonly findings?: readonly Finding[];
  readonly host?: HostResult;
  /** What the run really got of the network that it requested; absent where none was asked for, or nothing could be reported. */
  readonly network?: MeasuredNetwork;
  /** File name beside result.json; in an analysis a link to the HAR, wherever it is. */
  readonly har?: string;
  /** Only in an analysis: the SHA-256 of the HAR's text, unpacked. Its reports are drawn again from no other file elsewhere. */
  readonly harHash?: string;
  /** How often the load was tried: 2 when the browser died in the first, or, in a comparison, when it failed. */
  readonly attempts?: number;
  /** Only in comparisons: which build was loaded, and in which block (from 1). */
  readonly build?: 'base' | 'candidate';
  readonly block?: number;
  /**
   * In comparisons the place in its block (0 to 3); in audits of several pages the place in its round (from 0), where the
   * round is the number of the run: each round loads every page once.
   */
  readonly order?: number;
  /** Only in merged results: which shard loaded it. */
  readonly shard?: number;
  /**
   * Only in merged comparisons: the number of the machine that loaded it, from 1. Builds are compared within machines, so
   * that differences between machines cancel.
   */
  readonly machine?: number;
  /** Why the run does not count, with its full stop: it, or another run of its block, failed. */
  readonly excluded?: string;
  /** The same with its code and figures; absent in results of earlier versions. */
  readonly exclusion?: DropReason;
  /** Why loads before this one were thrown away: the host was not fit in them. One entry a load. */
  readonly repeatedBecause?: readonly string[];
  /** The same, one for one, with codes and figures; absent in results of earlier versions. */
  readonly repeatedReasons?: readonly (readonly HostReason[])[];
  /** Why an earlier load in its place, which had ended early, was not trusted. */
  readonly repeatedEnding?: EndingDoubt;
}

/** When the page was complete, and what network idle would have said. */
export interface PageCompleteResult {
  readonly state: 'complete' | 'unconfirmed' | 'never';
  readonly at?: Instant;
  readonly networkAt?: Instant;
  /** How sure `at` is; absent where there is none, and in results of earlier versions. */
  readonly doubt?: Certainty;
  /** What may change it; absent where nothing does. */
  readonly doubts?: readonly Doubt[];
  /** `at` as it would have been on a machine that takes nothing from the page; absent where that is not known. */
  readonly undisturbed?: Ms;
  readonly decidedAt?: Ms;
  /** How long the page was watched. */
  readonly observedUntil: Ms;
  /** Why that long; a clause. */
  readonly watchedBecause?: string;
  /** The same with its code and figures; absent in results of earlier versions. */
  readonly watchedReason?: WatchReason;
  /** What made it complete; absent when it was not, and in results of earlier versions. */
  readonly decidedBy?: DecidedBy;
  /** What set `at`: the last response, the load event, a paint, or the user's mark; a plain clause. */
  readonly because?: string;
  /** The same with its code and figures; absent in results of earlier versions. */
  readonly reason?: CompletionReason;
  readonly withoutLoadEvent?: readonly string[];
  readonly raw: {
    readonly state: 'complete' | 'unconfirmed' | 'never';
    readonly at?: Ms;
    readonly waitingFor?: readonly string[];
    readonly waitingForFacts?: readonly WaitingFor[];
  };
  /** What was still waited for, in words: endpoints, or clauses. Empty when the page is complete. */
  readonly waitingFor: readonly string[];
  /** The same, one for one, with codes and figures; absent in results of earlier versions. */
  readonly waitingForFacts?: readonly WaitingFor[];
}

/** Where page-complete went; the four sum to it. */
export interface Breakdown {
  /** Request to last byte of the document. */
  readonly basePage: number;
  /** Parsing HTML, nothing downloading. */
  readonly parse: number;
  /** Downloading scripts, styles, images, data. */
  readonly components: number;
  /** Nothing downloading, the page still changes. */
  readonly render: number;
}

/**
 * What determined page complete: the chain of requests, each of which asked for what came after it, and the work of the main
 * thread that filled the time between two of them. Their shares and what remains after the last one sum to page complete.
 */
export interface CriticalPath {
  /** In order of time. */
  readonly steps: readonly CriticalStep[];
  /** From the end of the last step to page complete: nothing on the wire of this chain, the page still at work. */
  readonly rest: Ms;
}

/** One step of the critical path: a request, or work that filled the time before the next one. */
export type CriticalStep = RequestStep | WorkStep;

/** What made the main thread busy on the critical path, and its share of page complete: the sum of its two parts. */
export interface WorkStep {
  readonly cause: 'work';
  /** Most of it. */
  readonly category: MainThreadCategory;
  /** The script, and the function in it that took longest; absent where it was no script, or it is not known. */
  readonly place?: StepPlace;
  readonly startedAt: Ms;
  readonly endsAt: Ms;
  /** From the end of the step before to the end of this one without the work itself: shorter work, pauses. */
  readonly delay: Ms;
  readonly work: Ms;
  /** What it was, a clause: 'vendor.js:12 (build) ran'. */
  readonly because: string;
}

/** One request of the critical path and its share of page complete: the sum of its three parts. */
export interface RequestStep {
  /** What made it begin; absent of the first, and in results of earlier versions. */
  readonly cause?: RequestCause;
  /** Where in a script or a document it was asked for, as far as that is known. */
  readonly place?: StepPlace;
  readonly method: string;
  readonly url: string;
  readonly type: ResourceType;
  readonly startedAt: Ms;
  readonly endsAt: Ms;
  /** From what the step before had brought until this was asked for: parsing, scripts or timers. */
  readonly delay: Ms;
  /** Data that scripts asked for and got in a long `delay`, addresses in order: what it may have been spent on. Absent where there was none. */
  readonly meanwhile?: readonly string[];
  /** Asked for and no byte of the answer yet: queueing, connecting, the server at work. */
  readonly wait: Ms;
  /** The part of `wait` in which it could not be sent: others held all connections to its server. Absent where there was none. */
  readonly queued?: Ms;
  /** Its bytes arriving, until it had brought what the next step needed. */
  readonly receive: Ms;
  /** How it came to be asked for, a clause: 'redirected', 'found by the parser', 'requested by app.js:12'. */
  readonly because: string;
  /** The same with its code and addresses; absent in results of earlier versions. */
  readonly reason?: RequestReason;
  /** Set when it failed; `status` is then what the server said, where it said anything. */
  readonly failed?: true;
  readonly status?: number;
}

/** One endpoint whose traffic is background. */
export interface BackgroundEndpoint {
  readonly kind: BackgroundKind;
  /** Method, origin and path with ids and values stripped. */
  readonly endpoint: string;
  /**
   * How many endpoints it stands for, where they are one thing: the files of a service worker's cache, what one script reports.
   * `endpoint` is what their addresses have in common then. Absent for one.
   */
  readonly endpoints?: number;
  readonly urls: readonly string[];
  readonly requests: number;
  readonly firstStartedAt: Ms;
  readonly lastActivityAt: Ms;
  readonly stillOpen: boolean;
  /** Median distance between starts, ms. */
  readonly period?: number;
  readonly because: string;
  /** The same with its code and figures; absent in results of earlier versions. */
  readonly reason?: VerdictReason;
  readonly confidence: Confidence;
  /** False when it was recognised but counted anyway: the user or the evidence overruled the detector. */
  readonly excluded: boolean;
  /** Who overruled, in words: "--foreground /chat", "the page looks different without it". */
  readonly overruledBy?: string;
  /** The same with its code; absent in results of earlier versions. */
  readonly overruling?: OverrulingReason;
  /** How much later page-complete would have been with this endpoint counted, ms; absent when it would never have come. */
  readonly cost?: number;
  /** What page-complete would have been with this endpoint counted. */
  readonly countedState?: 'complete' | 'unconfirmed' | 'never';
  readonly visualImpact: VisualImpact;
}

/** Something a reader should know about a run. */
export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly urls: readonly string[];
  /**
   * Of something that can be fixed: how much sooner page complete would be without it, ms, by replaying the requests of this
   * run; 0 where page complete does not wait for it. Savings overlap, so they cannot be added up. Absent in all other findings.
   */
  readonly savesMs?: Ms;
  /** The figures of the message, by the finding's code; absent in results of earlier versions. */
  readonly facts?: FindingFacts;
}

/** Whether the measuring machine was fit during a run. */
export interface HostResult {
  readonly verdict: 'fit' | 'unfit' | 'unknown';
  /**
   * Set where the browser ran on another machine, of which nothing can be seen: whether this one, which only drove it, had
   * more than half of its processors busy.
   */
  readonly driver?: 'free' | 'busy' | 'unknown';
  /** Share of all cores kept busy by anything but the browser under test, 0 to 1. */
  readonly busyByOthers?: number;
  /** Share of all cores taken by the hypervisor, 0 to 1. */
  readonly steal?: number;
  /** Share of the time in which tasks had to wait for a resource, 0 to 1. Source: the kernel's pressure stall information. */
  readonly pressure?: { readonly cpu?: number; readonly memory?: number; readonly io?: number };
  /** How long a fixed piece of work took on one core just before the load, ms; only in comparisons. */
  readonly microBenchmark?: number;
  /** Why it was not fit, or why that is not known; clauses. */
  readonly reasons: readonly string[];
  /** The same, one for one, with codes and figures; absent in results of earlier versions. */
  readonly reasonFacts?: readonly HostReason[];
}
