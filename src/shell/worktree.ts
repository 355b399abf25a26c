import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../core/messages.ts';
import { atExit } from './at-exit.ts';
import { runGroup } from './command-group.ts';
import { gitCall } from './git.ts';
import { submodulesOf } from './submodules.ts';

/** A commit that is checked out beside the user's own work tree. */
export interface CheckedOut {
  /** Its topmost folder, without symbolic links. */
  readonly folder: string;
  /** Removes it, and what git remembers of it. */
  close(): Promise<void>;
}

/** What is to be checked out. */
export interface CheckoutRequest {
  /** A folder of the repository. */
  readonly repository: string;
  /** Full hash. */
  readonly commit: string;
  /** What the user calls it. */
  readonly name: string;
  /** Places of submodules that are left empty, with slashes. */
  readonly without: readonly string[];
  readonly signal: AbortSignal;
  /** Told git's last lines when it could not. */
  failed(lines: readonly string[]): void;
}

/** Forgetting a work tree takes git no longer than this, ms. */
const FORGETTING = 10_000;
/**
 * Git reads what it knows of all work trees, and fails over one that somebody else is adding or removing just then:
 * "failed to read .git/worktrees/shop1/commondir".
 */
const IN_THE_WAY = /failed to read .*\bworktrees[\\/]|could not create directory of .*\bworktrees[\\/]/;
/** So often it is tried when somebody is in the way. */
const TRIES = 10;
/** Between two tries, ms. */
const PAUSE = 50;

/**
 * Checks a commit out in a temporary folder, with its submodules, as a work tree of the same repository: nothing is
 * cloned, and the user's own work tree, index and branches are not touched. No hook is run. It is removed by `close`,
 * and whenever this process ends in a way that it notices.
 *
 * @throws UsageError `ref-checkout-failed`, or `interrupted`; nothing is left then
 */
export async function checkOut(request: CheckoutRequest): Promise<CheckedOut> {
  const { repository, commit } = request;
  const around = await mkdtemp(path.join(await realpath(os.tmpdir()), 'quiesce-base-'));
  // Under its own name: some builds write the folder's into their pages.
  const folder = path.join(around, path.basename(repository) || 'base');
  const { command, env } = gitCall(repository, 'worktree', 'remove', '--force', '--force', folder);
  // Git forgets a work tree that is gone. "worktree prune" would also forget those on disks that are not there just now.
  const forget = (): void => {
    for (let left = TRIES; left > 0; left -= 1) {
      const { stderr } = spawnSync(command[0], command.slice(1), {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: FORGETTING,
        windowsHide: true,
      });
      if (!IN_THE_WAY.test(stderr ?? '')) return;
    }
  };
  const stay = atExit(() => {
    try {
      rmSync(around, { recursive: true, force: true });
    } finally {
      forget();
    }
  });
  const close = async (): Promise<void> => {
    // What a system does not let go of stays behind in its folder for such things.
    await rm(around, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    forget();
    stay();
  };
  try {
    await run(request, repository, 'worktree', 'add', '--quiet', '--detach', folder, commit);
    await fillSubmodules(request, folder);
    return { folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Not in one go: which submodules of submodules are wanted can only be said to the submodule. */
async function fillSubmodules(request: CheckoutRequest, top: string, below = ''): Promise<void> {
  const folder = path.join(top, below);
  const active: string[] = ['.'];
  const wanted: string[] = [];
  for (const each of await submodulesOf(folder)) {
    const place = path.posix.join(below, each);
    if (request.without.includes(place)) active.push(`:(exclude,literal)${each}`);
    else wanted.push(place);
  }
  if (wanted.length === 0) return;
  // Not "--init": it would write into the configuration that the user's own work tree shares.
  const settings = active.flatMap((pathspec) => ['-c', `submodule.active=${pathspec}`]);
  await run(request, folder, ...settings, 'submodule', '--quiet', 'update');
  for (const place of wanted) await fillSubmodules(request, top, place);
}

async function run({ name, signal, failed }: CheckoutRequest, folder: string, ...args: string[]): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    const { succeeded, how, output } = await runGroup(gitCall(folder, ...args), signal);
    if (succeeded) return;
    if (left > 1 && output.some((line) => IN_THE_WAY.test(line))) {
      await setTimeout(PAUSE);
      continue;
    }
    failed(output);
    throw new UsageError('ref-checkout-failed', { detail: name, suggestion: how });
  }
}
