import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import { openScript } from '../../../src/jobs/engine/script.ts';
import type { AuditResult } from '../../../src/model/result/result.ts';
import { auditInChrome, chromeSettings } from '../../support/chrome.ts';
import { compare } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { answeringLab, POLICY, page, recordingOf } from '../../support/scripted.ts';

/** The example that the documentation shows. */
const EXAMPLE = fileURLToPath(new URL('../../../examples/login-and-basket.ts', import.meta.url));
/** What the fixture `members` wants to know. */
const PASSWORD = 'second-bridge-4';

let server: FixtureServer;
let folder: string;
beforeAll(async () => {
  server = await startFixtureServer();
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-script-'));
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function written(name: string, source: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, source);
  return file;
}

describe('an audit with a script', () => {
  beforeEach(() => {
    process.env.SHOP_USER = 'ada';
    process.env.SHOP_PASSWORD = PASSWORD;
  });
  afterEach(() => {
    delete process.env.SHOP_USER;
    delete process.env.SHOP_PASSWORD;
  });

  it('makes each step a target of its own, with HARs, and writes nothing of what was typed', async () => {
    const found: Record<string, string> = {};
    const { result, exit, problems } = await auditInChrome(
      {
        targets: [server.url('members')],
        script: EXAMPLE,
        background: ['/api/stock', '/api/prices'],
        quietWindow: 800,
      },
      {},
      async (out) => {
        for (const name of await readdir(out, { recursive: true })) {
          found[name] = await readFile(path.join(out, name), 'utf8').catch(() => '');
        }
      },
    );
    expect(problems).toEqual([]);
    expect(exit).toBe(0);
    const [load, basket, orders] = (result as AuditResult).targets;
    expect([load?.step, basket?.step, orders?.step]).toEqual([undefined, 'add to basket', 'open orders']);
    for (const target of [basket, orders]) {
      expect(target).toMatchObject({ target: server.url('members'), url: server.url('members') });
      expect(target?.runs.map(({ index, role, ok }) => [index, role, ok])).toEqual([
        [0, 'discarded', true],
        [1, 'timed', true],
      ]);
      expect(target?.summary.pageComplete?.n).toBe(1);
    }
    expect(basket?.runs.map(({ har }) => har)).toEqual(['run-0-add-to-basket.har', 'run-1-add-to-basket.har']);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['run-1.har', 'run-1-open-orders.har', 'index.html']));
    const told = Object.entries(found).filter(([, text]) => text.includes(PASSWORD));
    expect(told.map(([name]) => name)).toEqual([]);
  }, 60_000);

  it('ends at the first load that is not let in, and does not tell the password', async () => {
    process.env.SHOP_PASSWORD = 'not-the-one-it-wants';
    const { result, exit, problems } = await auditInChrome({
      targets: [server.url('members')],
      script: EXAMPLE,
      runs: 3,
    });
    expect(exit).toBe(3);
    expect(messagesOf(problems)).toEqual([
      expect.stringMatching(
        /login-and-basket\.ts:\d+ failed in before\(\): The shop did not let us in\. The page was at http:\/\/\S+\/members\/login\.$/,
      ),
    ]);
    expect((result as AuditResult).targets[0]?.runs).toHaveLength(1);
    expect(JSON.stringify(result)).not.toContain('not-the-one-it-wants');
  }, 60_000);

  it('says that a step fails although the page does not', async () => {
    const script = await written(
      'fails.mjs',
      "export const measure = (page, step) => step('buy', () => page.click('#nothing'));",
    );
    const { result, exit, problems } = await auditInChrome({ targets: [server.url('plain')], script });
    expect(exit).toBe(3);
    expect(messagesOf(problems)).toEqual([expect.stringContaining('fails.mjs:1 failed in the step "buy"')]);
    const [load, step] = (result as AuditResult).targets;
    expect(load?.runs.every(({ ok }) => ok)).toBe(true);
    expect(step).toMatchObject({ step: 'buy', runs: [{ ok: false }, { ok: false }] });
  }, 60_000);
});

describe('a script ends nothing but itself', () => {
  it.each([
    ['an endless loop', 'export function before() { for (;;); }', /did not finish within 5 s/],
    [
      'the end of the process',
      'export function before() { process.exit(0); }',
      /it ended its process \(process\.exit\(0\)\)/,
    ],
    [
      'a rejection that it does not wait for',
      "export async function before(page) { setTimeout(() => Promise.reject(new Error('lost'))); await page.waitForSelector('#never'); }",
      /:1 failed in before\(\): lost\./,
    ],
    [
      'an endless loop in a step',
      "export const measure = (page, step) => step('spin', () => { for (;;); });",
      /failed in the step "spin": it did not finish within 5 s/,
    ],
  ])('%s', async (_what, source, line) => {
    const script = await written(`${source.length}.mjs`, source);
    // What comes before the loop is over by then, also on a busy machine.
    const { exit, problems } = await auditInChrome({ targets: [server.url('plain')], script, scriptTimeout: 5_000 });
    expect(messagesOf(problems)).toEqual([expect.stringMatching(line)]);
    expect(exit).toBe(3);
  });

  it('and has what its module has kept in the next load, unless it had to be ended', async () => {
    const script = await written(
      'counts.mjs',
      `import { appendFileSync } from 'node:fs';
       let uses = 0;
       export function before(_page, { run, env }) {
         uses += 1;
         appendFileSync(new URL('uses.txt', import.meta.url), uses + ' ');
         if (run === 2) process.exit(1);
       }`,
    );
    const { result } = await auditInChrome({ targets: [server.url('plain')], script, runs: 3 });
    expect(result.targets[0]?.runs.map(({ ok }) => ok)).toEqual([true, true, false, true]);
    expect(await readFile(path.join(folder, 'uses.txt'), 'utf8')).toBe('1 2 3 1 ');
  });

  it('what goes wrong between two loads fails the next one', async () => {
    const script = await written(
      'later.mjs',
      `export function before(_page, { run }) { if (run === 1) setTimeout(() => Promise.reject(new Error('too late')), 100); }`,
    );
    const { result } = await auditInChrome({ targets: [server.url('plain')], script, runs: 3 });
    expect(result.targets[0]?.runs.map(({ ok, failure }) => failure?.message ?? ok)).toEqual([
      true,
      true,
      expect.stringMatching(/failed in before\(\): too late\./),
      true,
    ]);
  });

  it('nor is its module waited for without an end', async () => {
    const script = await written(
      'waits.mjs',
      'await new Promise(() => setInterval(() => undefined, 1_000)); export const before = 1;',
    );
    await expect(openScript({ path: script, timeout: 500, env: {} })).rejects.toThrow(
      'its code outside before and measure did not finish within 0.5 s',
    );
  });
});

it('is done for both builds of a comparison, whose interactions are a metric and a gate', async () => {
  const recording = recordingOf({ requests: page(), until: 5_000 });
  const clicked = (duration: number) => ({
    name: 'click',
    policy: POLICY,
    outcome: {
      ok: true as const,
      recording: {
        ...recording,
        page: {
          finalUrl: '',
          title: '',
          interactionCount: 1,
          interactions: [{ at: 1, duration, id: 7, type: 'click', inputDelay: 0, processing: 8, presentation: 0 }],
        },
      },
    },
  });
  const lab = answeringLab(({ url, script }) => ({
    ok: true,
    recording,
    ...(script?.steps && { steps: [clicked(url.includes('//a.') ? 40 : 200)] }),
  }));
  const { runs: _runs, ...settings } = chromeSettings({ targets: [] });
  const { result } = await compare(
    {
      ...settings,
      out: path.join(folder, 'compared'),
      targets: ['https://a.test/', 'https://b.test/'],
      format: ['json'],
      script: EXAMPLE,
      minEffect: '5%',
      alpha: 0.05,
      gate: ['INP'],
      maxPairs: 2,
      looks: [2],
      strict: false,
      seed: 1,
      resume: false,
    },
    { openLab: lab, microBenchmark: () => 10 },
  );
  expect(result.comparisons[0]).toMatchObject({
    metric: 'interactionToNextPaint',
    gate: true,
    base: { n: 2, median: 40 },
    candidate: { n: 2, median: 200 },
    difference: { relative: expect.closeTo(4) },
  });
  const timed = result.candidate.runs.find(({ role }) => role === 'timed');
  expect(timed?.interaction).toMatchObject({ step: 'click', duration: 200 });
});

describe('what is not a Quiesce script is refused', () => {
  it.each([
    ['empty.mjs', 'export {};', 'it exports neither before nor measure'],
    ['function.mjs', 'export default () => undefined;', 'its default export is a function'],
    ['text.mjs', "export default { before: 'log in' };", 'its before is not a function'],
    ['slip.mjs', '\nexport default {{', 'slip.mjs'],
  ])('%s', async (name, source, message) => {
    const script = await written(name, source);
    await expect(openScript({ path: script, timeout: 60_000, env: {} })).rejects.toMatchObject({
      code: 'script-invalid',
      message: expect.stringContaining(message),
    });
  });

  it('a file that is not there', async () => {
    await expect(openScript({ path: path.join(folder, 'gone.ts'), timeout: 60_000, env: {} })).rejects.toThrow(
      'gone.ts is not a Quiesce script (no such file)',
    );
  });
});
