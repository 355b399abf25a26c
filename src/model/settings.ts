/** Which outcomes fail a job, each with those behind it: a page that does not work, gates, budgets, or none. */
export type FailOn = 'broken' | 'slower' | 'budget' | 'never';

/** Which browser, and how it is started. */
export interface BrowserSettings {
  /** Path of an executable; found when absent. */
  readonly browser?: string;
  /**
   * WebSocket address of a running browser, or the HTTP address of its DevTools; nothing is started or ended then. What
   * lets one in (a token, a login) is secret.
   */
  readonly browserWs?: string;
  /** Chrome's own sandbox. Off only where it cannot work (root) or when asked. */
  readonly sandbox: boolean;
  /** More arguments for the executable. */
  readonly browserArg: readonly string[];
}

/** A variable of a server's environment. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}
