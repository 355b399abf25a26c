import type { CodePlace, ScriptPlace } from '../main-thread.ts';
import type { Bytes, Ms } from '../units.ts';

/**
 * What made a build slower or faster:
 * `function` – a function takes longer · `script` – a script does, in functions too small to be named · `style-layout` –
 * style and layout do · `new-request`, `gone-request` – only one build waits for it · `size` – its answer is larger ·
 * `server` – its server answers later · `requester` – something else asks for it, later · `start` – what asks for it is
 * the only code that has changed, and does so later · `only-change` – it is the only file that has changed, and something is asked
 * for later · `unproven` – nothing is proven; this is the largest difference that was seen.
 */
export type WhyCode =
  | 'function'
  | 'script'
  | 'style-layout'
  | 'new-request'
  | 'gone-request'
  | 'size'
  | 'server'
  | 'requester'
  | 'start'
  | 'only-change'
  | 'unproven';

/**
 * One reason why the candidate is slower (times above 0) or faster (below). The reasons never add up to more than the
 * change; what they leave is `unexplained`.
 */
export interface Why {
  readonly code: WhyCode;
  /** How much of the change it explains: what it takes itself, and never more than was left to be explained. Absent where no time is proven. */
  readonly ms?: Ms;
  /** The interval of it. */
  readonly low?: Ms;
  readonly high?: Ms;
  /** How much longer it takes itself, where that is more than it explains: the rest of it was not waited for. */
  readonly takes?: Ms;
  /** The script, style sheet or request that it is about; of `requester` and `start` what was asked for. */
  readonly url?: string;
  /** Where in a script: the function, or the line that asks for the request. */
  readonly place?: WhyPlace;
  /** What asks for the request, and what asked for it in the base: of `requester` and `start`. */
  readonly by?: string;
  readonly before?: string;
  /** Of `only-change`: what is asked for later. */
  readonly request?: string;
  /** Of `only-change`: others have changed, but it is the only one that led to the request. */
  readonly led?: true;
  /** True where `by` was not in the other build. */
  readonly newBy?: true;
  /** Of `unproven`: the only build that has the file. */
  readonly only?: 'base' | 'candidate';
  /** Of `size`, `new-request` and `gone-request`: how many bytes more there are on the wire. */
  readonly bytes?: Bytes;
}

/** A function, or a line in one. */
export interface WhyPlace extends CodePlace {
  readonly name?: string;
}

/** Why two builds differ. */
export interface WhyFacts {
  /** Proven things first: code, requests, then what is asked for later. Absent where neither build is slower. */
  readonly why?: readonly Why[];
  /** What they leave of the change, ms. */
  readonly unexplained?: Ms;
}

/** What the evidence run tells of a file that it loaded; it serves to tell which files of two builds differ. */
export interface LoadedFile {
  readonly url: string;
  /** Of its text (of a document: of the code that stands in it) without the hashes in the names of other files. Absent where it has none. */
  readonly hash?: string;
  /** The code that asked for it, which timed loads do not always tell: of an image that a script put into the page. */
  readonly askedBy?: ScriptPlace;
  /** All that is known to have led to it, back to the page: addresses of code and of responses. Absent where a cause is unknown. */
  readonly causes?: readonly string[];
}

/** Who asked for a request. */
export interface AskedByFile {
  /** Markup or a style sheet names it · a script asks. */
  readonly kind: 'markup' | 'script';
  readonly url: string;
  readonly line?: number;
  readonly column?: number;
  readonly name?: string;
}

/** When a load asked for the first request of a name, and how long it took. */
export interface RequestTiming {
  readonly startedAt: Ms;
  readonly endedAt: Ms;
  /** From when it was sent until its answer began: without the wait for a connection. */
  readonly wait: Ms;
  readonly receive: Ms;
  /** Of its body, decoded. */
  readonly contentSize: Bytes;
  /** Absent where the browser does not tell. */
  readonly askedBy?: AskedByFile;
  /** The document is not parsed any further before it has come. */
  readonly blocking?: true;
}
