/** Why GitHub did not do what it was asked for, or cannot be asked. */
export type GithubFault =
  | { readonly code: 'no-api-url' | 'other-origin' | 'limited' | 'late' | 'broken' }
  /** Its answers are not what it documents, or do not show what was written. */
  | { readonly code: 'list-unreadable' | 'answer-unreadable' | 'too-long' | 'not-shown' }
  /** `error`: the code of Node's error. */
  | { readonly code: 'lost'; readonly error: string }
  /** `message`: GitHub's own, empty when it gives none. */
  | { readonly code: 'status'; readonly status: number; readonly message: string };

/** Why it is not known to which pull request a result belongs. `event`: what started the job. */
export type PullFault =
  | { readonly code: 'other-event'; readonly event: string }
  | { readonly code: 'branch-gone' | 'no-such-head' };

/** Why a server that was started is not ready. `error`: the code or the name of Node's error. */
export type ServerFault =
  | { readonly code: 'refused' | 'slow' }
  | { readonly code: 'status'; readonly status: number }
  | { readonly code: 'failed'; readonly error: string };
