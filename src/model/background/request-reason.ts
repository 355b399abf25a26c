import type { Ms } from '../units.ts';

/** What another request is asked for by, or waits for. */
export interface RequestSource {
  readonly url: string;
  /** It is the page's own document. */
  readonly isPage: boolean;
}

/** How a request of the critical path came to be asked for. */
export type RequestReason = Cause & {
  /** It is the preflight (CORS) of what was asked for that way. */
  readonly preflight?: true;
  /** A timer of that code did. */
  readonly timer?: true;
  /** What had to come, or to fail, before it could be asked for. */
  readonly awaited?: RequestSource & {
    readonly failed: boolean;
    /** It was a message of it, which may go on. */
    readonly message?: true;
  };
};

type Cause =
  /** The navigation began with it. */
  | { readonly code: 'navigation' }
  /** It was sent after its preflight. */
  | { readonly code: 'preflight-answered' }
  | { readonly code: 'redirected' }
  /** It replaced another document. */
  | { readonly code: 'replaced'; readonly by: RequestSource }
  /** Found by the parser; in which document and line, where that is known. */
  | { readonly code: 'parser'; readonly by?: RequestSource; readonly line?: number }
  | { readonly code: 'preload'; readonly by: RequestSource; readonly line?: number }
  /** Asked for by a file: a script, a style sheet. */
  | { readonly code: 'file'; readonly by: RequestSource; readonly line?: number }
  /** Asked for by a script that is not known. */
  | { readonly code: 'script' }
  /** Asked for by a script in a document. */
  | { readonly code: 'inline-script'; readonly by: RequestSource; readonly line?: number }
  /** It is not known who asked; this had come `since` ms before, which shows nothing. Absent in results of earlier versions. */
  | { readonly code: 'after'; readonly by: RequestSource & { readonly failed?: true }; readonly since?: Ms };

/**
 * What made a step of the critical path begin: `parser` – it stands in a document or a file · `script` – code that ran asked
 * for it · `response` – an answer that code waited for, a redirect · `message` – of a socket, a stream, a worker, a frame ·
 * `render` – style, layout or a frame of the display · `timer` · `unknown` – nothing shows what it was.
 */
export type RequestCause = 'parser' | 'script' | 'response' | 'message' | 'render' | 'timer' | 'unknown';
