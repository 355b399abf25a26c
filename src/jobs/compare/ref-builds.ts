import { rmSync } from 'node:fs';
import { realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { sourceOf } from '../../core/source.ts';
import { defined } from '../../core/text/defined.ts';
import { shownCommand } from '../../core/text/shown-command.ts';
import { slugOf } from '../../core/text/slug.ts';
import type { Build, PerBuild } from '../../model/compare/build.ts';
import type { ComparisonNote } from '../../model/result/note.ts';
import type { Source } from '../../model/result/result.ts';
import type { ResolvedJob, ResolvedRefs, ResolvedServers } from '../../settings/resolved.ts';
import { isFile, isFolder } from '../../shell/disk/is-file.ts';
import { makeTemporaryFolder } from '../../shell/disk/leftovers.ts';
import { branchPoint } from '../../shell/git/branch-point.ts';
import { buildKey, findBuild, findTree, keepTree, makeTreeFolder, storeBuild } from '../../shell/git/build-cache.ts';
import { type Checkout, checkoutOf, commitOf, originsOf, stateOf, workTreeOf } from '../../shell/git/git.ts';
import { missingSubmodules } from '../../shell/git/submodules.ts';
import { type CheckedOut, checkOut } from '../../shell/git/worktree.ts';
import { atExit } from '../../shell/process/at-exit.ts';
import { runBuild } from '../../shell/process/build-command.ts';
import { fetchAdvice } from '../../wording/fixes/fetch-advice.ts';
import { whyUnwritable } from '../../wording/messages/file-errors.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { noted } from '../engine/progress-events.ts';
import { siteTarget } from '../engine/target.ts';
import { type MadeBuilds, type MakeHooks, type NamedBuilds, perBuild, siteBuilds } from './builds.ts';
import { type ServerPlace, serverBuilds } from './servers/build-servers.ts';
import { serverAddresses } from './servers/folders.ts';

/** Letters of a hash that people are shown. */
const SHORT = 7;

/** Two states of a repository, found. */
interface Refs {
  /** The work tree that the candidate is built in. */
  readonly here: Checkout;
  /** Full hash of the base. */
  readonly commit: string;
  /** Where the site is in either tree, relative to its topmost folder; nowhere where servers are started. */
  readonly dist: string;
  /** As the user wrote it. */
  readonly typedDist: string;
  readonly servers?: ResolvedServers;
  readonly build?: string;
  readonly useCache: boolean;
  /** Where builds are kept. */
  readonly cacheFolder: string;
  /** What people are shown. */
  readonly names: PerBuild<string>;
  readonly slugs: PerBuild<string>;
  /** True when the work tree is the base as it was committed. */
  readonly isSame: boolean;
}

/**
 * The two states of a repository that are to be built and compared: a commit, and the work tree as it stands. Nothing
 * is built yet, but everything that can be checked before that is.
 *
 * @param folder where the command is run
 * @param servers how the server of each is started; absent where they are sites
 * @throws QuiesceError when they are not asked for as they must be, or git does not know them
 */
export async function findRefs(
  asked: ResolvedRefs,
  stated: Pick<ResolvedJob, 'commit' | 'ci' | 'out'>,
  folder = process.cwd(),
  servers?: ResolvedServers,
): Promise<NamedBuilds> {
  const { baseRef, dist: typedDist = '', build, useCache, cacheFolder } = asked;
  const here = await checkoutOf(folder);
  const commit = await commitOf(folder, baseRef);
  if (commit === undefined) throw await unknownRef(folder, baseRef);
  const tree = (await workTreeOf(folder))?.source;
  const names = { base: baseName(baseRef, commit), candidate: treeName(tree) };
  const slugs = { base: slugOf(isHashOf(baseRef, commit) ? names.base : baseRef) || 'base', candidate: 'work-tree' };
  const refs: Refs = {
    here,
    commit,
    dist: servers ? '' : await placeInTree(here, typedDist),
    typedDist,
    ...defined({ servers }),
    build,
    useCache,
    cacheFolder,
    names,
    slugs,
    isSame: tree?.commit === commit && tree.modified !== true,
  };
  const base = sourceOf(commit, isHashOf(baseRef, commit) ? undefined : baseRef);
  const candidate = candidateSource(stated, tree);
  const state = await stateOf(here.top, stated.out === undefined ? undefined : path.resolve(folder, stated.out));
  return {
    slugs,
    ...(state !== undefined && { states: { base: commit, candidate: state } }),
    sources: { base, candidate },
    places: servers ? serverAddresses(servers) : [{ name: 'What is built of --base-ref', folder: typedDist }],
    make: (hooks) => makeBuilds(refs, hooks),
  };
}

async function unknownRef(folder: string, ref: string): Promise<QuiesceError> {
  const origins = await originsOf(folder);
  const tracking = origins.remotes.map((remote) => `${remote}/${ref}`);
  let known: string | undefined;
  for (const name of tracking) known ??= (await commitOf(folder, name)) && name;
  const suggestion = fetchAdvice(ref, { ...origins, ...defined({ known }) });
  return new QuiesceError('ref-unknown', { detail: ref, suggestion });
}

function isHashOf(ref: string, commit: string): boolean {
  return ref.length >= SHORT && commit.startsWith(ref.toLowerCase());
}

function baseName(ref: string, commit: string): string {
  const short = commit.slice(0, SHORT);
  return isHashOf(ref, commit) ? short : `${ref} (${short})`;
}

function treeName(tree: Source | undefined): string {
  if (!tree) return 'work tree';
  return `work tree (${tree.commit.slice(0, SHORT)}${tree.modified ? ', modified' : ''})`;
}

/** What is checked out, unless the user says otherwise. Jobs of continuous integration know the branch when git does not. */
function candidateSource(
  { commit, ci }: Pick<ResolvedJob, 'commit' | 'ci'>,
  tree: Source | undefined,
): Source | undefined {
  if (commit !== undefined || !tree) return commit ?? ci;
  const ref = tree.ref ?? (ci?.commit === tree.commit ? ci.ref : undefined);
  return { ...tree, ...defined({ ref }) };
}

/**
 * A folder as typed, from the top of the work tree.
 *
 * @throws QuiesceError when it is elsewhere
 */
async function placeInTree({ top, below }: Checkout, dist: string): Promise<string> {
  // An absolute path may lead through symbolic links; a relative one begins in a folder without any.
  const typed = path.isAbsolute(dist) ? await realPlace(path.normalize(dist)) : dist;
  const place = path.relative(top, path.resolve(top, below, typed));
  const [first] = place.split(path.sep);
  if (!isInside(place) || first === '.git') {
    const detail = `must be a folder inside the repository, not "${dist}". The base is built in a work tree of its own`;
    throw new QuiesceError('option-invalid', { option: '--dist', detail });
  }
  return place;
}

/** Where a path leads through symbolic links. The last of it need not be there yet. */
async function realPlace(place: string): Promise<string> {
  const found = await realpath(place).catch(() => undefined);
  const above = path.dirname(place);
  return found ?? (above === place ? place : path.join(await realPlace(above), path.basename(place)));
}

function isInside(relative: string): boolean {
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

// --- Building -------------------------------------------------------------------------------------------------------

/** The base first: what is wrong with both shows before the user's own work tree is built in. */
async function makeBuilds(refs: Refs, hooks: MakeHooks): Promise<MadeBuilds> {
  const { names, slugs } = refs;
  const note = await noteOn(refs, hooks.signal);
  if (note) hooks.onProgress(noted(note));
  const base = await (refs.servers ? makeBaseTree(refs, hooks) : makeBase(refs, hooks));
  try {
    if (refs.servers) {
      await makeCandidateTree(refs, hooks);
      return await serverBuilds(refs.servers, placesOf(base.folder, refs), base.close, hooks);
    }
    const site = await makeCandidate(refs, hooks);
    return siteBuilds(
      {
        base: siteTarget(base.folder, names.base, slugs.base),
        candidate: siteTarget(site, names.candidate, slugs.candidate),
      },
      base.close,
    );
  } catch (error) {
    await base.close();
    throw error;
  }
}

/** What the two have to do with each other, where it is not what one would think. */
async function noteOn({ here, commit, names, isSame }: Refs, signal: AbortSignal): Promise<ComparisonNote | undefined> {
  if (isSame) return { code: 'unchanged-tree', base: names.base };
  const point = await branchPoint(here.top, commit, signal);
  return point === undefined || point === commit ? undefined : { code: 'parted', base: names.base, point };
}

/** Built where it is, as it stands. */
async function makeCandidate(refs: Refs, hooks: MakeHooks): Promise<string> {
  const { here, dist, typedDist, names } = refs;
  if (refs.build === undefined) return siteIn('candidate', here.top, refs);
  const page = path.join(here.top, dist, 'index.html');
  const before = await changedAt(page);
  await withBuildProgress('candidate', refs, hooks, () => buildIn('candidate', here.top, refs, hooks));
  const site = await siteIn('candidate', here.top, refs);
  if (before !== undefined && (await changedAt(page)) === before) {
    // A build that now writes elsewhere would leave the last one's files to be measured.
    const file = path.join(typedDist, 'index.html');
    hooks.onProgress(noted({ code: 'nothing-built', file, candidate: names.candidate }));
  }
  return site;
}

/** A folder with a build that may have to be removed. */
interface Kept {
  readonly folder: string;
  close(): Promise<void>;
}

async function makeBase(refs: Refs, hooks: MakeHooks): Promise<Kept> {
  const { here, commit, dist, build = '', names } = refs;
  const without = await missingSubmodules(here.top);
  // A commit stands for all that it holds, in whichever clone, and for all before it.
  const key = buildKey({ commit, below: here.below, dist, build, without: without.join('\n') });
  const kept = refs.useCache ? await findBuild(refs.cacheFolder, key) : undefined;
  if (kept !== undefined) {
    hooks.onProgress({ kind: 'build-finished', build: 'base', name: names.base });
    return { folder: kept, close: async () => undefined };
  }
  return withBuildProgress('base', refs, hooks, async () => {
    const tree = await checkOutBase(refs, without, hooks);
    try {
      if (refs.build !== undefined) await buildIn('base', tree.folder, refs, hooks);
      return await keep(refs.cacheFolder, key, await siteIn('base', tree.folder, refs), hooks);
    } finally {
      await tree.close();
    }
  });
}

async function checkOutBase(
  refs: Refs,
  without: readonly string[],
  hooks: MakeHooks,
  around?: string,
): Promise<CheckedOut> {
  const { here, commit, names } = refs;
  const onFailure = (lines: readonly string[]) => {
    for (const each of [false, true]) tellOutput('base', lines, each, refs, hooks);
  };
  const { signal } = hooks;
  return checkOut({ repository: here.top, commit, name: names.base, without, signal, around, onFailure });
}

/**
 * The whole work tree of the base, built, for a server to be started in. It is kept where it was built, because builds write
 * down where they are; what is only checked out is not kept.
 */
async function makeBaseTree(refs: Refs, hooks: MakeHooks): Promise<Kept> {
  const { here, commit, build, names, useCache, cacheFolder } = refs;
  const without = await missingSubmodules(here.top);
  if (build === undefined) {
    return withBuildProgress('base', refs, hooks, () => checkOutBase(refs, without, hooks));
  }
  const key = buildKey({ commit, below: here.below, build, without: without.join('\n'), top: path.basename(here.top) });
  const kept = useCache ? await findTree(cacheFolder, key) : undefined;
  if (kept !== undefined) {
    hooks.onProgress({ kind: 'build-finished', build: 'base', name: names.base });
    return { folder: kept, close: async () => undefined };
  }
  return withBuildProgress('base', refs, hooks, async () => {
    const around = await makeTreeFolder(cacheFolder, key).catch((error: unknown) => {
      hooks.onProgress(noted({ code: 'build-not-kept', folder: cacheFolder, detail: whyUnwritable(error) }));
      return undefined;
    });
    const tree = await checkOutBase(refs, without, hooks, around);
    try {
      await buildIn('base', tree.folder, refs, hooks);
      if (around === undefined) return tree;
      await tree.keep();
      await keepTree(cacheFolder, around, tree.folder);
      return { folder: tree.folder, close: async () => undefined };
    } catch (error) {
      await tree.close();
      throw error;
    }
  });
}

async function makeCandidateTree(refs: Refs, hooks: MakeHooks): Promise<void> {
  if (refs.build === undefined) return;
  await withBuildProgress('candidate', refs, hooks, () => buildIn('candidate', refs.here.top, refs, hooks));
}

/** Servers are started in the same folder of a tree as the one in which Quiesce was started. */
function placesOf(baseTree: string, { here, names, slugs }: Refs): PerBuild<ServerPlace> {
  return perBuild((build) => {
    const top = build === 'base' ? baseTree : here.top;
    return { folder: path.join(top, here.below), top, ownTop: here.top, name: names[build], slug: slugs[build] };
  });
}

/** Keeps a site for the next time; where that cannot be written to, for this time alone. */
async function keep(cache: string, key: string, site: string, { onProgress }: MakeHooks): Promise<Kept> {
  try {
    return { folder: await storeBuild(cache, key, site), close: async () => undefined };
  } catch (error) {
    onProgress(noted({ code: 'build-not-kept', folder: cache, detail: whyUnwritable(error) }));
  }
  const around = await makeTemporaryFolder('quiesce-build-');
  const stay = atExit(() => rmSync(around, { recursive: true, force: true }));
  const close = async () => {
    await rm(around, { recursive: true, force: true });
    stay();
  };
  try {
    return { folder: await storeBuild(around, key, site), close };
  } catch (error) {
    await close();
    throw new QuiesceError('write-failed', { path: around, detail: whyUnwritable(error) }, { cause: error });
  }
}

/** Does the work between the events of a build's start and end. */
async function withBuildProgress<T>(
  build: Build,
  refs: Refs,
  { onProgress }: MakeHooks,
  work: () => Promise<T>,
): Promise<T> {
  const command = refs.build === undefined ? {} : { command: shownCommand(refs.build) };
  const about = { build, name: refs.names[build] };
  onProgress({ kind: 'build-starting', ...about, ...command });
  const startedAt = performance.now();
  const made = await work();
  onProgress({ kind: 'build-finished', ...about, after: performance.now() - startedAt });
  return made;
}

/** Runs the build in the same folder of a tree as the one in which Quiesce was started. */
async function buildIn(build: Build, top: string, refs: Refs, hooks: MakeHooks): Promise<void> {
  const { build: command = '', here, names } = refs;
  const folder = path.join(top, here.below);
  if (!(await isFolder(folder))) {
    throw new QuiesceError('ref-without-folder', { detail: names[build], path: here.below });
  }
  const onLines = (lines: readonly string[], failed = false) => tellOutput(build, lines, failed, refs, hooks);
  const request = { command, folder, top, ownTop: here.top, signal: hooks.signal, onLines };
  const { succeeded, how, output } = await runBuild(request);
  if (succeeded) return;
  onLines(output, true);
  throw new QuiesceError('build-command-failed', {
    detail: `${build} ${names[build]}`,
    buildFailure: { how, freshCheckout: build === 'base' },
  });
}

function tellOutput(
  build: Build,
  lines: readonly string[],
  failed: boolean,
  { names }: Refs,
  { onProgress }: MakeHooks,
): void {
  onProgress({ kind: 'build-output', build, name: names[build], lines, failed });
}

/** The built site in a tree, without symbolic links. */
async function siteIn(build: Build, top: string, refs: Refs): Promise<string> {
  const { dist, typedDist, names } = refs;
  const refuse = (suggestion: string) =>
    new QuiesceError('build-without-site', { detail: `${build} ${names[build]}`, path: typedDist, suggestion });
  const folder = await realpath(path.join(top, dist)).catch(() => undefined);
  if (folder === undefined || !(await isFolder(folder))) {
    throw refuse(
      refs.build === undefined
        ? 'there is no such folder. Build it with --build, or name another with --dist'
        : 'there is no such folder after the build. Name the folder that it writes with --dist',
    );
  }
  if (!isInside(path.relative(await realpath(top), folder))) {
    throw refuse('a symbolic link points outside the repository. Let the build write into a folder inside it');
  }
  if (!(await isFile(path.join(folder, 'index.html')))) {
    throw refuse('it has no index.html. Set --dist to the folder that contains the page');
  }
  return folder;
}

/** Undefined when there is no such file. In ms since 1970. */
async function changedAt(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.ctimeMs;
}
