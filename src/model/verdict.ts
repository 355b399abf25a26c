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

/** Why one request is background. */
export interface Verdict {
  readonly requestId: string;
  readonly kind: BackgroundKind;
  /** One clause that says what was seen, with figures. */
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
      /** Set when the load event never came because of these background URLs, and was left out. */
      readonly withoutLoadEvent?: readonly string[];
    }
  | {
      /** The recording ends inside the quiet window, or before the page was done; `at` is the best guess, if any. */
      readonly state: 'unconfirmed';
      readonly at?: Ms;
      readonly waitingFor: readonly string[];
    }
  | { readonly state: 'pending'; readonly recheckAt: Ms; readonly waitingFor: readonly string[] }
  | { readonly state: 'never'; readonly waitingFor: readonly string[] };
