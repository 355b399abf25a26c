import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuditCall } from '../../src/api.ts';
import { main } from '../../src/cli/main.ts';
import type { Settings } from '../../src/model/result/result.ts';
import { readCommandLine } from '../../src/settings/gather.ts';
import { fakeWorld, outcome } from '../cli/fake-world.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The settings that a job is given by a command line. */
async function settingsOf(...argv: readonly string[]): Promise<Settings | undefined> {
  let given: Settings | undefined;
  const world = fakeWorld({ cwd: folder });
  await main(argv, {
    ...world,
    jobs: {
      ...world.jobs,
      async audit(settings) {
        given = settings.stored;
        return outcome();
      },
    },
  });
  return given;
}

describe('--lighthouse', () => {
  test.each([
    [['audit', '--lighthouse', 'http://x.test/'], 1],
    [['audit', 'http://x.test/', '--lighthouse'], 1],
    [['audit', '--lighthouse', '3', 'http://x.test/'], 3],
    [['audit', '--lighthouse=3', 'http://x.test/'], 3],
    [['audit', 'http://x.test/', '--lighthouse', '--runs', '2'], 1],
    [['audit', 'http://x.test/'], undefined],
  ])('%j', async (argv, runs) => {
    expect(await settingsOf(...argv)).toMatchObject({ targets: ['http://x.test/'], ...(runs && { lighthouse: runs }) });
    if (runs === undefined) expect(await settingsOf(...argv)).not.toHaveProperty('lighthouse');
  });
});

describe('budgets', () => {
  const resolve = (given: Record<string, string[]> = {}) =>
    readCommandLine('audit', [], given, { env: {}, cwd: folder, isRoot: false });

  test('in a file, each page has its own', async () => {
    const own = [{ metric: 'LCP', max: '1s', severity: 'warn' }];
    const pages = [{ url: 'http://x.test/', budget: own }, { url: 'http://x.test/b' }];
    const config = { lighthouse: true, budget: ['page-complete=2s'], pages };
    await writeFile(path.join(folder, 'quiesce.config.json'), JSON.stringify(config));
    const { stored: settings } = await resolve();
    expect(settings.lighthouse).toBe(1);
    expect((settings as AuditCall).pages?.map(({ budget }) => budget)).toEqual([own, ['page-complete=2s']]);
  });

  test('one that nobody understands is refused with its place', async () => {
    await writeFile(
      path.join(folder, 'quiesce.config.json'),
      JSON.stringify({ budget: ['page-complete=2s', 'speed=1'] }),
    );
    await expect(resolve()).rejects.toThrow(
      /^budget in quiesce\.config\.json: must start with a known metric .* not "speed=1"/,
    );
    await rm(path.join(folder, 'quiesce.config.json'));
    await expect(resolve({ budget: ['LCP=fast'] })).rejects.toThrow(/^--budget: must have a limit .* not "LCP=fast"/);
  });

  test.each([
    ['requests=1000', 0, /✓ The budget is met\./],
    ['requests=0', 1, /✗ Requests \d+: over its budget/],
    ['requests=0:warn', 0, /! Requests .*\(warning\)/],
  ])('the command ends as %s wants it', { timeout: 60_000 }, async (budget, code, line) => {
    const args = [
      'bin/quiesce.js',
      'analyze',
      'fixtures/hars/quiesce.har',
      '--out',
      folder,
      '--format',
      'json',
      '--budget',
      budget,
    ];
    const ended = await new Promise<{ code: unknown; stdout: string }>((resolved) => {
      execFile(process.execPath, args, (error, stdout) => resolved({ code: error?.code ?? 0, stdout }));
    });
    expect(ended.code).toBe(code);
    expect(ended.stdout.replace(/\s+/g, ' ')).toMatch(line);
  });
});
