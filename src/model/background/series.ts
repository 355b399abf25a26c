import type { Request } from '../network/timeline.ts';

/** What two requests must share to be the same question asked again. */
export interface Endpoint {
  /** Method, origin, path without ids, the operation that the body names, and the sorted names of the query's parameters. */
  readonly key: string;
  /** The same for people: `GET https://example.com/users/*\/inbox?*`. */
  readonly label: string;
  /** The values that the key leaves out: by parameter name, and by position for a path's ids (`/2`). */
  readonly values: ReadonlyMap<string, string>;
}

/** The same question, asked more than once. */
export interface Series {
  readonly endpoint: Endpoint;
  /** The values that tell this question from others at the same endpoint: two rooms that are polled in turn. */
  readonly fixed: Readonly<Record<string, string>>;
  /** In order of start; at least two. */
  readonly requests: readonly Request[];
}
