import type { RequestCause } from '../background/request-reason.ts';
import type { StepPlace } from '../main-thread.ts';

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
