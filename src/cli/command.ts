import type { RawOptions } from '../settings/gather.ts';
import type { CommandName } from '../settings/options.ts';
import type { World } from './world.ts';

/** A command. */
export interface Command {
  /** As typed; two words make a command below a command. */
  readonly name: string;
  /** Its arguments, as the help shows them. */
  readonly argument?: string;
  /** True for commands that people do not type: only their own help shows them. */
  readonly hidden?: boolean;
  /** A clause for the list of commands. */
  readonly summary: string;
  /** A paragraph for its own help. */
  readonly details?: string;
  /** The name that options use for it; none if it takes no options. */
  readonly options?: CommandName;
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Runs it and returns the exit code. */
  run(words: readonly string[], given: RawOptions, world: World): Promise<number>;
}
