import type { ResolvedRefs } from '../../../src/settings/resolved.ts';
/** Builds of two states of real repositories; loads are scripted. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KEEP_SECRETS } from '../../../src/core/har/redact.ts';
import type { MadeBuilds } from '../../../src/jobs/compare/builds.ts';
import { findRefs } from '../../../src/jobs/compare/ref-builds.ts';
import type { CompareResult } from '../../../src/model/compare/comparison.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import { openLogFile } from '../../../src/shell/disk/log-file.ts';
import { folderForEach } from '../../support/folders.ts';
import { type CompareOptions, compare, resolvedCompare } from '../../support/jobs.ts';

import { messagesOf } from '../../support/problems.ts';
import { answeringLab } from '../../support/scripted.ts';
import { COMPARING } from '../../support/settings.ts';
import { loadedBy } from '../../support/shards.ts';

const noLog = () => openLogFile(undefined, KEEP_SECRETS);

const around = folderForEach('refs');
let repository: string;
beforeEach(async () => {
  repository = path.join(around(), 'shop');
  await mkdir(path.join(around(), 'tmp'));
  const surroundings = {
    // Builds are kept below it.
    HOME: around(),
    TMPDIR: path.join(around(), 'tmp'),
    TEMP: path.join(around(), 'tmp'),
    GIT_CONFIG_GLOBAL: path.join(around(), 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b.test',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b.test',
    // These tests may run in such a job themselves.
    GITHUB_SHA: '',
    CI_COMMIT_SHA: '',
    CIRCLE_SHA1: '',
    BUILD_SOURCEVERSION: '',
  };
  for (const [name, value] of Object.entries(surroundings)) vi.stubEnv(name, value);
  await writeFile(
    path.join(around(), 'gitconfig'),
    '[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
  );
});
afterEach(async () => {
  vi.unstubAllEnvs();
});

const gitIn = async (folder: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)('git', ['-C', folder, ...args])).stdout.trim();
const git = (...args: string[]) => gitIn(repository, ...args);

async function write(files: Readonly<Record<string, string>>, top = repository): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(top, name)), { recursive: true });
    await writeFile(path.join(top, name), content);
  }
}

async function commit(files: Readonly<Record<string, string>>, top = repository): Promise<string> {
  await write(files, top);
  await gitIn(top, 'add', '.');
  await gitIn(top, 'commit', '-q', '-m', 'a change');
  return gitIn(top, 'rev-parse', 'HEAD');
}

/** Copies pages/ to dist/, and notes in builds.log where it has done so. */
const BUILD = `import { appendFileSync, cpSync } from 'node:fs';
  appendFileSync(process.env.HOME + '/builds.log', process.cwd() + '\\n');
  console.log('building');
  cpSync('pages', 'dist', { recursive: true });`;

/** A repository with a branch main, on a branch `change` that is one commit further. */
async function shop(): Promise<{ base: string; head: string }> {
  await mkdir(repository);
  await git('init', '-q');
  const base = await commit({ 'pages/index.html': 'old', 'build.mjs': BUILD, '.gitignore': 'dist\n' });
  await git('checkout', '-q', '-b', 'change');
  return { base, head: await commit({ 'pages/index.html': 'new' }) };
}

const settings = (more: Partial<CompareOptions> = {}): CompareOptions => ({
  baseRef: 'main',
  build: 'node build.mjs',
  dist: 'dist',
  ...more,
});

/** The two states as the front door asks for them. */
function refsOf(options: CompareOptions): ResolvedRefs {
  const { builds } = resolvedCompare(options);
  if (!('refs' in builds)) throw new Error('it was asked for');
  return builds.refs;
}

interface Made extends MadeBuilds {
  readonly events: readonly Progress[];
  /** The front page of a build. */
  page(build: 'base' | 'candidate'): Promise<string>;
}

async function make(
  more: Partial<CompareOptions> = {},
  { folder = repository, signal = new AbortController().signal, onEvent = (_: Progress) => {} } = {},
): Promise<Made> {
  const named = await findRefs(refsOf(settings(more)), {}, folder);
  const events: Progress[] = [];
  const onProgress = (event: Progress) => {
    events.push(event);
    onEvent(event);
  };
  const made = await named.make({ signal, onProgress, openLog: noLog }).catch((error: Error) => {
    throw Object.assign(error, { events });
  });
  return {
    ...made,
    events,
    page: (build) => readFile(path.join(made.targets[build].folder ?? '', 'index.html'), 'utf8'),
  };
}

const failureOf = (making: Promise<unknown>): Promise<Error & { code?: string; events?: Progress[] }> =>
  making.then(
    () => {
      throw new Error('it should not have worked');
    },
    (error) => error,
  );

const builds = async (): Promise<readonly string[]> =>
  (await readFile(path.join(around(), 'builds.log'), 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);

/** Nothing is left but the user's own work tree, and what the cache keeps. */
async function expectClean(): Promise<void> {
  expect((await git('worktree', 'list', '--porcelain')).match(/^worktree .*/gm)).toEqual([`worktree ${repository}`]);
  expect(await readdir(path.join(around(), 'tmp'))).toEqual([]);
  await expect(access(path.join(repository, '.git', 'worktrees'))).rejects.toThrow('ENOENT');
}

describe('two states of a repository', () => {
  it('are built where they are, and named for people', async () => {
    const { base, head } = await shop();
    const made = await make();
    expect([await made.page('base'), await made.page('candidate')]).toEqual(['old', 'new']);
    expect([made.targets.base.name, made.targets.candidate.name]).toEqual([
      `main (${base.slice(0, 7)})`,
      `work tree (${head.slice(0, 7)})`,
    ]);
    expect([made.targets.base.slug, made.targets.candidate.slug]).toEqual(['main', 'work-tree']);
    const named = await findRefs(refsOf(settings()), {}, repository);
    expect(named.sources).toEqual({ base: { commit: base, ref: 'main' }, candidate: { commit: head, ref: 'change' } });
    const [inTemp, inTree] = await builds();
    expect(inTree).toBe(repository);
    expect(path.basename(inTemp ?? '')).toBe('shop');
    await expectClean();
    await made.close();
    expect(made.events.map((event) => event.kind)).toEqual(
      ['base', 'candidate'].flatMap(() => ['build-starting', 'build-output', 'build-finished']),
    );
  });

  it('leave the work tree, the index, the stash and the branches as they were', async () => {
    await shop();
    await write({ 'pages/index.html': 'stashed' });
    await git('stash', '-q');
    await write({ 'pages/index.html': 'changed', 'pages/new.css': 'untracked', 'staged.txt': 'staged' });
    await git('add', 'staged.txt');
    const state = async () => [
      await git('status', '--porcelain=v2', '--branch', '--ignored'),
      await git('stash', 'list'),
      await git('for-each-ref'),
      readFileSync(path.join(repository, '.git', 'config'), 'utf8'),
      readFileSync(path.join(repository, '.git', 'index')).toString('hex'),
      (await readdir(path.join(repository, '.git'))).toSorted(),
    ];
    await write({ 'dist/stale.html': 'there before' });
    const before = await state();
    const made = await make();
    expect(await state()).toEqual(before);
    expect([await made.page('base'), await made.page('candidate')]).toEqual(['old', 'changed']);
    expect(await readFile(path.join(made.targets.candidate.folder ?? '', 'new.css'), 'utf8')).toBe('untracked');
    expect(made.targets.candidate.name).toMatch(/^work tree \(\w{7}, modified\)$/);
    await expect(access(path.join(made.targets.base.folder ?? '', 'new.css'))).rejects.toThrow('ENOENT');
  });

  it('may be one and the same, or have grown apart, which is told', async () => {
    const { base } = await shop();
    const notes = ({ events }: Made) => events.flatMap((event) => (event.kind === 'note' ? event.message : []));
    const made = await make({ baseRef: 'HEAD' });
    expect([await made.page('base'), await made.page('candidate')]).toEqual(['new', 'new']);
    // What is new is in no commit, and may make all the difference.
    expect(notes(made)).toEqual([
      expect.stringMatching(/^the work tree changes no file of HEAD \(\w{7}\): except for new files,/),
    ]);
    await write({ 'pages/index.html': 'changed' });
    expect(notes(await make({ baseRef: 'HEAD' }))).toEqual([]);
    expect(notes(await make())).toEqual([]);
    await git('stash', '-q');
    await git('checkout', '-q', 'main');
    await commit({ 'pages/more.html': 'more' });
    await git('checkout', '-q', 'change');
    expect(notes(await make())).toEqual([
      expect.stringMatching(
        new RegExp(`^main \\(\\w{7}\\) has commits that .*--base-ref ${base.slice(0, 12)} leaves it out$`),
      ),
    ]);
  });

  it('are told apart from what an earlier build left', async () => {
    await shop();
    await write({ 'dist/index.html': 'stale' });
    const made = await make({ build: 'test -e dist || node build.mjs' });
    expect(await made.page('candidate')).toBe('stale');
    expect(made.events.at(-1)).toMatchObject({
      kind: 'note',
      message: expect.stringMatching(/^the build did not write dist\/index\.html of the work tree \(\w{7}\):/),
    });
  });

  it('need no build when the site is checked in', async () => {
    await mkdir(repository);
    await git('init', '-q');
    const base = await commit({ 'site/index.html': 'old', 'site/.env': 'private', 'site/.well-known/a': 'public' });
    await commit({ 'site/index.html': 'new' });
    const { build: _, ...without } = settings({ baseRef: base.slice(0, 9), dist: path.join(repository, 'site') });
    const named = await findRefs(refsOf(without), {}, repository);
    expect(named.sources.base).toEqual({ commit: base });
    const events: Progress[] = [];
    const { signal } = new AbortController();
    const made = await named.make({ signal, onProgress: (event) => events.push(event), openLog: noLog });
    expect(made.targets.base.name).toBe(base.slice(0, 7));
    const folder = made.targets.base.folder ?? '';
    expect(await readFile(path.join(folder, 'index.html'), 'utf8')).toBe('old');
    expect((await readdir(folder)).toSorted()).toEqual(['.well-known', 'index.html']);
    expect(events).toEqual([
      { kind: 'build-starting', build: 'base', name: base.slice(0, 7) },
      { kind: 'build-finished', build: 'base', name: base.slice(0, 7), after: expect.any(Number) },
    ]);
    await expectClean();
  });

  it('are built in the same folder of both, and what they write may lie beside it', async () => {
    await mkdir(repository);
    await git('init', '-q');
    const app = (text: string) => ({ 'apps/a/pages/index.html': text, 'apps/a/build.mjs': BUILD });
    await commit(app('old'));
    await git('checkout', '-q', '-b', 'change');
    await commit(app('new'));
    const folder = path.join(repository, 'apps', 'a');
    const beside = "node build.mjs && node -e \"fs.renameSync('dist', '../../out')\"";
    // Through a link, and not there yet.
    await symlink(repository, path.join(around(), 'link'));
    const dist = path.join(around(), 'link', 'out');
    const made = await make({ build: beside, dist }, { folder });
    expect([await made.page('base'), await made.page('candidate')]).toEqual(['old', 'new']);
    expect((await builds()).map((each) => each.split(path.sep).slice(-3))).toEqual([
      ['shop', 'apps', 'a'],
      ['shop', 'apps', 'a'],
    ]);
    // Another folder of the same commit is another build.
    await write({ 'apps/b/build.mjs': BUILD });
    const error = await failureOf(make({}, { folder: path.join(repository, 'apps', 'b') }));
    expect(error.message).toMatch(/^main \(\w{7}\) has no folder apps\/b, so the build cannot run\./);
    await expectClean();
  });

  it('may have odd names', async () => {
    await shop();
    await git('branch', 'feature/ä"b', 'main');
    const made = await make({ baseRef: 'feature/ä"b' });
    expect(await made.page('base')).toBe('old');
    expect(made.targets.base).toMatchObject({ name: expect.stringMatching(/^feature\/ä"b \(/), slug: 'feature-ä-b' });
    await git('tag', 'v1', 'main');
    expect((await make({ baseRef: 'v1' })).targets.base.name).toMatch(/^v1 \(/);
    expect(await (await make({ baseRef: '@~1' })).page('base')).toBe('old');
  });

  it('have the submodules that the work tree has, of which the configuration learns nothing', async () => {
    const nested = path.join(around(), 'nested');
    const library = path.join(around(), 'library');
    for (const each of [nested, library, repository]) {
      await mkdir(each);
      await gitIn(each, 'init', '-q');
    }
    await commit({ 'deep.txt': 'deep' }, nested);
    await commit({ 'index.html': 'from the library' }, library);
    await gitIn(library, 'submodule', '--quiet', 'add', nested, 'nested');
    await commit({}, library);
    await git('submodule', '--quiet', 'add', library, 'pages');
    await commit({ 'build.mjs': BUILD });
    const config = () => readFileSync(path.join(repository, '.git', 'config'), 'utf8');
    const deep = (made: Made) => readFile(path.join(made.targets.base.folder ?? '', 'nested', 'deep.txt'), 'utf8');

    // What the user's own work tree does without is not asked for: it may be private.
    await rename(nested, `${nested}-private`);
    const without = await make({ baseRef: 'HEAD' });
    expect(await without.page('base')).toBe('from the library');
    await expect(deep(without)).rejects.toThrow('ENOENT');
    await rename(`${nested}-private`, nested);
    await git('submodule', '--quiet', 'update', '--init', '--recursive');
    expect(await deep(await make({ baseRef: 'HEAD' }))).toBe('deep');

    // What it has no more is.
    const base = await git('rev-parse', 'HEAD');
    await git('submodule', '--quiet', 'deinit', '--all', '--force');
    await git('rm', '-q', 'pages');
    await commit({ 'pages/index.html': 'own', 'pages/nested/deep.txt': 'own' });
    const before = config();
    const dropped = await make({ baseRef: base, buildCache: false });
    expect([await dropped.page('base'), await dropped.page('candidate')]).toEqual(['from the library', 'own']);
    expect(await deep(dropped)).toBe('deep');
    expect(config()).toBe(before);
    await expectClean();
  });

  it('are checked out without running hooks, and from within one', async () => {
    await shop();
    const hooks = path.join(repository, '.git', 'hooks');
    await mkdir(hooks, { recursive: true });
    const trace = path.join(around(), 'hooked');
    await writeFile(path.join(hooks, 'post-checkout'), `#!/bin/sh\necho "$0" >> "${trace}"\n`, { mode: 0o755 });
    vi.stubEnv('GIT_DIR', path.join(around(), 'elsewhere'));
    vi.stubEnv('GIT_INDEX_FILE', path.join(around(), 'index'));
    const tells = 'node build.mjs && git rev-parse --show-toplevel HEAD > dist/where.txt';
    const made = await make({ build: tells });
    const where = await readFile(path.join(made.targets.base.folder ?? '', 'where.txt'), 'utf8');
    vi.stubEnv('GIT_DIR', undefined);
    vi.stubEnv('GIT_INDEX_FILE', undefined);
    expect(where.trim().split('\n')[1]).toBe(await git('rev-parse', 'main'));
    await expect(access(trace)).rejects.toThrow('ENOENT');
    await expectClean();
  });
});

describe('the build of the base', () => {
  it('is kept by commit, command and folder', async () => {
    await shop();
    await make();
    const again = await make();
    expect(await again.page('base')).toBe('old');
    expect(await builds()).toHaveLength(3);
    expect(again.events[0]).toEqual({ kind: 'build-finished', build: 'base', name: again.targets.base.name });
    await make({ build: 'node ./build.mjs' });
    expect(await builds()).toHaveLength(5);
    await git('branch', '--force', 'main', 'change');
    expect(await (await make()).page('base')).toBe('new');
    expect(await builds()).toHaveLength(7);
  });

  it('is made anew, and kept then, when that is wanted', async () => {
    await shop();
    const dated = `node build.mjs && node -e "fs.copyFileSync(process.env.HOME + '/now', 'dist/index.html')"`;
    await writeFile(path.join(around(), 'now'), 'first');
    const first = await make({ build: dated });
    await writeFile(path.join(around(), 'now'), 'second');
    expect(await (await make({ build: dated })).page('base')).toBe('first');
    expect(await (await make({ build: dated, buildCache: false })).page('base')).toBe('second');
    expect(await (await make({ build: dated })).page('base')).toBe('second');
    // Whoever serves the first one still does.
    expect(await first.page('base')).toBe('first');
  });

  it('is there for this time where nothing can be kept', async () => {
    await shop();
    // A file where the folder would be.
    await writeFile(path.join(around(), '.cache'), '');
    const before = process.listeners('exit');
    const made = await make();
    expect(await made.page('base')).toBe('old');
    expect(path.dirname(path.dirname(made.targets.base.folder ?? ''))).toBe(path.join(around(), 'tmp'));
    const note = made.events.find((event) => event.kind === 'note');
    expect(note?.message).toMatch(
      /^the build of the base is not kept for the next time: .*builds cannot be written to/,
    );
    // A user who stops at once leaves nothing either.
    for (const tidy of process.listeners('exit').filter((each) => !before.includes(each))) tidy(0);
    await expectClean();
    await made.close();
    expect(process.listeners('exit')).toEqual(before);
  });

  it('can be made by several at once', async () => {
    await shop();
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => make()));
    for (const made of all) expect(await made.page('base')).toBe('old');
    await expectClean();
  });

  it('keeps its links, as far as they stay inside', async () => {
    await shop();
    await writeFile(path.join(around(), 'secret'), 'outside');
    const links = `import { symlinkSync } from 'node:fs';
      symlinkSync('index.html', 'dist/relative.html');
      symlinkSync(process.cwd() + '/dist/index.html', 'dist/absolute.html');
      symlinkSync(process.env.HOME + '/secret', 'dist/secret.html');`;
    await git('checkout', '-q', 'main');
    await commit({ 'links.mjs': links });
    const made = await make({ build: 'node build.mjs && node links.mjs' });
    const folder = made.targets.base.folder ?? '';
    expect(await readFile(path.join(folder, 'relative.html'), 'utf8')).toBe('old');
    expect(await readFile(path.join(folder, 'absolute.html'), 'utf8')).toBe('old');
    await expect(access(path.join(folder, 'secret.html'))).rejects.toThrow('ENOENT');
  });
});

describe('what cannot be built', () => {
  it.each(['base', 'candidate'] as const)('is told of the %s, with its last lines', async (which) => {
    await shop();
    await git('checkout', '-q', which === 'base' ? 'main' : 'change');
    await commit({ 'build.mjs': `console.log('one'); console.error('TypeError: no beans'); process.exitCode = 3;` });
    if (which === 'base') await git('checkout', '-q', 'change');
    const error = await failureOf(make());
    expect(error).toMatchObject({ code: 'build-command-failed', exit: 3 });
    // What only the work tree has is what most builds of the base lack.
    const where = which === 'base' ? ', in a fresh checkout without node_modules .*' : '';
    expect(error.message).toMatch(
      new RegExp(`^Building ${which} .* failed \\(exit code 3${where}\\)\\. See its output above`),
    );
    const told = error.events?.findLast((event) => event.kind === 'build-output');
    expect(told).toMatchObject({ build: which, failed: true });
    expect(told?.lines.toSorted()).toEqual(['TypeError: no beans', 'one']);
    await expectClean();
  });

  it.each([
    ['build', { dist: 'out' }, /^base main \(\w{7}\) has no site in out: there is no such folder after the build\./],
    ['folder', { dist: 'dist/sub' }, /has no site in dist\/sub: it has no index\.html\./],
    ['link', { dist: 'dist/away' }, /has no site in dist\/away: a symbolic link points outside the repository\./],
    [
      'nothing',
      { dist: '..' },
      /^--dist: must be a folder inside the repository, not "\.\."\. The base is built in a work tree of its own\.$/,
    ],
    ['nothing', { dist: os.tmpdir() }, /^--dist: must be a folder inside the repository, not /],
    ['nothing', { dist: '.git/hooks' }, /^--dist: must be a folder inside the repository/],
    ['nothing', { baseRef: 'mian' }, /^--base-ref: this repository has no commit "mian"\. Check the spelling/],
    ['nothing', { baseRef: '--all' }, /baseRef must be the name of a branch, a tag or a commit, not "--all"/],
    ['nothing', { baseRef: 'main:pages' }, /^--base-ref: this repository has no commit "main:pages"\./],
    ['nothing', { targets: ['a', 'b'] }, /^Give two targets or --base-ref, not both/],
    ['nothing', { dist: undefined }, /^--base-ref needs --dist: /],
    ['nothing', { baseRef: undefined }, /^--build needs --base-ref: /],
    ['nothing', { baseRef: undefined, build: undefined }, /^--dist needs --base-ref: /],
  ] as const)('is told in one line: %s %o', async (kind, more, line) => {
    await shop();
    await git('checkout', '-q', 'main');
    const also = {
      build: '',
      folder: `import { mkdirSync } from 'node:fs'; mkdirSync('dist/sub');`,
      link: `import { symlinkSync } from 'node:fs'; symlinkSync('/', 'dist/away');`,
      nothing: '',
    }[kind];
    await commit({ 'build.mjs': `${BUILD}\n${also}` });
    const error = await failureOf(make(more as Partial<CompareOptions>));
    expect(error.message).toMatch(line);
    expect(error.message).not.toContain(path.join(around(), 'tmp', 'q'));
    expect((await builds()).length).toBe(kind === 'nothing' ? 0 : 1);
    await expectClean();
  });

  it('for want of what is installed in the work tree alone is told, and is none of the tool', async () => {
    await shop();
    const tool = path.join(repository, 'node_modules', '.bin', 'make-site');
    await write({ '.git/info/exclude': 'node_modules' });
    await mkdir(path.dirname(tool), { recursive: true });
    await writeFile(tool, '#!/bin/sh\nnode build.mjs\n', { mode: 0o755 });
    // As npx and "npm run" have it.
    vi.stubEnv('PATH', `${path.dirname(tool)}${path.delimiter}${process.env.PATH}`);
    const error = await failureOf(make({ build: 'make-site' }));
    expect(error.message).toMatch(
      /^Building base main \(\w{7}\) failed \(exit code 127, in a fresh checkout without node_modules /,
    );
    expect(await builds()).toEqual([]);
  });

  it('is told outside of a repository, and without git', async () => {
    await mkdir(path.join(around(), 'nowhere'));
    const folder = path.join(around(), 'nowhere');
    expect((await failureOf(make({}, { folder }))).message).toBe(
      `--base-ref: ${folder} is not in a usable git working tree (not a git repository (or any of the parent directories): .git). Run Quiesce where the project is checked out.`,
    );
    vi.stubEnv('PATH', folder);
    expect(await failureOf(make({}, { folder }))).toMatchObject({ code: 'git-missing', exit: 3 });
  });

  it('is told in a bare repository', async () => {
    await mkdir(repository);
    await git('init', '-q', '--bare');
    expect(await failureOf(make())).toMatchObject({ code: 'git-no-work-tree', exit: 2 });
  });

  it('for want of commits in a shallow clone is told with what would get it, and that does', async () => {
    await shop();
    const clone = path.join(around(), 'clone');
    await gitIn(around(), 'clone', '-q', '--depth=1', '--branch', 'change', `file://${repository}`, clone);
    const error = await failureOf(make({ baseRef: 'origin/main' }, { folder: clone }));
    const [, advice = ''] = /Get it: git (.*)$/.exec(error.message) ?? [];
    expect(advice).toBe('fetch --depth=1 origin main:refs/remotes/origin/main');
    await gitIn(clone, ...advice.split(' '));
    const made = await make({ baseRef: 'origin/main' }, { folder: clone });
    expect([await made.page('base'), await made.page('candidate')]).toEqual(['old', 'new']);
    expect(made.targets.base.slug).toBe('origin-main');
    expect((await failureOf(make({ baseRef: 'main' }, { folder: clone }))).message).toMatch(
      /Did you mean origin\/main\?$/,
    );
  });

  it('as a submodule is gone is told with what git said', async () => {
    const library = path.join(around(), 'library');
    await mkdir(library);
    await gitIn(library, 'init', '-q');
    await commit({ 'index.html': 'x' }, library);
    await shop();
    await git('submodule', '--quiet', 'add', library, 'library');
    await commit({});
    await rm(library, { recursive: true });
    const error = await failureOf(make({ baseRef: 'HEAD' }));
    expect(error.message).toMatch(
      /^HEAD \(\w{7}\) could not be checked out next to the working tree \(exit code \d+\)\./,
    );
    const told = error.events?.find((event) => event.kind === 'build-output');
    expect(told?.lines.join('\n')).toContain('library');
    await expectClean();
  });
});

describe('a user who has seen enough', () => {
  const isAlive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      // A dead process that nobody has buried answers, too.
      return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };

  it.each(['base', 'candidate'] as const)('ends the build of the %s with its children', async (which) => {
    await shop();
    if (which === 'candidate') await make();
    const endless = `import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      console.log('pids', process.pid, child.pid);
      setInterval(() => {}, 1000);`;
    await git('checkout', '-q', which === 'base' ? 'main' : 'change');
    await (which === 'base' ? commit : write)({ 'build.mjs': endless });
    const abort = new AbortController();
    let pids: readonly number[] = [];
    const error = await failureOf(
      make(
        {},
        {
          signal: abort.signal,
          onEvent: (event) => {
            if (event.kind !== 'build-output' || event.build !== which) return;
            pids = event.lines.join().match(/\d+/g)?.map(Number) ?? [];
            abort.abort();
          },
        },
      ),
    );
    expect(error).toMatchObject({ code: 'interrupted', exit: 130 });
    expect(pids.map(isAlive)).toEqual([false, false]);
    await expectClean();
  });

  it('before anything is built has nothing built', async () => {
    await shop();
    expect(await failureOf(make({}, { signal: AbortSignal.abort() }))).toMatchObject({ code: 'interrupted' });
    expect(await builds()).toEqual([]);
    await expectClean();
  });

  it.each([
    ['process.exit(9)', { code: 9 }],
    ["process.kill(process.pid, 'SIGHUP')", { signal: 'SIGHUP' }],
  ])('at once leaves nothing either: %s while it builds', async (end, how) => {
    await shop();
    await git('checkout', '-q', 'main');
    await commit({ 'build.mjs': `console.log('pid', process.pid); setInterval(() => {}, 1000);` });
    const job = path.resolve('src/jobs/compare/ref-builds.ts');
    const script = `const { findRefs } = await import(${JSON.stringify(job)});
      const named = await findRefs(${JSON.stringify(refsOf(settings()))}, {}, ${JSON.stringify(repository)});
      const onProgress = (event) => {
        if (event.kind !== 'build-output') return;
        console.log(event.lines.join());
        ${end};
      };
      await named.make({ signal: new AbortController().signal, onProgress });`;
    const ended = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]).catch(
      (error) => error,
    );
    expect(ended).toMatchObject(how);
    const pid = Number(/pid (\d+)/.exec(ended.stdout)?.[1]);
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expectClean();
  });
});

describe('their comparison', () => {
  const started = process.cwd();
  afterEach(() => process.chdir(started));

  async function run(
    more: Partial<CompareOptions> = {},
    { signal = new AbortController().signal, onEvent = (_: Progress) => {} } = {},
  ) {
    const out = path.join(around(), 'out');
    const events: Progress[] = [];
    const served = new Set<string>();
    process.chdir(repository);
    const whole: CompareOptions = {
      ...COMPARING,
      ...settings({ build: 'TOKEN=hunter2 node build.mjs' }),
      out,
      format: ['html', 'json', 'md'],
      ...(more as object),
    } as CompareOptions;
    const outcome = await compare(whole, {
      signal,
      microBenchmark: () => 10,
      onProgress: (event) => {
        events.push(event);
        onEvent(event);
      },
      openLab: answeringLab(async ({ url }) => {
        // A browser opens new connections for each load, in a profile of its own.
        const text = await (await fetch(url, { headers: { connection: 'close' } })).text();
        served.add(text);
        const to = (text === 'old' ? 1_000 : 1_200) + ((served.size * 7_919) % 13);
        return loadedBy(to);
      }),
    });
    const stored = async () => JSON.parse(await readFile(path.join(out, 'result.json'), 'utf8')) as CompareResult;
    return { outcome, events, served, stored, out };
  }

  it('serves both, says which they were, and names no folder of this machine', async () => {
    const { base, head } = await shop();
    await write({ 'pages/index.html': 'changed' });
    const { served, stored, outcome, out, events } = await run();
    expect([...served].toSorted()).toEqual(['changed', 'old']);
    const result = await stored();
    expect(result.decision).toBe('slower');
    expect(outcome.exit).toBe(1);
    expect(result.base).toMatchObject({ target: `main (${base.slice(0, 7)})`, source: { commit: base, ref: 'main' } });
    expect(result.candidate.target).toBe(`work tree (${head.slice(0, 7)}, modified)`);
    expect(result.source).toEqual({ commit: head, ref: 'change', modified: true });
    expect(result.settings).toMatchObject({ baseRef: 'main', dist: 'dist', build: 'TOKEN=[redacted] node build.mjs' });
    for (const file of ['result.json', 'index.html', 'summary.md']) {
      const text = await readFile(path.join(out, file), 'utf8');
      expect(text).not.toMatch(/hunter2/);
      for (const folder of ['/.cache/', path.join(around(), 'tmp'), repository]) expect(text).not.toContain(folder);
    }
    const serving = events.flatMap((event) => (event.kind === 'serving' ? event.target : []));
    expect(serving).toEqual([result.base.target, result.candidate.target]);
    await expectClean();
  });

  it('begins with what can be refused, not with the build', async () => {
    await shop();
    await expect(run({ gate: ['no-such-metric' as never] })).rejects.toMatchObject({ code: 'metric-unknown' });
    expect(await builds()).toEqual([]);
  });

  it('leaves no folder of its own behind when nothing could be built', async () => {
    await shop();
    await expect(run({ build: 'exit 1', out: undefined as unknown as string })).rejects.toMatchObject({
      code: 'build-command-failed',
    });
    expect(await readdir(path.join(repository, 'reports'))).toEqual([]);
  });

  it('that was ended is gone on with, unless the work tree has changed', async () => {
    await shop();
    const abort = new AbortController();
    const onEvent = ({ kind }: Progress) => kind === 'comparison-progress' && abort.abort();
    const { outcome, out } = await run({}, { signal: abort.signal, onEvent });
    expect(outcome.exit).toBe(130);
    expect(messagesOf(outcome.problems).join()).toContain('--resume');
    await write({ 'pages/new.css': 'untracked' });
    await expect(run({ resume: true, out })).rejects.toMatchObject({
      code: 'resume-other',
      message: expect.stringContaining('with another candidate.'),
    });
    await rm(path.join(repository, 'pages/new.css'));
    await write({ 'pages/index.html': 'changed' });
    await expect(run({ resume: true, out })).rejects.toMatchObject({ code: 'resume-other' });
    await git('checkout', '-q', 'pages/index.html');
    const again = await run({ resume: true, out });
    expect(again.outcome.exit).toBe(1);
    expect(again.outcome.result.design.pairs).toBeGreaterThan(outcome.result.design.pairs);
  });
});
