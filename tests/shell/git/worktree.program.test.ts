import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CheckoutRequest, checkOut } from '../../../src/shell/git/worktree.ts';
import { folderForEach } from '../../support/folders.ts';
import { commitIn, gitIn } from '../../support/git.ts';

const WORKTREE = new URL('../../../src/shell/git/worktree.ts', import.meta.url).href;

const around = folderForEach('worktree');
beforeEach(async () => {
  await mkdir(path.join(around(), 'tmp'));
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, path.join(around(), 'tmp'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
});

it('what a program that was killed has left is removed, and git’s record of it', async () => {
  const repository = path.join(around(), 'shop');
  await mkdir(repository);
  const git = (...args: readonly string[]) => gitIn(repository, ...args);
  await git('init', '-q');
  const commit = await commitIn(repository, 'first');
  const asked = { repository, commit, name: 'main', without: [] };
  const workTrees = async () => (await git('worktree', 'list', '--porcelain')).match(/^worktree .*/gm);

  const program = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { checkOut } = await import(${JSON.stringify(WORKTREE)});
       const { signal } = new AbortController();
       await checkOut({ ...${JSON.stringify(asked)}, signal, onFailure: () => undefined });
       process.stdout.write('there');
       setInterval(() => undefined, 2 ** 30);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(program.stdout, 'data');
  const running = await readdir(path.join(around(), 'tmp'));
  expect([running.length, (await workTrees())?.length]).toEqual([1, 2]);

  const { signal } = new AbortController();
  const request: CheckoutRequest = { ...asked, signal, onFailure: () => undefined };
  await (await checkOut(request)).close();
  // That of a program that runs is kept.
  expect([await readdir(path.join(around(), 'tmp')), (await workTrees())?.length]).toEqual([running, 2]);

  const exited = once(program, 'exit');
  program.kill('SIGKILL');
  await exited;
  await (await checkOut(request)).close();
  expect([await readdir(path.join(around(), 'tmp')), await workTrees()]).toEqual([[], [`worktree ${repository}`]]);
});
