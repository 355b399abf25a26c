import path from 'node:path';
import { type EndedCommand, runGroup } from './command-group.ts';
import { outsideOfHooks } from './git.ts';

/** What is to be built. */
export interface BuildRequest {
  /** A line for the shell. */
  readonly command: string;
  readonly folder: string;
  /** The topmost folder of the tree that is built. */
  readonly top: string;
  /** That of the user's own work tree, which may be the same. */
  readonly ownTop: string;
  readonly signal: AbortSignal;
  /** Told what it writes to either stream, line by line. */
  said(lines: readonly string[]): void;
}

/** A line that is longer is told in pieces, letters: some builds print all that they know as one line of JSON. */
const LONGEST_LINE = 64 * 1024;
/** Where programs of installed packages lie. */
const INSTALLED = path.join(path.sep, 'node_modules', '.bin');

/**
 * Runs a build with the environment of this process, and ends what it leaves running: it would be measured, too.
 *
 * @throws UsageError `interrupted` when the signal ended it
 */
export async function runBuild(request: BuildRequest): Promise<EndedCommand> {
  const { command, folder, signal, said } = request;
  let begun = '';
  const tell = (lines: readonly string[]) => {
    const full = lines.filter((line) => line.trim() !== '');
    if (full.length > 0) said(full);
  };
  const heard = (text: string) => {
    const lines = (begun + text).split(/\r?\n|\r/);
    begun = lines.pop() ?? '';
    if (begun.length > LONGEST_LINE) {
      lines.push(begun);
      begun = '';
    }
    tell(lines);
  };
  const env = withOwnPrograms(outsideOfHooks(process.env), request);
  const ended = await runGroup({ command, folder, env, heard }, signal);
  tell([begun]);
  return ended;
}

/**
 * `npx` and `npm run` put what is installed in the work tree on the PATH. Another tree is built with what is installed
 * there, or the two would be built by the same compiler though they ask for different ones.
 */
function withOwnPrograms(env: NodeJS.ProcessEnv, { top, ownTop }: BuildRequest): NodeJS.ProcessEnv {
  const moved = (folder: string) =>
    folder.startsWith(ownTop + path.sep) && folder.endsWith(INSTALLED) ? top + folder.slice(ownTop.length) : folder;
  const known = Object.entries(env).map(([name, value]) => {
    // Where the case of letters does not matter it may be called "Path".
    const isPath = name.toUpperCase() === 'PATH';
    return [name, isPath ? value?.split(path.delimiter).map(moved).join(path.delimiter) : value];
  });
  return Object.fromEntries(known);
}
