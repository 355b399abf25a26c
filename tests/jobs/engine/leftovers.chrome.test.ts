import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import { isBroken } from '../../../src/result/health.ts';
import { auditInChrome, chromeProcesses } from '../../support/chrome.ts';

let server: FixtureServer;
let temporary: string;
const before = process.env.TMPDIR;
beforeEach(async () => {
  server = await startFixtureServer();
  // A folder of its own, so that what other tests do at the same time is not seen. With a longer path no browser uses it.
  temporary = await mkdtemp(path.join(os.tmpdir(), 'left-'));
  process.env.TMPDIR = temporary;
});
afterEach(async () => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  await server.close();
  await rm(temporary, { recursive: true, force: true });
});

/** Kills the browser itself, hard, so many times, in the middle of the first timed run; or stops it. */
function killer(times: number, how: NodeJS.Signals = 'SIGKILL'): (event: Progress) => void {
  let left = times;
  return (event) => {
    if (event.kind !== 'run-progress' || event.index !== 1 || left === 0) return;
    left -= 1;
    const ended = chromeProcesses().then((all) => {
      const main = all.find(({ args, parent }) => parent === process.pid && !args.includes('--type='));
      if (main) process.kill(main.pid, how);
    });
    // On a busy machine the run may be over before all processes have been read.
    ended.catch(() => undefined);
  };
}

it('repeats a run whose browser is killed, and leaves neither process nor profile', async () => {
  const { exit, result, problems } = await auditInChrome(
    { targets: [server.url('plain')], quietWindow: 2_000, ownBrowser: true },
    { onProgress: killer(1) },
  );
  expect(problems).toEqual([]);
  expect(exit).toBe(0);
  expect(result.targets[0]?.runs[1]).toMatchObject({ ok: true, attempts: 2 });
  expect(await chromeProcesses()).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
});

it('repeats a run whose browser stands still, which says nothing of the page', async () => {
  const { exit, result, problems } = await auditInChrome(
    { targets: [server.url('plain')], quietWindow: 2_000, timeout: 10_000, ownBrowser: true },
    { onProgress: killer(1, 'SIGSTOP') },
  );
  expect(problems).toEqual([]);
  expect(exit).toBe(0);
  expect(result.targets[0]?.runs[1]).toMatchObject({ ok: true, attempts: 2 });
  expect(result.targets[0] && isBroken(result.targets[0])).toBe(false);
  expect(await chromeProcesses()).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
});

it('keeps the finished runs when the audit is ended in a run, and leaves nothing else behind', async () => {
  const abort = new AbortController();
  const { exit, result } = await auditInChrome(
    { targets: [server.url('plain')], runs: 3, quietWindow: 2_000, ownBrowser: true },
    {
      signal: abort.signal,
      onProgress: (event) => {
        if (event.kind === 'run-progress' && event.index === 2) abort.abort();
      },
    },
  );
  expect(exit).toBe(130);
  expect(result.targets[0]?.runs.map(({ index, ok }) => [index, ok])).toEqual([
    [0, true],
    [1, true],
  ]);
  expect(await chromeProcesses()).toEqual([]);
  expect(await readdir(temporary)).toEqual([]);
});

/** Command lines of processes, of any parent, that name the folder of the test. */
async function processesOfTest(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(temporary));
}

it('a browser ends with a program that is killed, and the next one removes what that has left', async () => {
  const out = path.join(temporary, 'out');
  const program = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../support/load-for-ever.ts', import.meta.url)), out, server.url('plain')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(program.stdout, 'data');
  program.kill('SIGKILL');
  await once(program, 'exit');
  await expect.poll(processesOfTest).toEqual([]);
  const left = async () => (await readdir(temporary)).filter((name) => name.startsWith('quiesce-profile-'));
  const hidden = async () => (await readdir(out)).filter((name) => name.startsWith('.quiesce-'));
  expect(await left()).toHaveLength(1);
  expect(await hidden()).not.toEqual([]);
  const { exit } = await auditInChrome({ targets: [server.url('plain')], out, ownBrowser: true });
  expect(exit).toBe(0);
  expect(await left()).toEqual([]);
  expect(await hidden()).toEqual([]);
});
