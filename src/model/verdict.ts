import type { Timeline } from './timeline.ts';
import type { Ms } from './units.ts';

/** The kinds of traffic that only keeps the wire busy. */
export type BackgroundKind =
  | 'websocket'
  | 'webtransport'
  | 'sse'
  | 'http-stream'
  | 'long-poll'
  | 'poll'
  | 'reconnect'
  | 'beacon'
  | 'speculative'
  | 'media'
  | 'browser-internal'
  | 'hung'
  | 'user';

/** How sure a verdict is: from the protocol itself · from behaviour seen · from little. */
export type Confidence = 'certain' | 'likely' | 'possible';

/**
 * What an endpoint's traffic changed in the viewport: nothing · its first parts brought content · it keeps changing what
 * is seen · nobody could tell.
 */
export type VisualImpact = 'none' | 'first-content' | 'continuous' | 'unknown';

/** Why one request is background. */
export interface Verdict {
  readonly requestId: string;
  readonly kind: BackgroundKind;
  /** One clause that says what was seen, with figures. */
  readonly because: string;
  readonly confidence: Confidence;
  /** The part of the request that is content nevertheless: a stream up to its first message. Absent: nothing of it. */
  readonly counts?: Span;
  /**
   * When it will have been watched long enough to tell it from content that takes its time (a job that is asked for
   * until it is done, a stream that ends). Absent: decided as it stands.
   */
  readonly decidedAt?: Ms;
}

/** A verdict that does not stand. */
export interface Overruled extends Verdict {
  /** Who overruled it: "--foreground /chat". */
  readonly by: string;
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
export interface Learnt {
  /** The endpoint's key (`endpointOf`). */
  readonly endpoint: string;
  /** Values of parameters that tell one question at the endpoint from another: `{ room: '7' }`. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** As what it is background; absent for content. */
  readonly kind?: BackgroundKind;
  /**
   * How many of its first answers (a series) or first messages and pieces (a stream) are content all the same; absent
   * when nobody could tell, and the detector's own rule stands.
   */
  readonly contentParts?: number;
  /** What its traffic changed on the screen, where it was looked at. */
  readonly impact?: VisualImpact;
  readonly because: string;
  readonly confidence: Confidence;
}

/** A pure rule that recognises one kind of background traffic. `requestId` of its verdicts is the hop's `id`. */
export interface Detector {
  readonly name: string;
  detect(timeline: Timeline): readonly Verdict[];
}

/** What counts as complete. Times in milliseconds. */
export interface Policy {
  /** The silence that proves completion; not part of the time. */
  readonly quietWindow: number;
  /** Foreground requests that may be in flight in the quiet window. */
  readonly maxInflight: number;
  /** The hard cap on watching. */
  readonly timeout: number;
  /** URL patterns (`*` matches anything) that are background whatever they do. */
  readonly background: readonly string[];
  /** URL patterns that are foreground whatever a detector says. */
  readonly foreground: readonly string[];
  /** The page's own mark, when the user gave one: 'selector', 'mark:name' or 'js:expression'. */
  readonly completeOn?: string;
  /** What other runs have taught; nothing when absent. The user's patterns come before it. */
  readonly learnt?: readonly Learnt[];
  /** Watch longer than the answer needs, so that slow periods, late ends and late answers are seen: the evidence run. */
  readonly thorough?: boolean;
}

/** What was watched longer than the quiet window, and why. */
export interface Extension {
  /** The endpoint, for people. */
  readonly endpoint: string;
  readonly until: Ms;
  readonly why: string;
}

/** The answer to "is the page complete, and since when". Times are `Ms`. */
export type PageComplete =
  | {
      readonly state: 'complete';
      readonly at: Ms;
      /** When the network had delivered what the page needed. */
      readonly networkAt: Ms;
      /** The moment at which the evidence sufficed. */
      readonly decidedAt: Ms;
      /** Set when the load event was held up by these background URLs alone, and was left out. */
      readonly withoutLoadEvent?: readonly string[];
      /** What had to be watched longer than the quiet window; absent when nothing had to. */
      readonly extended?: readonly Extension[];
    }
  | {
      /** The recording ends inside the quiet window, or before the page was done; `at` is the best guess, if any. */
      readonly state: 'unconfirmed';
      readonly at?: Ms;
      readonly waitingFor: readonly string[];
    }
  | { readonly state: 'pending'; readonly recheckAt: Ms; readonly waitingFor: readonly string[] }
  | { readonly state: 'never'; readonly waitingFor: readonly string[] };
