import type { BackgroundKind } from '../background/kinds.ts';
import type { Ms } from '../units.ts';

/** What made a page complete: silence for the whole quiet window, expected content that came, or the page's own mark. */
export type DecidedBy = 'quiet-window' | 'expected-content' | 'mark';

/** Why a run that ended early is loaded again, for the whole quiet window. */
export type EndingDoubt =
  /** It did not do as the runs before it. */
  | 'ending-unconfirmed'
  /** Another run showed what a short ending would have missed. */
  | 'ending-missed';

/** What happened at the very moment that page-complete names. */
export type CompletionReason =
  /** The page's own mark was met. */
  | { readonly code: 'mark'; readonly completeOn: string }
  /** The largest content was painted. */
  | { readonly code: 'paint' }
  /** The first content was painted. */
  | { readonly code: 'first-paint' }
  /** The picture changed for the last time by the page's own work on its content. */
  | { readonly code: 'drawn' }
  /** The last response that it needed had come, or the request had failed. */
  | { readonly code: 'response'; readonly url: string; readonly failed?: true }
  /** The content that a stream brought had come. */
  | { readonly code: 'stream-content'; readonly url: string }
  /** What the script did in the step was over. */
  | { readonly code: 'action' }
  /** Its document was parsed. */
  | { readonly code: 'dom-content-loaded' }
  /** Its load event was over. */
  | { readonly code: 'load' };

/** What only more watching can answer. */
export type Question =
  /** Does what looks like background go on? */
  | { readonly code: 'goes-on'; readonly endpoint: string; readonly kind: BackgroundKind }
  /** Is what was asked again after `interval` ms asked again and again? */
  | { readonly code: 'becomes-rhythm'; readonly endpoint: string; readonly interval: Ms }
  /** Do the page's scripts ask again slowly? */
  | { readonly code: 'comes-back' };

/** What a page that is not complete still waits for. */
export type WaitingFor =
  /** An endpoint in flight, or one that broke the silence. */
  | { readonly code: 'endpoint'; readonly endpoint: string }
  /** Nothing but silence is missing. */
  | { readonly code: 'quiet-window' }
  | { readonly code: 'load-event' }
  /** Nothing that counts has been painted. */
  | { readonly code: 'first-paint' }
  /** A long task runs. */
  | { readonly code: 'main-thread' }
  /** A socket that the server has not accepted. */
  | { readonly code: 'handshake'; readonly endpoint: string }
  /** Content of a stream that another run saw. */
  | { readonly code: 'stream-content'; readonly endpoint: string }
  /** The script is still at its step. */
  | { readonly code: 'action' }
  /** The page's own mark. */
  | { readonly code: 'mark'; readonly completeOn: string }
  /** What a file does not hold: the load itself, or figures that can be. */
  | { readonly code: 'whole-recording' }
  | Question
  /** What a result says that was stored before there were codes. */
  | { readonly code: 'recorded'; readonly text: string };

/** Why a page was watched as long as it was. */
export type WatchReason =
  /** The time-out was reached. */
  | { readonly code: 'limit' }
  /** The recording ends there. */
  | { readonly code: 'recording-ends' }
  /** The page's own mark was met. */
  | { readonly code: 'mark' }
  /** Its first paint was waited for, and did not come. */
  | { readonly code: 'first-paint' }
  /** The quiet window, in ms, and what had to be watched for longer than that. */
  | { readonly code: 'quiet-window'; readonly quietWindow: Ms; readonly questions?: readonly Question[] }
  /** The short silence, in ms, after all had come that whole loads had needed; and what had to be watched for longer. */
  | { readonly code: 'expected-content'; readonly quietWindow: Ms; readonly questions?: readonly Question[] };

/** What was watched longer than the quiet window, and why. */
export interface Extension {
  /** The endpoint; empty for the page as a whole. */
  readonly endpoint: string;
  readonly until: Ms;
  /** What was to be seen of it. */
  readonly question: Question;
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
      /** Set when what whole loads had needed had come, and a short silence proved it. */
      readonly decidedBy?: 'expected-content';
      /** Set when the load event was held up by these background URLs alone, and was left out. */
      readonly withoutLoadEvent?: readonly string[];
      /** What had to be watched longer than the quiet window; absent when nothing had to. */
      readonly extended?: readonly Extension[];
    }
  | {
      /** The recording ends inside the quiet window, or before the page was done; `at` is the best guess, if any. */
      readonly state: 'unconfirmed';
      readonly at?: Ms;
      readonly waitingFor: readonly WaitingFor[];
    }
  | {
      readonly state: 'pending';
      readonly recheckAt: Ms;
      readonly waitingFor: readonly WaitingFor[];
      /** Since when everything is quiet, where nothing but silence is missing. */
      readonly quietFrom?: Ms;
    }
  | { readonly state: 'never'; readonly waitingFor: readonly WaitingFor[] };
