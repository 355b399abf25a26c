/** The server under test, started and ended by the built command line, with a real browser. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditResult } from '../../src/model/result/result.ts';
import { exitWithoutHost } from '../support/exit.ts';

const BIN = path.resolve('bin/quiesce.js');

let folder: string;
let port: number;
let started: ChildProcess[];
beforeEach(async () => {
  started = [];
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-serve-cli-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = (probe.address() as AddressInfo).port;
  await new Promise((resolve) => probe.close(resolve));
  await writeFile(
    path.join(folder, 'server.mjs'),
    `import { createServer } from 'node:http';
     import { spawn } from 'node:child_process';
     import { appendFileSync } from 'node:fs';
     const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
     appendFileSync('pids', [process.pid, child.pid].join(' ') + '\\n');
     const page = (title) => '<!doctype html><title>' + title + '</title><p>' + title;
     let asked = 0;
     createServer((request, response) => {
       asked += 1;
       if (process.env.DIES_AFTER && asked > Number(process.env.DIES_AFTER)) {
         console.error('FATAL: the cat sat on the keyboard');
         process.exit(7);
       }
       response.setHeader('content-type', request.url.endsWith('.xml') ? 'application/xml' : 'text/html');
       if (request.url === '/sitemap.xml') response.end('<urlset><url><loc>https://live.test/</loc></url><url><loc>https://live.test/shop/</loc></url></urlset>');
       else response.end(page('page ' + request.url));
     }).listen(${port}, '127.0.0.1');`,
  );
});
afterEach(async () => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
/** Browsers that were started below the folder and still run, whoever their parent is by now; only Linux tells. */
const browsers = (): readonly number[] =>
  process.platform !== 'linux'
    ? []
    : readdirSync('/proc')
        .map(Number)
        .filter((pid) => pid > 0 && isAlive(pid) && argumentsOf(pid).includes(`--user-data-dir=${folder}`));
const argumentsOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};
const pids = async () => (await readFile(path.join(folder, 'pids'), 'utf8')).trim().split(/\s+/).map(Number);

function quiesce(words: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [BIN, ...words], {
    cwd: folder,
    env: { ...process.env, TMPDIR: folder, FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const text = { stdout: '', stderr: '' };
  const waiting: { readonly what: RegExp; readonly resolve: () => void }[] = [];
  child.stdout.on('data', (piece) => {
    text.stdout += piece;
  });
  child.stderr.on('data', (piece) => {
    text.stderr += piece;
    for (const each of waiting) if (each.what.test(text.stderr)) each.resolve();
  });
  return {
    child,
    /** Resolves once stderr says it. */
    says: (what: RegExp) => new Promise<void>((resolve) => void waiting.push({ what, resolve })),
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...text })),
  };
}

const SHORT = ['--runs', '2', '--quiet-window', '500', '--no-evidence', '--out', 'out'];
const serving = () => [
  '--serve-command',
  `${JSON.stringify(process.execPath)} server.mjs`,
  '--serve-url',
  `http://127.0.0.1:${port}/`,
];

test('is started, measured by its paths and its sitemap, and ended with all its children', async () => {
  const { ended } = quiesce(['audit', '/shop/', ...serving(), '--sitemap', '/sitemap.xml', ...SHORT]);
  const { code, stdout, stderr } = await ended;
  expect(stderr).toMatch(/127\.0\.0\.1:\d+\/ responds after \d+\.\d s/);
  expect(stderr).toMatch(/\/shop\/ \(page 1 of 2\) round 2 of 2: page complete at/);
  expect(exitWithoutHost({ code, stdout, stderr })).toBe(0);
  const result = JSON.parse(await readFile(path.join(folder, 'out', 'result.json'), 'utf8')) as AuditResult;
  expect(result.targets.map(({ url, title }) => [new URL(url).pathname, title])).toEqual([
    ['/shop/', 'page /shop/'],
    ['/', 'page /'],
  ]);
  expect(result.targets.every(({ url }) => url.startsWith(`http://127.0.0.1:${port}/`))).toBe(true);
  expect((await pids()).map(isAlive)).toEqual([false, false]);
  expect(
    (await readdir(path.join(folder, 'out'))).filter((name) => name.startsWith('.') || name === 'partial'),
  ).toEqual([]);
});

test('is its own page when nothing is named, and ends on Ctrl-C', async () => {
  const { child, says, ended } = quiesce(['audit', ...serving(), ...SHORT, '--runs', '50']);
  await says(/run 1 of 50/);
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect((await pids()).map(isAlive)).toEqual([false, false]);
  const result = JSON.parse(await readFile(path.join(folder, 'out', 'result.json'), 'utf8')) as AuditResult;
  expect(result.interrupted).toBe(true);
  expect(result.targets[0]?.url).toBe(`http://127.0.0.1:${port}/`);
});

test('ends when the command line is ended at once, or crashes', async () => {
  const { child, says, ended } = quiesce(['audit', ...serving(), ...SHORT, '--runs', '50']);
  await says(/run 1 of 50/);
  const ending = says(/Press Ctrl-C again to stop at once/);
  child.kill('SIGINT');
  await ending;
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  await expect.poll(async () => (await pids()).map(isAlive)).toEqual([false, false]);
  await expect.poll(browsers).toEqual([]);

  await rm(path.join(folder, 'pids'));
  const crash = path.join(folder, 'crash.mjs');
  await writeFile(crash, "process.on('SIGUSR2', () => { throw new Error('a bug of ours'); });");
  const crashing = quiesce(['audit', ...serving(), ...SHORT, '--runs', '50'], { NODE_OPTIONS: `--import ${crash}` });
  await crashing.says(/run 1 of 50/);
  crashing.child.kill('SIGUSR2');
  expect((await crashing.ended).code).not.toBe(0);
  await expect.poll(async () => (await pids()).map(isAlive)).toEqual([false, false]);
  await expect.poll(browsers).toEqual([]);
});

test('that ends while it is measured is told with its last words; what was measured is kept', async () => {
  // One request asks whether it is up, one is the warm-up's page; its icon may be a third.
  const { ended } = quiesce(['audit', ...serving(), ...SHORT, '--runs', '20', '--quiet'], { DIES_AFTER: '8' });
  const { code, stderr } = await ended;
  expect(code).toBe(3);
  expect(stderr).toMatch(/\n {2}FATAL: the cat sat on the keyboard\n/);
  expect(stderr).toMatch(/quiesce: The server ended while it was measured \(exit code 7\)\./);
  const result = JSON.parse(await readFile(path.join(folder, 'out', 'result.json'), 'utf8')) as AuditResult;
  const runs = result.targets[0]?.runs ?? [];
  expect(runs.filter(({ ok }) => ok).length).toBeGreaterThan(1);
  expect(runs.length).toBeLessThan(10);
});

test('keeps what a password may stand in out of every file', async () => {
  const words = ['audit', '--serve-url', `http://127.0.0.1:${port}/`, ...SHORT, '--runs', '1'];
  const { ended } = quiesce([
    ...words,
    '--serve-command',
    `API_TOKEN=hunter2canary ${JSON.stringify(process.execPath)} server.mjs`,
  ]);
  const { code, stdout, stderr } = await ended;
  expect(exitWithoutHost({ code, stdout, stderr })).toBe(0);
  expect(stdout + stderr).not.toContain('hunter2canary');
  for (const entry of await readdir(path.join(folder, 'out'), { withFileTypes: true })) {
    if (entry.isFile())
      expect(await readFile(path.join(folder, 'out', entry.name), 'utf8')).not.toContain('hunter2canary');
  }
  expect(JSON.parse(await readFile(path.join(folder, 'out', 'result.json'), 'utf8')).settings.serveCommand).toMatch(
    /^API_TOKEN=\[redacted\] /,
  );
}, 30_000);
