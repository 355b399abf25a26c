import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type CheckoutRequest, checkOut } from '../../../src/shell/git/worktree.ts';

const WORKTREE = new URL('../../../src/shell/git/worktree.ts', import.meta.url).href;

let around: string;
beforeEach(async () => {
  around = await realpath(await mkdtemp(path.join(os.tmpdir(), 'quiesce-worktree-')));
  await mkdir(path.join(around, 'tmp'));
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, path.join(around, 'tmp'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(around, { recursive: true, force: true });
});

it('what a program that was killed has left is removed, and git’s record of it', async () => {
  const repository = path.join(around, 'shop');
  await mkdir(repository);
  const git = (...args: string[]): string => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@b.test', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', ['-C', repository, ...who, ...args], { encoding: 'utf8' }).trim();
  };
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  const asked = { repository, commit: git('rev-parse', 'HEAD'), name: 'main', without: [] };
  const workTrees = () => git('worktree', 'list', '--porcelain').match(/^worktree .*/gm);

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
  const running = await readdir(path.join(around, 'tmp'));
  expect([running.length, workTrees()?.length]).toEqual([1, 2]);

  const { signal } = new AbortController();
  const request: CheckoutRequest = { ...asked, signal, onFailure: () => undefined };
  await (await checkOut(request)).close();
  // That of a program that runs is kept.
  expect([await readdir(path.join(around, 'tmp')), workTrees()?.length]).toEqual([running, 2]);

  const exited = once(program, 'exit');
  program.kill('SIGKILL');
  await exited;
  await (await checkOut(request)).close();
  expect([await readdir(path.join(around, 'tmp')), workTrees()]).toEqual([[], [`worktree ${repository}`]]);
});
