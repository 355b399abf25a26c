import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sourceOf } from '../../core/source.ts';
import type { Source } from '../../model/result/result.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { inheritedEnvironment } from '../process/inherited-environment.ts';

/** How long git may take, ms: what it says is only a label of the results. */
const TIMEOUT_MS = 5_000;
/** The largest output that is read, bytes: the hashes of some 800,000 commits. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/** Git must not run programs of the repository (file system monitors, hooks), and not lock anything. */
const READ_ONLY = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', '--no-optional-locks'];
/** It must not ask for a password, and its messages must be in English. */
const NON_INTERACTIVE = { GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
/** It must not fetch missing objects. */
const OFFLINE = { GIT_NO_LAZY_FETCH: '1' };
/** Variables that git sets in hooks: with them git would use the hook's repository instead of the folder's. */
const HOOK_VARIABLE = /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|NAMESPACE|OBJECT_DIRECTORY)$/;

/** A state of a work tree. */
export interface WorkTree {
  /** Its top folder. */
  readonly folder: string;
  readonly source: Source;
}

/** The work tree of a folder, with its commit; undefined without a repository, a commit, or git. */
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
 * These commits and their ancestors in the repository of a folder, parents before children. Unknown hashes are left out;
 * undefined when all are unknown, or there is no repository.
 */
export async function historyOf(folder: string, commits: readonly string[]): Promise<readonly string[] | undefined> {
  // A name that begins with a dash would be an option.
  const hashes = commits.filter((commit) => /^[0-9a-f]{7,64}$/i.test(commit));
  if (hashes.length === 0) return undefined;
  const known = await git(folder, 'rev-list', '--topo-order', '--reverse', '--ignore-missing', ...hashes, '--');
  const listed = known?.split('\n').filter((line) => line !== '');
  return listed === undefined || listed.length === 0 ? undefined : listed;
}

/** The first line of what was said with each of these commits, by their hashes; those that the repository does not have are left out. */
export async function subjectsOf(folder: string, commits: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const hashes = commits.filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
  if (hashes.length === 0) return new Map();
  const said = await git(folder, 'log', '--no-walk', '--ignore-missing', '--format=%H %s', ...hashes, '--');
  const lines = (said ?? '').split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]));
}

/** A folder's place in its work tree. */
export interface Checkout {
  /** The top folder of the work tree, without symbolic links. */
  readonly top: string;
  /** The folder, relative to `top`; empty for `top` itself. */
  readonly below: string;
}

/**
 * Finds the work tree of a folder.
 *
 * @throws QuiesceError `git-missing`, or `git-no-work-tree` with git's message
 */
export async function checkoutOf(folder: string): Promise<Checkout> {
  try {
    const top = await realpath((await runGit(folder, 'rev-parse', '--show-toplevel')).replace(/\r?\n$/, ''));
    return { top, below: path.relative(top, await realpath(folder)) };
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') throw new QuiesceError('git-missing', {}, { cause: error });
    const said = stderr?.split('\n').find((line) => line.startsWith('fatal: '));
    throw new QuiesceError(
      'git-no-work-tree',
      { path: folder, detail: said?.replace('fatal: ', '') ?? String(code) },
      { cause: error },
    );
  }
}

/** The folders of all work trees of a folder's repository, also of those that are gone. */
export async function workTreesOf(folder: string): Promise<readonly string[]> {
  const listed = (await git(folder, 'worktree', 'list', '--porcelain')) ?? '';
  return [...listed.matchAll(/^worktree (.*)$/gm)].map(([, place = '']) => path.normalize(place));
}

/** The full hash of the commit that a ref names; undefined when the repository of the folder does not know it. */
export async function commitOf(folder: string, ref: string): Promise<string | undefined> {
  return (await git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`))?.trim();
}

/** Where a repository was cloned from. */
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

/**
 * A hash of the files of a work tree as they are, changed and new ones included, ignored ones not; undefined where git does
 * not say in time.
 *
 * @param without a folder that does not count, absolute
 */
export async function stateOf(top: string, without: string | undefined): Promise<string | undefined> {
  const place = without === undefined ? '..' : path.relative(top, without);
  const isInside = place !== '' && !place.startsWith('..') && !path.isAbsolute(place);
  const pathspec = ['--', '.', ...(isInside ? [`:(exclude,literal)${place.split(path.sep).join('/')}`] : [])];
  const [head, changed, others] = await Promise.all([
    git(top, 'rev-parse', 'HEAD'),
    git(top, 'diff', 'HEAD', '--binary', '--full-index', '--no-ext-diff', '--no-textconv', ...pathspec),
    git(top, 'ls-files', '--others', '--exclude-standard', '-z', ...pathspec),
  ]);
  if (head === undefined || changed === undefined || others === undefined) return undefined;
  const hash = createHash('sha256').update(JSON.stringify([head, changed]));
  for (const name of others.split('\0').filter((each) => each !== '')) {
    const content = await readFile(path.join(top, name)).catch(() => '');
    hash.update(JSON.stringify([name, content.length])).update(content);
  }
  return hash.digest('hex');
}

/** A git command for a folder, with its environment. It may fetch, but not ask for a password. */
export function gitCommand(
  folder: string,
  ...args: readonly string[]
): { readonly command: readonly ['git', ...string[]]; readonly env: NodeJS.ProcessEnv } {
  return {
    command: ['git', ...READ_ONLY, '-C', folder, ...args],
    env: { ...withoutHookVariables(inheritedEnvironment()), ...NON_INTERACTIVE },
  };
}

/** An environment without the variables that git sets in hooks. */
export function withoutHookVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !HOOK_VARIABLE.test(name)));
}

/** Git's output; undefined when it fails, is missing or takes too long. */
async function git(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  return runGit(folder, ...args).catch(() => undefined);
}

async function runGit(folder: string, ...args: readonly string[]): Promise<string> {
  const { command, env } = gitCommand(folder, ...args);
  const { stdout } = await promisify(execFile)(command[0], command.slice(1), {
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
    env: { ...env, ...OFFLINE },
  });
  return stdout;
}
