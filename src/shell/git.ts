import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sourceOf } from '../core/source.ts';
import type { Source } from '../model/result.ts';

/** A repository that takes longer than this is not worth waiting for: what it says is a label. */
const TIMEOUT_MS = 5_000;
/** Text that is read at most, bytes: the hashes of some 800,000 commits. */
const MOST_TEXT = 32 * 1024 * 1024;

/**
 * What a repository must not do on being looked at: run its own programs (file system monitors, hooks, signatures),
 * fetch what is missing, lock anything, or ask for a password.
 */
const HARMLESS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', '--no-optional-locks'];
const ENVIRONMENT = { GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' };
/** Set inside hooks: they would have git look at the repository of the hook instead of the folder's. */
const OF_A_HOOK = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|NAMESPACE|OBJECT_DIRECTORY)$/;

/** A state of a work tree. */
export interface WorkTree {
  /** Its topmost folder. */
  readonly folder: string;
  readonly source: Source;
}

/** The work tree that a folder lies in, with what is checked out there; undefined without a repository, a commit, or git. */
export async function workTreeOf(folder: string): Promise<WorkTree | undefined> {
  const [top, head] = (await git(folder, 'rev-parse', '--show-toplevel', 'HEAD'))?.split('\n') ?? [];
  if (top === undefined || top === '') return undefined;
  const branch = await git(folder, 'symbolic-ref', '--short', '--quiet', 'HEAD');
  const source = sourceOf(head, branch?.trim());
  if (!source) return undefined;
  const changes = await git(top, 'status', '--porcelain', '--untracked-files=no', '--ignore-submodules');
  return { folder: top, source: { ...source, ...(changes?.trim() && { modified: true }) } };
}

/**
 * These commits and all before them in the repository of a folder, the oldest first, each after those it was made from.
 * Hashes that it does not know are left out; undefined when it knows none, or is no repository.
 */
export async function historyOf(folder: string, commits: readonly string[]): Promise<readonly string[] | undefined> {
  // What begins with a dash would be an option.
  const hashes = commits.filter((commit) => /^[0-9a-f]{7,64}$/i.test(commit));
  if (hashes.length === 0) return undefined;
  const known = await git(folder, 'rev-list', '--topo-order', '--reverse', '--ignore-missing', ...hashes, '--');
  const listed = known?.split('\n').filter((line) => line !== '');
  return listed === undefined || listed.length === 0 ? undefined : listed;
}

/** What git prints; undefined when it fails, is not there or takes too long. */
async function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', [...HARMLESS, '-C', folder, ...args], {
      timeout: TIMEOUT_MS,
      maxBuffer: MOST_TEXT,
      windowsHide: true,
      env: {
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_A_HOOK.test(name))),
        ...ENVIRONMENT,
      },
    });
    return stdout;
  } catch {
    return undefined;
  }
}
