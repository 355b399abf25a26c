import type { CausedFrame, ShownCause } from '../completion/causes.ts';
import type { PolicyViolation, ScriptError, ShownPage } from '../health.ts';
import type { NetworkConditions } from '../host/conditions.ts';
import type { Work } from '../main-thread.ts';
import type { Journey, OwnMetric, TimingEntries } from '../metrics/metrics.ts';
import type { NetworkEvent } from '../network/network.ts';
import type { Mark } from '../network/timeline.ts';
import type { IncidentFact } from '../result/finding.ts';
import type { Ms } from '../units.ts';
import type { Area } from './picture.ts';
import type { Rendered } from './rendered.ts';

/** What was asked of the browser. */
export interface Navigation {
  readonly url: string;
  /** Milliseconds since the Unix epoch at navigation start. */
  readonly startedAt: number;
  readonly browser: string;
  readonly userAgent: string;
  /** The slower network that it was to have; the machine's own when absent. */
  readonly network?: NetworkConditions;
  /** The user's own metrics that are to be read of it. */
  readonly metrics?: readonly OwnMetric[];
  /** Set when it was not the first visit in its profile. */
  readonly view?: 'warm';
  /** The step after the load that was recorded, by its name; `url` is where it began. Absent for a load. */
  readonly step?: string;
}

/** A picture of the viewport. A film holds one each time that something was drawn. */
export interface Frame {
  readonly at: Ms;
  /** PNG, base64. */
  readonly image: string;
}

/** A CSS transition or animation, one of a script, or a part of a view transition, from the end of its delay to its end. */
export interface Animation {
  readonly from: Ms;
  readonly to: Ms;
}

/** A change that scripts made of what the document shows. Times are in ms since the recording's zero. */
export interface DomChange {
  readonly at: Ms;
  /** When the browser had painted it; `at` where that is not known. */
  readonly paintedAt: Ms;
  /** How long style, layout and paint of it took, ms. */
  readonly rendering: Ms;
  /** Only attributes of elements changed. */
  readonly attributes: boolean;
}

/** One reading of the measuring machine, cumulative counters in milliseconds of CPU time over all cores. */
export interface HostSample {
  readonly at: Ms;
  /** Set where the browser runs on another machine: these are the clocks of the one that only drives it. */
  readonly driver?: true;
  readonly cores: number;
  /** Time not idle, all processes. */
  readonly busy: number;
  readonly steal?: number;
  readonly total: number;
  /** CPU time of the browser under test. */
  readonly browser?: number;
  /** CPU time of this program. */
  readonly own?: number;
  /** Time in which tasks had to wait for a resource, cumulative ms. Source: /proc/pressure, the "some" lines' totals. */
  readonly stalled?: { readonly cpu?: number; readonly memory?: number; readonly io?: number };
}

/** The main thread's clocks, read while the page loads: how long it had been running tasks by then. */
export interface MainThreadSample {
  readonly at: Ms;
  /** By the wall's clock. */
  readonly taskTime: Ms;
  /** By the processor's: less than the wall's where tasks were not let run. Absent where it could not be read. */
  readonly cpuTime?: Ms;
}

/** The clocks of another main thread than the page's: a frame of another site has a process of its own. */
export interface FrameThread {
  readonly frameId: string;
  /** From when they were read first: that is their zero. */
  readonly samples: readonly MainThreadSample[];
}

/** What the kernel counted of a worker's thread: Chrome has no clocks of it. */
export interface WorkerThread {
  /** `taskTime` is how long it ran or was ready to, `cpuTime` how long it ran. */
  readonly samples: readonly MainThreadSample[];
}

/** Moments of the final document. Where each is found: core/rendering/page-timings.ts. */
export interface Milestones {
  /** First byte of the document's response. */
  readonly responseStart?: Ms;
  readonly domContentLoadedEnd?: Ms;
  readonly loadEnd?: Ms;
  readonly firstPaint?: Ms;
  readonly firstContentfulPaint?: Ms;
}

/** The number that an expression gave in the page. */
export interface Evaluated {
  readonly expression: string;
  readonly value: number;
}

/** What the page's own performance timeline says, read once after the decision, in ms since the recording's zero. */
export interface PageTimings extends Milestones, TimingEntries {
  readonly finalUrl: string;
  readonly title: string;
  /** The numbers that the user's expressions gave when watching was over; those that gave none are left out. */
  readonly evaluated?: readonly Evaluated[];
  /** Interactions, also those that were too fast to be reported; absent where the browser does not count them. */
  readonly interactionCount?: number;
}

/** Something beside the network that happened in a load and that a reader should know. */
export type Incident = { readonly at: Ms } & IncidentFact;

/** The text of a response, kept only on request. */
export interface BodyText {
  readonly id: string;
  readonly text: string;
  readonly base64: boolean;
}

/** How often a load was judged while it was watched, and how much CPU time that took in all. */
export interface Judging {
  readonly times: number;
  readonly cost: Ms;
}

/** The tool that wrote a recording. */
export interface ForeignSource {
  /** Can requests be missing because they were open at the end? */
  readonly mayLeaveOutOpen: boolean;
}

/** What the browser traced of its own work in an untimed run. */
export interface RecordedTrace {
  /** As Chrome sent them ("Trace Event Format"). */
  readonly events: readonly unknown[];
  /** The recording's zero, microseconds of the trace's clock. */
  readonly zero: number;
  /** The page's outermost frame. */
  readonly frameId: string;
}

/** Which functions the page's main thread ran, in an untimed run. */
export interface RecordedProfile {
  /** As Chrome sent it (`Profiler.Profile`). */
  readonly profile: unknown;
  /** The recording's zero, microseconds of the profile's clock. */
  readonly zero: number;
}

/** A range of a text: where it begins, and where it ends, in characters as scripts count them. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A script or style sheet whose use was watched. */
export interface WatchedText {
  readonly kind: 'script' | 'style';
  readonly id: string;
  readonly url: string;
  /** Where it begins in its document, counted from 0; absent where it is a file of its own. */
  readonly inline?: { readonly line: number; readonly column: number };
  readonly text: string;
}

/** What was used of one text since the reading before. */
export interface UseReading {
  readonly id: string;
  /** Of a script: the innermost range decides. Of a style sheet: the rules that matched. */
  readonly ranges: readonly (TextRange & { readonly used: boolean; readonly function?: string })[];
}

/** Which parts of the page's scripts and style sheets were used, in an untimed run. */
export interface RecordedCoverage {
  readonly texts: readonly WatchedText[];
  /** In order of time. */
  readonly readings: readonly { readonly at: Ms; readonly uses: readonly UseReading[] }[];
}

/** A text with a number, and the part of the viewport in which it stands. */
export interface NumberPlace extends Area {
  readonly text: string;
}

/** What there was to be seen in a frame of another origin. */
export interface FrameOutline {
  readonly frameId: string;
  /** Origin and path. */
  readonly url: string;
  /** An element a line. */
  readonly lines: readonly string[];
}

/** What a film shows; only untimed runs have one. */
export interface Filmed {
  /** Empty where nothing was filmed. */
  readonly frames: readonly Frame[];
  /** The animations that end by themselves. */
  readonly animations?: readonly Animation[];
  /** The viewport when watching ended, in full size; only where it was asked for. */
  readonly lastPicture?: Frame;
}

/** What there was to be seen in the document when watching ended, also below the fold; only where it was filmed. */
export interface Outlined {
  /** An element a line. */
  readonly outline?: readonly string[];
  /** The same of frames that the page cannot read. */
  readonly frameOutlines?: readonly FrameOutline[];
  /** The same of the page soon after the network was quiet, where it was read twice. */
  readonly earlierOutline?: readonly string[];
  /** Addresses of the pictures that it showed. */
  readonly pictures?: readonly string[];
  /** True when it said that it was busy: a bar of progress, `aria-busy`. */
  readonly saysBusy?: boolean;
  /** Where it showed canvases, vector pictures, films and endless animations. */
  readonly canvases?: readonly Area[];
  /** Where it showed texts with numbers in the viewport, at the end and soon after the network was quiet. */
  readonly numbers?: readonly NumberPlace[];
  readonly earlierNumbers?: readonly NumberPlace[];
}

/** What a trace of an untimed run tells. */
export interface Traced {
  /** Only where it was asked for, and never kept: it is large. */
  readonly trace?: RecordedTrace;
  /** What the page's main thread did, in order of time; only where there was a trace. */
  readonly work?: readonly Work[];
  /** What made the page ask for its requests; absent where the browser does not tell. */
  readonly causes?: readonly ShownCause[];
  /** What made the page draw anew, frame by frame; as `causes`. */
  readonly causedFrames?: readonly CausedFrame[];
}

/** What the page itself said at the end; absent where it gave no answer. */
export interface Reported {
  readonly page?: PageTimings;
  /** What there was to be seen; absent in files of other tools. */
  readonly shown?: ShownPage;
  /** Absent in steps, and in files of other tools. */
  readonly rendered?: Rendered;
  /** When scripts changed what the document shows; only where that was asked for. */
  readonly domChanges?: readonly DomChange[];
}

/** All raw evidence of one navigation. */
export interface Recording extends Filmed, Outlined, Traced, Reported {
  readonly navigation: Navigation;
  readonly events: readonly NetworkEvent[];
  readonly marks: readonly Mark[];
  /** As the trace. */
  readonly coverage?: RecordedCoverage;
  /** As the trace. */
  readonly profile?: RecordedProfile;
  /** What was done in the steps after it; absent where there were none, or one failed. */
  readonly journey?: Journey;
  readonly hostSamples: readonly HostSample[];
  readonly mainThread: readonly MainThreadSample[];
  /** What the page's server used of the processors meanwhile; only of one that Quiesce started, where the system tells. */
  readonly serverCpuTime?: Ms;
  /** Absent where there was no frame of another site, or its clocks could not be read. */
  readonly frameThreads?: readonly FrameThread[];
  /** Absent where there was no worker, or nothing tells of its thread: systems without /proc, and browsers elsewhere. */
  readonly workerThreads?: readonly WorkerThread[];
  readonly incidents: readonly Incident[];
  /** Errors that no script caught; absent where they were not recorded. */
  readonly scriptErrors?: readonly ScriptError[];
  /** What the page's own policy refused in its document; only where it was filmed. */
  readonly policyViolations?: readonly PolicyViolation[];
  readonly bodies: readonly BodyText[];
  readonly observedUntil: Ms;
  /** How many of each CDP hop announcement were seen: the ledger against which HAR entries are counted. */
  readonly announcedHops: number;
  /** Absent where nothing was judged live. */
  readonly judging?: Judging;
  /** Set when another tool wrote it: then it lacks things, and an estimate is the best that there is. */
  readonly foreign?: ForeignSource;
}
