import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { fetchRef } from '../../../src/shell/git/fetch-ref.ts';
import { folderForAll } from '../../support/folders.ts';
import { commitIn, gitIn } from '../../support/git.ts';

const run = promisify(execFile);
const folder = folderForAll('fetch');
let main: string;

/** As actions/checkout leaves it: one commit of one branch. */
async function checkout(name: string): Promise<string> {
  const clone = path.join(folder(), name);
  const origin = `file://${path.join(folder(), 'origin')}`;
  await run('git', ['clone', '--quiet', '--no-tags', '--depth=1', '--branch=topic', origin, clone]);
  return clone;
}

const fetched = (clone: string, ref: string) => fetchRef(clone, ref, new AbortController().signal);

beforeAll(async () => {
  const origin = path.join(folder(), 'origin');
  await mkdir(origin);
  await gitIn(origin, 'init', '--quiet', '--initial-branch=main');
  await gitIn(origin, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  for (const branch of ['main', 'topic']) {
    if (branch !== 'main') await gitIn(origin, 'checkout', '--quiet', '-b', branch);
    await writeFile(path.join(origin, 'page.html'), branch);
    await commitIn(origin, branch);
  }
  main = await gitIn(origin, 'rev-parse', 'main');
  await gitIn(origin, 'tag', 'v1', 'main');
});

test.each([
  ['a branch of the remote', 'origin/main', 'origin/main'],
  ['a branch by its own name', 'main', 'origin/main'],
  ['a tag', 'v1', 'v1'],
])('%s is fetched, and nothing before it', async (_what, ref, known) => {
  const clone = await checkout(`clone-${ref.replace('/', '-')}`);
  expect(await fetched(clone, ref)).toEqual({ ref: known, problems: [] });
  expect(await gitIn(clone, 'rev-parse', `${known}^{commit}`)).toBe(main);
  expect(await gitIn(clone, 'rev-list', '--count', known)).toBe('1');
});

test('so is a commit', async () => {
  expect(await fetched(await checkout('clone-commit'), main)).toEqual({ ref: main, problems: [] });
});

test('what is there is not fetched: the remote may be gone', async () => {
  const clone = await checkout('clone-there');
  await gitIn(clone, 'remote', 'set-url', 'origin', 'file:///nowhere');
  expect(await fetched(clone, 'HEAD')).toEqual({ ref: 'HEAD', problems: [] });
});

test.each(['gone', '--upload-pack=touch pwned', 'a..b'])('%j stays as it is, with what git says', async (ref) => {
  const clone = await checkout(`clone-${ref.replace(/\W/g, '-')}`);
  const { ref: left, problems } = await fetched(clone, ref);
  expect(left).toBe(ref);
  expect(problems.join('\n')).toMatch(/^(?:fatal|error): /);
});

test('a signal ends it', async () => {
  const clone = await checkout('clone-ended');
  await expect(fetchRef(clone, 'gone', AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
});
