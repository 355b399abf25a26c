/** Types of the fault bench: what is injected, and what must hold. */

export type Group = 'page' | 'network' | 'devtools' | 'machine' | 'kill' | 'file' | 'secret';

/** What is known of a fault once it was injected. */
export interface Happened {
  /** What did not hold, a clause each; none when all did. */
  readonly violations: readonly string[];
  /** What the command did: its exit code, or its answer, in a few words. */
  readonly outcome: string;
  readonly seconds: number;
  /** The most memory that Quiesce itself held, bytes; absent where it ran in the bench's own process. */
  readonly peak?: number;
  /** How often it was injected in this one call: mutants are many. One when absent. */
  readonly injected?: number;
}

/** One thing that goes wrong. */
export interface Fault {
  readonly group: Group;
  readonly name: string;
  /** How often it is injected: what depends on chance, 20 times, each with a seed of its own. */
  readonly times: number;
  /** What must hold besides what always must (`mustHold` in command.ts); for the table. */
  readonly must: string;
  inject(random: () => number, lane: number): Promise<Happened>;
}

/** Things that happen at a moment that chance decides. */
export const BY_CHANCE = 20;
