import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { runBuild } from '../../../src/shell/process/build-command.ts';

afterEach(() => vi.unstubAllEnvs());

/** Whether a build succeeded. */
async function build(command: string, onLines: (lines: readonly string[]) => void): Promise<boolean> {
  const cwd = process.cwd();
  const { signal } = new AbortController();
  return (await runBuild({ command, folder: cwd, top: cwd, ownTop: cwd, signal, onLines })).succeeded;
}

it('tells lines as they come, and a line without an end in pieces', async () => {
  const told: string[] = [];
  // As builds do that print what they know as JSON: all of it was gone through again for every piece that came.
  const script = `process.stdout.write('one\\n\\n  two\\r'); process.stdout.write('x'.repeat(3_000_000))`;
  expect(await build(`"${process.execPath}" -e "${script}"`, (lines) => told.push(...lines))).toBe(true);
  expect(told.slice(0, 2)).toEqual(['one', '  two']);
  expect(told.slice(2).join('')).toHaveLength(3_000_000);
  expect(Math.max(...told.map((line) => line.length))).toBeLessThan(512 * 1024);
});

it('sets nothing for the steps after it in a job on GitHub', async () => {
  const files = ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY', 'GITHUB_STATE'];
  for (const name of [...files, 'GITHUB_SHA']) vi.stubEnv(name, `of ${name}`);
  const told: string[] = [];
  expect(await build('env', (lines) => told.push(...lines))).toBe(true);
  expect(told.filter((line) => line.startsWith('GITHUB_'))).toEqual(['GITHUB_SHA=of GITHUB_SHA']);
});

it.skipIf(process.platform !== 'linux')('leaves nothing running, also not in a session of its own', async () => {
  const told: string[] = [];
  // A daemon: its own session, another parent, no pipe to who started it.
  const daemon = `const { spawn } = require('child_process');
    const child = spawn(process.execPath, ['-e', 'setTimeout(Date, 60_000)'], { detached: true, stdio: 'ignore' });
    child.unref(); console.log(child.pid);`;
  expect(
    await build(`"${process.execPath}" -e "${daemon.replaceAll('\n', ' ')}"`, (lines) => told.push(...lines)),
  ).toBe(true);
  const [pid] = told;
  expect(Number(pid)).toBeGreaterThan(1);
  // What has ended may be listed until its parent has asked for it.
  const isRunning = () => {
    try {
      return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning).toBe(false);
});
