import type { RequestCause } from '../background/request-reason.ts';
import type { StepPlace } from '../main-thread.ts';
import type { Ms } from '../units.ts';

/** What made a page ask for something, as its untimed load has shown. */
export interface ShownCause {
  /** The browser's id of the request. */
  readonly requestId: string;
  readonly url: string;
  readonly cause: RequestCause;
  /** The request whose answer, message or code led there, by the browser's id; absent where that is not known. */
  readonly by?: string;
  /** Its address. */
  readonly byUrl?: string;
  /** The innermost function that asked. */
  readonly place?: StepPlace;
}

/** A request's address, and how it was asked for. */
interface AskedAddress {
  readonly method: string;
  readonly url: string;
}

/** The same for every load of the page, by addresses. */
export interface KnownCause extends AskedAddress {
  readonly cause: RequestCause;
  readonly by: AskedAddress;
  readonly place?: StepPlace;
}

/** Changes that one run of code made in documents, in one frame. */
export interface CausedChange {
  /** The request whose answer, message or code had led to it, by the browser's id; absent of a document's own code. */
  readonly requestId?: string;
  /** When the code that this set going began to run: long before, where a timer lies between. */
  readonly since: Ms;
  /** The last change. */
  readonly at: Ms;
}

/** A frame that a page made because something had changed in its documents. */
export interface CausedFrame {
  /** When the page handed it over to be drawn. */
  readonly at: Ms;
  readonly by: readonly CausedChange[];
  /** Something changed of which the cause is not known. */
  readonly unclear?: true;
}
