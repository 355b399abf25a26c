import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { isFolder } from '../disk/is-file.ts';
import { makeTemporaryFolder } from '../disk/leftovers.ts';
import { atExit } from '../process/at-exit.ts';
import { runGroup } from '../process/command-group.ts';
import { gitCommand, workTreesOf } from './git.ts';
import { submodulesOf } from './submodules.ts';

/** A commit that is checked out beside the user's own work tree. */
export interface CheckedOut {
  /** Its top folder, without symbolic links. */
  readonly folder: string;
  /** Removes it, and git's record of it. */
  close(): Promise<void>;
  /** Leaves its files where they are, as a plain folder. */
  keep(): Promise<void>;
}

/** What to check out. */
export interface CheckoutRequest {
  /** A folder of the repository. */
  readonly repository: string;
  /** Full hash. */
  readonly commit: string;
  /** The name by which the user asked for it. */
  readonly name: string;
  /** Paths of submodules that are left empty, with slashes. */
  readonly without: readonly string[];
  readonly signal: AbortSignal;
  /** An empty folder to check it out in, which is removed with it; a temporary one when absent. */
  readonly around?: string | undefined;
  /** Called with the last lines of git's output when it failed. */
  onFailure(lines: readonly string[]): void;
}

/** How the name of the folder around a work tree begins. */
const PARENT = 'quiesce-base-';
/** How long git may take to remove its record of a work tree, ms. */
const REMOVE_TIMEOUT_MS = 10_000;
/**
 * Git reads its records of all work trees, and fails when another process is adding or removing one:
 * "failed to read .git/worktrees/shop1/commondir".
 */
const CONFLICT = /failed to read .*\bworktrees[\\/]|could not create directory of .*\bworktrees[\\/]/;
/** How often it is tried when there is such a conflict. */
const TRIES = 10;
/** The pause between two tries, ms. */
const RETRY_MS = 50;

/**
 * Checks a commit out in a temporary folder, with its submodules, as a work tree of the same repository: nothing is
 * cloned, and the user's own work tree, index and branches are not touched. No hook is run. It is removed by `close`, and
 * at the exit of this process; what one that was killed has left, by the next one.
 *
 * @throws QuiesceError `ref-checkout-failed`, or `interrupted`; nothing is left then
 */
export async function checkOut(request: CheckoutRequest): Promise<CheckedOut> {
  const { repository, commit } = request;
  const parent = request.around ?? (await makeTemporaryFolder(PARENT));
  await forgetLeft(repository, path.join(path.dirname(parent), request.around === undefined ? PARENT : ''));
  // With the same name: some builds write it into their pages.
  const folder = path.join(parent, path.basename(repository) || 'base');
  const cancelAtExit = atExit(() => {
    try {
      rmSync(parent, { recursive: true, force: true });
    } finally {
      removeRecord(repository, folder);
    }
  });
  const close = async (): Promise<void> => {
    // What cannot be removed stays in the folder for temporary files.
    await rm(parent, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    removeRecord(repository, folder);
    cancelAtExit();
  };
  const keep = async (): Promise<void> => {
    // Git removes a record and the files, but only the record of files that are not there.
    const aside = `${folder}.aside`;
    await rename(folder, aside);
    removeRecord(repository, folder);
    await rename(aside, folder);
    await rm(path.join(folder, '.git'), { force: true });
    cancelAtExit();
  };
  try {
    await run(request, repository, 'worktree', 'add', '--quiet', '--detach', folder, commit);
    await checkOutSubmodules(request, folder);
    return { folder, close, keep };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Not "worktree prune": it would also remove the records of work trees on disks that are not mounted now. */
function removeRecord(repository: string, folder: string): void {
  const { command, env } = gitCommand(repository, 'worktree', 'remove', '--force', '--force', folder);
  for (let left = TRIES; left > 0; left -= 1) {
    const { stderr } = spawnSync(command[0], command.slice(1), {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: REMOVE_TIMEOUT_MS,
      windowsHide: true,
    });
    if (!CONFLICT.test(stderr ?? '')) return;
  }
}

/** Removes git's records of work trees whose paths began like this, and which are not there any more. */
async function forgetLeft(repository: string, beginning: string): Promise<void> {
  for (const folder of await workTreesOf(repository)) {
    if (folder.startsWith(beginning) && !(await isFolder(folder))) removeRecord(repository, folder);
  }
}

/** One level after the other: git can leave out submodules of a submodule only when it runs inside that submodule. */
async function checkOutSubmodules(request: CheckoutRequest, top: string, below = ''): Promise<void> {
  const folder = path.join(top, below);
  const active: string[] = ['.'];
  const wanted: string[] = [];
  for (const each of await submodulesOf(folder)) {
    const place = path.posix.join(below, each);
    if (request.without.includes(place)) active.push(`:(exclude,literal)${each}`);
    else wanted.push(place);
  }
  if (wanted.length === 0) return;
  // Not "--init": it would write into the configuration, which the user's own work tree shares.
  const settings = active.flatMap((pathspec) => ['-c', `submodule.active=${pathspec}`]);
  await run(request, folder, ...settings, 'submodule', '--quiet', 'update');
  for (const place of wanted) await checkOutSubmodules(request, top, place);
}

async function run({ name, signal, onFailure }: CheckoutRequest, folder: string, ...args: string[]): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    const { succeeded, how, output } = await runGroup(gitCommand(folder, ...args), signal);
    if (succeeded) return;
    if (left > 1 && output.some((line) => CONFLICT.test(line))) {
      await setTimeout(RETRY_MS);
      continue;
    }
    onFailure(output);
    throw new QuiesceError('ref-checkout-failed', { detail: name, suggestion: how });
  }
}
