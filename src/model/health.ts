import type { ResourceType } from './network/network.ts';
import type { Ms } from './units.ts';

/** An error that no script caught, or a rejected promise without a handler. */
export interface ScriptError {
  readonly at: Ms;
  /** The first line, such as "TypeError: x is undefined". */
  readonly message: string;
  /** The script that threw; absent where the browser does not know. */
  readonly url?: string;
  /** From 1. */
  readonly line?: number;
}

/** A script or style sheet in the document itself that the page's own content security policy refused. */
export interface PolicyViolation {
  /** Such as 'script-src-elem'. */
  readonly directive: string;
}

/** What there was to be seen in the page when watching ended. */
export interface ShownPage {
  readonly title: string;
  /** Letters of text that are visible anywhere in the page. */
  readonly letters: number;
  /** Is anything drawn besides text: an image, a canvas, a control, a coloured area? */
  readonly isDrawn: boolean;
  /** A field for a password is to be seen; absent where there is none. */
  readonly asksPassword?: true;
  /** Short pieces of visible text that speak of an error, in the order of the page. */
  readonly errors: readonly ShownError[];
}

/** A visible text that speaks of an error. */
export interface ShownError {
  readonly text: string;
  /** It is marked up as an error: by its role, a class, or the element of a development tool. */
  readonly isMarked: boolean;
  /** A heading of the first level, or the title. */
  readonly isHeading: boolean;
}

/** A request that the page needed and did not get. */
export interface FailedRequest {
  readonly url: string;
  readonly method: string;
  readonly type: ResourceType;
  /** Absent where no answer came. */
  readonly status?: number;
  /** Why there is none, in the browser's words. */
  readonly error?: string;
  /** Can the page not do without it? */
  readonly isNeeded: boolean;
}
