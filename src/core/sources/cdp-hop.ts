import type { Ms } from '../../model/units.ts';
import type { BodyStream } from './body-stream.ts';

/** The browser's monotonic clock, in seconds, as milliseconds since navigation start. */
export type ToMs = (seconds: number) => Ms;

/** One request that the browser has announced, under way: each redirect leads to another. */
export interface Hop {
  readonly id: string;
  /** The same for all hops of a request. */
  readonly requestId: string;
  /** How many redirects led to it. */
  readonly redirects: number;
  sessionId: string;
  ended: boolean;
  servedFromMemory: boolean;
  /** A body that is read in parts, and when its last bytes came. */
  body?: { readonly stream: BodyStream; lastAt: Ms };
}
