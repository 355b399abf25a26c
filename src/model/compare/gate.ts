/** A metric that decides: of the load and of every step of a script, or of one step alone. */
export interface Gate {
  readonly metric: string;
  /** The name of the step. */
  readonly step?: string;
}
