import type { CommandName } from './options.ts';
import type { Given } from './settings.ts';
import type { World } from './world.ts';

/** A command. */
export interface Command {
  /** As typed; two words make a command below a command. */
  readonly name: string;
  /** Its arguments, as the help shows them. */
  readonly argument?: string;
  /** A clause for the list of commands. */
  readonly summary: string;
  /** A paragraph for its own help. */
  readonly details?: string;
  /** The name under which options claim it; none when it takes no options. */
  readonly options?: CommandName;
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Does it; the exit code comes back. */
  run(words: readonly string[], given: Given, world: World): Promise<number>;
}
