import { access, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { historyOf, subjectsOf, workTreeOf } from '../../../src/shell/git/git.ts';
import { folderForEach } from '../../support/folders.ts';
import { commitIn, gitIn } from '../../support/git.ts';

const folder = folderForEach('git');

const git = (...args: readonly string[]) => gitIn(folder(), ...args);

async function commit(content: string): Promise<string> {
  await writeFile(path.join(folder(), 'page.html'), content);
  return commitIn(folder(), content);
}

it('tells what is checked out where a folder lies', async () => {
  await git('init', '-q', '-b', 'main');
  expect(await workTreeOf(folder())).toBeUndefined();
  const hash = await commit('one');
  const below = path.join(folder(), 'dist');
  await mkdir(below);
  expect(await workTreeOf(below)).toEqual({ folder: folder(), source: { commit: hash, ref: 'main' } });
  await writeFile(path.join(below, 'built.html'), 'not tracked');
  expect((await workTreeOf(below))?.source.modified).toBeUndefined();
  await writeFile(path.join(folder(), 'page.html'), 'changed');
  expect(await workTreeOf(below)).toEqual({ folder: folder(), source: { commit: hash, ref: 'main', modified: true } });
  await git('checkout', '-q', '--force', '--detach');
  expect(await workTreeOf(below)).toEqual({ folder: folder(), source: { commit: hash } });
});

it('knows nothing of a folder in no repository, and of none', async () => {
  expect(await workTreeOf(folder())).toBeUndefined();
  expect(await workTreeOf(path.join(folder(), 'nowhere'))).toBeUndefined();
  expect(await historyOf(folder(), ['0123456789abcdef0123456789abcdef01234567'])).toBeUndefined();
});

it('tells what was said with the commits that it has', async () => {
  await git('init', '-q', '-b', 'main');
  const first = await commit('Load the hero first');
  const second = await commit('feat: a carousel, and more');
  const unknown = '0123456789abcdef0123456789abcdef01234567';
  expect(await subjectsOf(folder(), [first, unknown, second, '--all'])).toEqual(
    new Map([
      [first, 'Load the hero first'],
      [second, 'feat: a carousel, and more'],
    ]),
  );
  expect(await subjectsOf(folder(), ['--all'])).toEqual(new Map());
  expect(await subjectsOf(path.join(folder(), 'nowhere'), [first])).toEqual(new Map());
});

it('looks at the folder and not at the repository of a hook', async () => {
  await git('init', '-q', '-b', 'main');
  const hash = await commit('one');
  process.env.GIT_DIR = path.join(folder(), 'elsewhere');
  try {
    expect((await workTreeOf(folder()))?.source.commit).toBe(hash);
  } finally {
    delete process.env.GIT_DIR;
  }
});

it('orders commits as they were made, short hashes too, and leaves unknown ones out', async () => {
  await git('init', '-q', '-b', 'main');
  const [one, two, three] = [await commit('one'), await commit('two'), await commit('three')];
  const unknown = 'f'.repeat(40);
  expect(await historyOf(folder(), [three, one.slice(0, 10), unknown, two])).toEqual([one, two, three]);
  expect(await historyOf(folder(), [two])).toEqual([one, two]);
  expect(await historyOf(folder(), [unknown])).toBeUndefined();
  expect(await historyOf(folder(), ['--all', 'main'])).toBeUndefined();
});

it('runs no program that a repository names', async () => {
  await git('init', '-q', '-b', 'main');
  await commit('one');
  const trace = path.join(folder(), '..', `${path.basename(folder())}-trace`);
  await git('config', 'core.fsmonitor', `touch ${trace}`);
  await git('config', 'log.showSignature', 'true');
  await git('config', 'gpg.program', `touch ${trace}`);
  await writeFile(path.join(folder(), 'page.html'), 'changed');
  const hash = await git('rev-parse', 'HEAD');
  expect((await workTreeOf(folder()))?.source.commit).toBe(hash);
  expect(await historyOf(folder(), [hash])).toEqual([hash]);
  await expect(access(trace)).rejects.toThrow(/ENOENT/);
});
