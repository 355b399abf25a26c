import type { ExpectedContent } from '../completion/expected.ts';
import type { Timeline } from '../network/timeline.ts';
import type { Bytes, Ms } from '../units.ts';
import type { BackgroundKind } from './kinds.ts';
import type { OverrulingReason, VerdictReason } from './reason.ts';
import type { Series } from './series.ts';

export type { BackgroundKind };

export const CONFIDENCES = ['certain', 'likely', 'possible'] as const satisfies readonly string[];

/** How sure a verdict is: from the protocol itself · from behaviour seen · from little. */
export type Confidence = (typeof CONFIDENCES)[number];

export const IMPACTS = ['none', 'first-content', 'continuous', 'unknown'] as const satisfies readonly string[];

/**
 * What an endpoint's traffic changed in the viewport: nothing · its first parts brought content · it keeps changing what
 * is seen · nobody could tell.
 */
export type VisualImpact = (typeof IMPACTS)[number];

/** Why one request is background. */
export interface Verdict {
  readonly requestId: string;
  readonly kind: BackgroundKind;
  /** What was seen, with figures. */
  readonly reason: VerdictReason;
  readonly confidence: Confidence;
  /** The part of the request that is content nevertheless: a stream up to its first message. Absent: nothing of it. */
  readonly counts?: Span;
  /** How many of its messages are content so far, where other runs showed which are. */
  readonly parts?: number;
  /** Content of it that another run saw was awaited, and none of it came: the answer cannot be confirmed. */
  readonly missing?: true;
  /** What traffic of its endpoint changed on the screen, where other runs were filmed. */
  readonly impact?: VisualImpact;
  /**
   * When it will have been watched long enough to tell it from content that takes its time (a job that is asked for
   * until it is done, a stream that ends). Absent: decided as it stands.
   */
  readonly decidedAt?: Ms;
}

/** The verdicts on what is background, by the hop's id. */
export type Verdicts = ReadonlyMap<string, Verdict>;

/** A verdict that does not stand. */
export interface Overruled extends Verdict {
  /** Who overruled it. */
  readonly by: OverrulingReason;
}

/** A stretch of time, in which something was in flight; `to` is absent while it still is. */
export interface Span {
  readonly from: Ms;
  readonly to?: Ms;
}

/**
 * What other runs of the same page taught about an endpoint: an endpoint is background in all runs or in none, and a
 * timed run need not watch again what an untimed one has watched to its end.
 */
export interface EndpointRule {
  /** The endpoint's key (`endpointOf`). */
  readonly endpoint: string;
  /** Values of parameters that tell one question at the endpoint from another: `{ room: '7' }`. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** As what it is background; absent for content. */
  readonly kind?: BackgroundKind;
  /**
   * What of it is content all the same, in order: what an arrival is like decides. Absent when nobody could tell, and the
   * detector's own rule stands; empty when nothing of it is content.
   */
  readonly content?: readonly ContentKind[];
  /** Of a series that ended where it was learnt: how long it took from its first request to its last, ms. */
  readonly lasted?: Ms;
  /** What of it is content draws next to nothing: the page is mostly complete without it. */
  readonly small?: true;
  /** Shown of the page of one build: the other build's page may not need it. */
  readonly ofBuild?: true;
  /** What its traffic changed on the screen, where it was looked at. */
  readonly impact?: VisualImpact;
  readonly reason: VerdictReason;
  readonly confidence: Confidence;
}

/**
 * Arrivals of a source, answers of a series or messages of a stream, by what they are like, and which of them are content. A
 * count alone would not carry to another load or another connection: it is what is left where nothing else tells them apart.
 */
export interface ContentKind {
  /** As `likeOf` in core/background/content/source.ts says it; absent for any. */
  readonly shape?: string;
  /** Of answers: how large one is, decoded, in the load that taught it. */
  readonly bytes?: Bytes;
  /** Which of them are content: all · those that are about something new · so many of the first; 0 for updates. */
  readonly counts: 'all' | 'places' | number;
  /** The key, as a hash, of the field that says what a message is about, where only the film showed which that is. */
  readonly about?: string;
  /** How long after the source's first request the first one came where it was learnt, ms. */
  readonly by?: Ms;
}

/** A pure rule that recognises one kind of background traffic. `requestId` of its verdicts is the hop's `id`. */
export interface Detector {
  /** @param series the questions of the timeline that were asked more than once: several detectors look at them */
  detect(timeline: Timeline, observation: Observation, series: readonly Series[]): readonly Verdict[];
}

/** How long is watched before something is called background, or content, ms. */
export interface Observation {
  /**
   * How long traffic is watched before it is called background. What ends within it is content that took its time: a job
   * that is asked for until it is done, a stream that ends, a list that is fetched page by page.
   */
  readonly suspectMs: Ms;
  /** The same where nothing comes any more, or never came: a slow server looks like that too. */
  readonly silentMs: Ms;
  /** The same in the evidence run, which is there to see how things end. */
  readonly thoroughMs: Ms;
  /** The same in the evidence run for what was not answered. */
  readonly thoroughSilentMs: Ms;
  /** How long the evidence run watches a page that has scripts, so that slow periods and late content show themselves. */
  readonly thoroughWatchMs: Ms;
  /** A question that was asked twice is awaited once more, unless it took longer than this to come back. */
  readonly longestPeriodMs: Ms;
}

/** A request that comes late, and counts. */
export interface AwaitedContent {
  /** The endpoint's key (`endpointOf`). */
  readonly endpoint: string;
  /** When it had come where it was learnt. */
  readonly by: Ms;
}

/** What counts as complete. Times in milliseconds. */
export interface Policy {
  /** The silence that proves completion; not part of the time. */
  readonly quietWindow: number;
  /** Foreground requests that may be in flight in the quiet window. */
  readonly maxInflight: number;
  /** The hard cap on watching. */
  readonly timeout: number;
  /** How long suspects are watched. */
  readonly observation: Observation;
  /** URL patterns (`*` matches anything) that are background whatever they do. */
  readonly background: readonly string[];
  /** URL patterns that are foreground whatever a detector says. */
  readonly foreground: readonly string[];
  /** The page's own mark, when the user gave one: 'selector', 'mark:name' or 'js:expression'. */
  readonly completeOn?: string;
  /** What other runs have taught; nothing when absent. The user's patterns come before it. */
  readonly learnt?: readonly EndpointRule[];
  /** What whole loads needed: once that has come, a short silence suffices. Absent: the whole quiet window is waited for. */
  readonly expected?: ExpectedContent;
  /** Content that an untimed run saw come after a whole quiet window, and that is to be waited for. */
  readonly awaited?: readonly AwaitedContent[];
  /** Watch longer than the answer needs, so that slow periods, late ends and late answers are seen: the evidence run. */
  readonly thorough?: boolean;
}

/** The policy that all runs of a page were judged with; what they taught each other is its `background`. */
export type PagePolicy = Omit<Policy, 'learnt' | 'thorough'>;
