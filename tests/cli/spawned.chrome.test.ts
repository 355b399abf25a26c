import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../fixtures/server.ts';
import type { AuditResult } from '../../src/model/result/result.ts';
import { chromeProcesses } from '../support/chrome.ts';
import { exitWithoutHost } from '../support/exit.ts';
import { isStoredResult } from '../support/result-schema.ts';

let server: FixtureServer;
let folder: string;
beforeEach(async () => {
  server = await startFixtureServer();
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** The built command, as a user starts it. Its temporary files stay in the test's folder. */
function quiesce(...args: string[]): ChildProcess {
  return spawn(process.execPath, ['bin/quiesce.js', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TMPDIR: folder, FORCE_COLOR: '0' },
  });
}

async function finished(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (piece) => {
    text.stdout += piece;
  });
  child.stderr?.on('data', (piece) => {
    text.stderr += piece;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

const short = ['--runs', '3', '--quiet-window', '1000', '--no-evidence'];

describe('quiesce audit', () => {
  it('prints the table and where the report is; progress goes to stderr', async () => {
    const out = path.join(folder, 'out');
    const { code, stdout, stderr } = await finished(quiesce('audit', server.url('plain'), '--out', out, ...short));
    expect(exitWithoutHost({ code, stdout, stderr })).toBe(0);
    expect(stdout).toMatch(/The page is complete after/);
    expect(stdout.trimEnd()).toMatch(/Report: .*index\.html$/);
    expect(stderr).toMatch(/run 3 of 3/);
    expect(await readdir(out)).toEqual(expect.arrayContaining(['index.html', 'result.json', 'run-3.har']));
  });

  it('prints nothing but the result to stdout with --json', async () => {
    const { code, stdout, stderr } = await finished(
      quiesce(
        'audit',
        server.url('plain'),
        '--out',
        path.join(folder, 'out'),
        '--runs',
        '1',
        '--quiet-window',
        '500',
        '--json',
      ),
    );
    expect(exitWithoutHost({ code, stdout, stderr })).toBe(0);
    const result = JSON.parse(stdout) as AuditResult;
    expect(result.targets[0]?.runs).toHaveLength(2);
    expect(isStoredResult(result), JSON.stringify(isStoredResult.errors)).toBe(true);
  });

  it('keeps the finished runs on Ctrl-C, and leaves no browser and no profile', async () => {
    const out = path.join(folder, 'out');
    const child = quiesce('audit', server.url('plain'), '--out', out, ...short);
    const done = finished(child);
    // The first timed run is told of: the next one is under way.
    for await (const line of createInterface({ input: child.stderr ?? ([] as never) })) {
      if (/run 1 of 3/.test(line)) break;
    }
    child.kill('SIGINT');
    const { code } = await done;
    expect(code).toBe(130);
    const result = JSON.parse(await readFile(path.join(out, 'result.json'), 'utf8')) as AuditResult;
    expect(result.interrupted).toBe(true);
    expect(result.targets[0]?.runs.map(({ index, ok }) => [index, ok])).toEqual([
      [0, true],
      [1, true],
    ]);
    expect(await readdir(out)).toContain('index.html');
    expect(await readdir(folder)).toEqual(['out']);
    expect(await chromeProcesses()).toEqual([]);
  });

  it.each([
    [['audit', '--runz', '3', 'http://x.test/'], /--runz.*--runs/, 2],
    [['audit', 'http://x.test/', '--quiet', '--verbose'], /--quiet and --verbose contradict/, 2],
    [['audit'], /Missing argument: what to audit/, 2],
    [
      ['audit', 'http://x.test/', '--format', 'junti'],
      /--format: must be a list of html, json, [a-z, ]+ \(did you mean junit\?\)/,
      2,
    ],
    [['audit', 'http://127.0.0.1:9/', '--browser', '/no/such/browser'], /cannot be started as a browser/, 3],
  ] as const)('%j is one line', async (args, line, exit) => {
    const { code, stderr, stdout } = await finished(quiesce(...args));
    expect(stdout).toBe('');
    const errors = stderr
      .trimEnd()
      .split('\n')
      .filter((each) => each.startsWith('quiesce:'));
    expect(errors).toEqual([expect.stringMatching(line)]);
    expect(code).toBe(exit);
  });
});

describe('quiesce analyze', () => {
  const HARS = path.resolve('fixtures/hars');

  it('analyses several HARs, tells what is broken, and writes a report', async () => {
    const out = path.join(folder, 'out');
    const broken = path.join(folder, 'broken.har');
    await writeFile(broken, '{"log": {"entries": [');
    const files = [path.join(HARS, 'playwright.har'), path.join(HARS, 'browsertime.har.gz'), broken];
    const { code, stdout, stderr } = await finished(quiesce('analyze', ...files, '--out', out));
    expect(code).toBe(4);
    // How much of a path is shown depends on its length.
    expect(stdout).toMatch(/ght\.har +✓/);
    expect(stdout.trimEnd()).toMatch(/Report: .*index\.html$/);
    expect(stderr).toMatch(/browsertime\.har\.gz \(2 of 3\): 2 pages, 48 requests/);
    const errors = stderr.split('\n').filter((line) => line.startsWith('quiesce:'));
    expect(errors).toEqual([expect.stringMatching(/broken\.har is not JSON, line 1, column 22/)]);
    expect((await readdir(out)).toSorted()).toEqual(['index.html', 'result.json']);
  });

  it('writes every format that is asked for', async () => {
    const out = path.join(folder, 'out');
    const har = path.join(HARS, 'browsertime.har.gz');
    const { code } = await finished(quiesce('analyze', har, '--format', 'html,json,junit,md,csv', '--out', out));
    expect(code).toBe(0);
    const begins = {
      'index.html': /^<!doctype html>/,
      'junit.xml': /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="quiesce analyze" tests="3"/,
      'result.csv': /^target,name,url,step,build,run,role,.*\r\n.*browsertime\.har\.gz,,http:\/\//,
      'result.json': /^\{/,
      'summary.md': /^### ✅ Complete\n\n`/,
    };
    expect((await readdir(out)).toSorted()).toEqual(Object.keys(begins));
    for (const [file, begin] of Object.entries(begins)) {
      expect(await readFile(path.join(out, file), 'utf8')).toMatch(begin);
    }
  });

  it('reads the standard input and prints nothing but the result with --json', async () => {
    const child = spawn(process.execPath, ['bin/quiesce.js', 'analyze', '-', '--json', '--out', folder], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: '0' },
    });
    const done = finished(child);
    child.stdin?.end(await readFile(path.join(HARS, 'browsertime.har.gz')));
    const { code, stdout } = await done;
    expect(code).toBe(0);
    const result = JSON.parse(stdout) as AuditResult;
    expect(result.kind).toBe('analysis');
    expect(result.targets.map(({ target, runs }) => [target, runs.length])).toEqual([['-', 2]]);
  });

  it.each([
    [['analyze'], /Missing argument: what to analyse/, 2],
    [['analyze', 'nowhere.har'], /nowhere\.har cannot be read: there is no such file/, 3],
  ] as const)('%j is one line', async (args, line, exit) => {
    const { code, stdout, stderr } = await finished(quiesce(...args));
    expect(stdout).toBe('');
    expect(stderr.split('\n').filter((each) => each.startsWith('quiesce:'))).toEqual([expect.stringMatching(line)]);
    expect(code).toBe(exit);
  });
});

// A full disk can only be made where a small one may be mounted.
const run = promisify(execFile);
const mayMount = process.getuid?.() === 0 && os.platform() === 'linux';
it.runIf(mayMount)('says so when the disk is full, and keeps what was written before', async (context) => {
  const disk = path.join(folder, 'disk');
  await run('mkdir', [disk]);
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=96k', 'tmpfs', disk]).then(
    () => true,
    () => false,
  );
  if (!mounted) return context.skip('this container may not mount');
  try {
    const { code, stderr } = await finished(
      quiesce('audit', server.url('ledger'), '--out', disk, '--runs', '3', '--quiet-window', '500', '--timeout', '3s'),
    );
    expect(stderr).toMatch(/Writing .* failed \(the disk is full\)/);
    expect(code).toBe(3);
    expect((await readdir(disk)).filter((name) => name.endsWith('.part'))).toEqual([]);
  } finally {
    await run('umount', [disk]);
  }
});
