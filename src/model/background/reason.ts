import type { Build } from '../compare/build.ts';
import type { Bytes, Ms } from '../units.ts';

/** Where in the page a request came from, as far as that is known. */
export interface CallSite {
  /** What scheduled the script: 'setInterval'. */
  readonly timer?: string;
  /** The script's file name; empty for the page itself. */
  readonly file?: string;
  readonly line?: number;
}

/** What a detector saw. */
export type DetectorReason =
  | {
      /** Asked again and again by a timer. */
      readonly code: 'asked-repeatedly';
      readonly times: number;
      readonly period: Ms;
      readonly deviation: Ms;
      readonly from?: CallSite;
      /** The size of the answers in the middle, and whether all have it; absent when none is known. */
      readonly size?: { readonly bytes: Bytes; readonly same: boolean };
    }
  /** The same place in a script asks for something else each time, in so many rounds. */
  /** Answered only after `held` ms, and then requested again at once. */
  | { readonly code: 'answer-held-back'; readonly times: number; readonly held: Ms; readonly from?: CallSite }
  /** A body of `multipart/x-mixed-replace`. */
  | { readonly code: 'replaces-itself'; readonly pieces: number }
  /** An answer without a length or an end that goes on, a piece every `every` ms. */
  | {
      readonly code: 'endless-answer';
      readonly open: Ms;
      readonly pieces: number;
      readonly every: Ms;
      readonly from?: CallSite;
    }
  /** Such an answer that fell silent; `bytes` had come, none when it is absent. */
  | {
      readonly code: 'silent-answer';
      readonly open: Ms;
      readonly silence: Ms;
      readonly bytes?: Bytes;
      readonly from?: CallSite;
    }
  /** Failed and came back again and again, with the browser's error or the server's status. */
  | {
      readonly code: 'keeps-failing';
      readonly times: number;
      readonly within: Ms;
      readonly error?: string;
      readonly status?: number;
      readonly period: Ms;
      readonly from?: CallSite;
    }
  | { readonly code: 'ping' }
  | { readonly code: 'csp-report' }
  | { readonly code: 'keepalive'; readonly from?: CallSite }
  /** Answered without a body: with 204, or with a body of no bytes. */
  | { readonly code: 'no-content'; readonly status: number; readonly from?: CallSite }
  /** A picture of so few bytes that is in no document. */
  | { readonly code: 'tracking-pixel'; readonly bytes: Bytes; readonly from?: CallSite }
  /** A stream that a script reads by fetch or XHR, known by its content type. */
  | {
      readonly code: 'read-event-stream';
      /** Absent in results of older versions: `text/event-stream`. */
      readonly mimeType?: string;
      readonly type: string;
      readonly pieces: number;
      readonly from?: CallSite;
    }
  | {
      readonly code: 'event-source';
      /** Absent where the file of another tool has none. */
      readonly messages?: number;
      readonly state: 'open' | 'came-back' | 'just-ended';
      readonly from?: CallSite;
    }
  | { readonly code: 'web-socket'; readonly messages: number; readonly from?: CallSite }
  | { readonly code: 'web-transport' }
  /** Fetched ahead for a page that may come next. */
  | { readonly code: 'fetched-ahead' }
  /** Fetched by the browser for a player. */
  | { readonly code: 'played' }
  /** Fetched by a player's script. */
  | { readonly code: 'played-by-script'; readonly mimeType: string; readonly from?: CallSite }
  /** Fetched by the browser for itself. */
  | { readonly code: 'browser-own'; readonly what: 'manifest' | 'icon' | 'dictionary' }
  /** A service worker's script, or what it fetched while nothing of the page waited for it. */
  | { readonly code: 'own-cache'; readonly what: 'script' | 'cache' }
  /** Not ended for `silence` ms, answered or not, and nothing waits for it. */
  | { readonly code: 'hung'; readonly answered: boolean; readonly silence: Ms; readonly from?: CallSite };

/** What it belongs to, or who says so. */
export type BelongsReason =
  /** Loaded by a frame that is itself loaded again and again. */
  | { readonly code: 'in-repeated-frame' }
  /** The preflight of a background request. */
  | { readonly code: 'preflight' }
  /** A hop of a background request's redirect. */
  | { readonly code: 'redirect' }
  /** The user named it with --background. */
  | { readonly code: 'named'; readonly pattern: string }
  /** Taken for background to see what that would change; never shown. */
  | { readonly code: 'supposed' };

/** What the film shows after the `times` parts of an endpoint's traffic. */
export type FilmReason =
  | { readonly code: 'nothing-came' }
  /** It was in no film. */
  | { readonly code: 'not-filmed' }
  /** Nothing changed; `unclear`: how often it did with other things beside it; `notices`: something came and went again. */
  | {
      readonly code: 'no-change';
      readonly times: number;
      readonly unclear: number;
      readonly movingParts: boolean;
      readonly notices?: true;
    }
  | { readonly code: 'too-late'; readonly times: number }
  | { readonly code: 'before-film'; readonly times: number }
  | { readonly code: 'with-others'; readonly times: number }
  | { readonly code: 'too-dense'; readonly times: number }
  | { readonly code: 'maybe-chance'; readonly times: number; readonly changed: number }
  /** It went on changing after `changed` of them, `late` of them since the page was complete. */
  | {
      readonly code: 'keeps-changing';
      readonly times: number;
      readonly changed: number;
      readonly late: number;
      readonly movingParts: boolean;
    }
  /** It changed up to the part of this number, and after none of the `after` that followed. */
  | {
      readonly code: 'changed-at-first';
      readonly times: number;
      readonly upTo: number;
      readonly after: number;
      readonly movingParts: boolean;
    };

/** What holding it back, or other runs, showed. */
export type ProofReason =
  | { readonly code: 'same-without-it' }
  | { readonly code: 'different-without-it' }
  | { readonly code: 'held-back' }
  /** Asked several times, and then done. */
  | { readonly code: 'done' }
  /** Answered after `after` ms in an untimed run: slow, not hung. */
  /** A service worker fetched it for its cache, and the page read it there. */
  | { readonly code: 'read-from-cache' }
  /** A stream that came to its end. */
  | { readonly code: 'ended' }
  /** Content in so many of the runs that saw enough of it. */
  | { readonly code: 'content-in-runs'; readonly runs: number; readonly of: number };

/** Why a request or an endpoint is background, or is not. */
export type VerdictReason =
  | DetectorReason
  | BelongsReason
  | FilmReason
  | ProofReason
  /** Seen in so many of the runs that met it. */
  | { readonly code: 'in-runs'; readonly reason: VerdictReason; readonly runs: number; readonly of: number }
  /** Seen in the other build. */
  | { readonly code: 'in-build'; readonly reason: VerdictReason; readonly build: Build }
  /** Seen in the evidence run, which watches longest. */
  | { readonly code: 'in-evidence-run'; readonly reason: VerdictReason }
  /** What a file says that was read: its text alone. */
  | { readonly code: 'recorded'; readonly text: string };

/** Who overruled a detector: the user with --foreground, or what other runs taught. */
export type OverrulingReason = VerdictReason | { readonly code: 'foreground'; readonly pattern: string };
