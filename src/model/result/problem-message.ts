/**
 * What a command sends to its parent process over Node's IPC channel, where there is one. The steps of the Action take the
 * reason from it, and not from a log in which pages and builds can write anything.
 */
export interface ProblemMessage {
  /** One sentence. */
  readonly problem: string;
}
