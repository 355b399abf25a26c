import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { withoutHookVariables } from '../git/git.ts';
import { type EndedCommand, runGroup } from './command-group.ts';
import { inheritedEnvironment } from './inherited-environment.ts';
import { lineCutter } from './lines.ts';
import { endMarkedProcesses } from './marked-processes.ts';

/** What is to be built. */
export interface BuildRequest {
  /** A line for the shell. */
  readonly command: string;
  readonly folder: string;
  /** The top folder of the tree that is built. */
  readonly top: string;
  /** The top folder of the user's own work tree, which may be the same. */
  readonly ownTop: string;
  readonly signal: AbortSignal;
  /** Called with what it writes to either stream, line by line. */
  onLines(lines: readonly string[]): void;
}

/** The variable by which the processes of a build are known. */
const BUILD = '_QUIESCE_BUILD';
/** Where the programs of installed packages are. */
const INSTALLED = path.join(path.sep, 'node_modules', '.bin');

/**
 * Runs a build with the environment of this process, and ends what it leaves running: that would disturb the measurement.
 *
 * @throws QuiesceError `interrupted` when the signal ended it
 */
export async function runBuild(request: BuildRequest): Promise<EndedCommand> {
  const { command, folder, signal, onLines } = request;
  const output = lineCutter(onLines);
  const inherited = environmentIn(request);
  const build = randomUUID();
  try {
    const env = { ...inherited, [BUILD]: build };
    const ended = await runGroup({ command, folder, env, onOutput: output.add }, signal);
    output.end();
    return ended;
  } finally {
    // Daemons of package managers and compilers have left the group.
    endMarkedProcesses(`${BUILD}=${build}`);
  }
}

/** What programs of a tree inherit from this process: nothing of a git hook, and the programs that are installed in the tree. */
export function environmentIn(trees: Pick<BuildRequest, 'top' | 'ownTop'>): NodeJS.ProcessEnv {
  return withOwnPrograms(withoutHookVariables(inheritedEnvironment()), trees);
}

/**
 * `npx` and `npm run` put the programs that are installed in the work tree on the PATH. Here they are replaced by those of
 * the tree that is built: otherwise both would be built by the same compiler, though they may ask for different ones.
 */
function withOwnPrograms(
  env: NodeJS.ProcessEnv,
  { top, ownTop }: Pick<BuildRequest, 'top' | 'ownTop'>,
): NodeJS.ProcessEnv {
  const moved = (folder: string) =>
    folder.startsWith(ownTop + path.sep) && folder.endsWith(INSTALLED) ? top + folder.slice(ownTop.length) : folder;
  const known = Object.entries(env).map(([name, value]) => {
    // On Windows it may be called "Path".
    const isPath = name.toUpperCase() === 'PATH';
    return [name, isPath ? value?.split(path.delimiter).map(moved).join(path.delimiter) : value];
  });
  return Object.fromEntries(known);
}
