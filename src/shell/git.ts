import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { UsageError } from '../core/messages.ts';
import { sourceOf } from '../core/source.ts';
import type { Source } from '../model/result.ts';

/** A repository that takes longer than this is not worth waiting for: what it says is a label. */
const TIMEOUT_MS = 5_000;
/** Text that is read at most, bytes: the hashes of some 800,000 commits. */
const MOST_TEXT = 32 * 1024 * 1024;

/** What a repository must not do on being looked at: run its own programs (file system monitors, hooks, signatures), or lock anything. */
const HARMLESS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', '--no-optional-locks'];
/** Nor ask for a password; and it is understood here what it says. */
const SILENT = { GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
/** Nor fetch what is missing. */
const OFFLINE = { GIT_NO_LAZY_FETCH: '1' };
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

/** Where a folder lies in what is checked out there. */
export interface Checkout {
  /** The topmost folder of the work tree, without symbolic links. */
  readonly top: string;
  /** The folder itself, relative to it; empty for itself. */
  readonly below: string;
}

/**
 * Finds the work tree that a folder lies in.
 *
 * @throws UsageError `git-missing`, or `git-no-work-tree` with what git says
 */
export async function checkoutOf(folder: string): Promise<Checkout> {
  try {
    const top = await realpath((await ask(folder, 'rev-parse', '--show-toplevel')).replace(/\r?\n$/, ''));
    return { top, below: path.relative(top, await realpath(folder)) };
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') throw new UsageError('git-missing', {}, { cause: error });
    const said = stderr?.split('\n').find((line) => line.startsWith('fatal: '));
    throw new UsageError(
      'git-no-work-tree',
      { path: folder, detail: said?.replace('fatal: ', '') ?? String(code) },
      { cause: error },
    );
  }
}

/** The full hash of the commit that a name stands for; undefined when the repository of the folder does not know it. */
export async function commitOf(folder: string, ref: string): Promise<string | undefined> {
  return (await git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`))?.trim();
}

/** What is known of where a repository came from. */
export interface Origins {
  readonly remotes: readonly string[];
  /** True when only the last commits were fetched. */
  readonly isShallow: boolean;
}

/** The remotes of a folder's repository. */
export async function originsOf(folder: string): Promise<Origins> {
  const remotes = (await git(folder, 'remote'))?.split('\n').filter((line) => line !== '') ?? [];
  return { remotes, isShallow: (await git(folder, 'rev-parse', '--is-shallow-repository'))?.trim() === 'true' };
}

/** A call of git that works in a folder, with the environment that it needs. It may fetch, but not ask for a password. */
export function gitCall(
  folder: string,
  ...args: readonly string[]
): { readonly command: readonly ['git', ...string[]]; readonly env: NodeJS.ProcessEnv } {
  return { command: ['git', ...HARMLESS, '-C', folder, ...args], env: { ...outsideOfHooks(process.env), ...SILENT } };
}

/** An environment without what git sets for the programs that it starts. */
export function outsideOfHooks(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_A_HOOK.test(name)));
}

/** What git prints; undefined when it fails, is not there or takes too long. */
async function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  return ask(folder, ...args).catch(() => undefined);
}

async function ask(folder: string, ...args: readonly string[]): Promise<string> {
  const { command, env } = gitCall(folder, ...args);
  const { stdout } = await promisify(execFile)(command[0], command.slice(1), {
    timeout: TIMEOUT_MS,
    maxBuffer: MOST_TEXT,
    windowsHide: true,
    env: { ...env, ...OFFLINE },
  });
  return stdout;
}
