import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LighthouseOutcome } from '../../../src/model/lighthouse/request.ts';
import type { LoadOutcome } from '../../../src/model/recording/lab.ts';
import { chromeSettings } from '../../support/chrome.ts';
import { type AuditOptions, analyze, audit } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { ORIGIN, page, recordingOf, scriptedLab } from '../../support/scripted.ts';

let out: string;
beforeEach(async () => {
  out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
});
afterEach(() => rm(out, { recursive: true, force: true }));

const load = (requested = '/api'): LoadOutcome => ({
  ok: true,
  recording: recordingOf({ requests: page({ path: requested, from: 100, to: 400 }), until: 9_000 }),
});

/** Audits a page that is complete at the same moment in every run. */
async function judged(
  budget: NonNullable<AuditOptions['budget']>,
  lighthouse?: () => Promise<LighthouseOutcome>,
  requested?: string,
) {
  return audit(chromeSettings({ targets: [`${ORIGIN}/`], runs: 2, out, format: ['json'], budget }), {
    openLab: async () => {
      const lab = scriptedLab([load(requested), load(requested), load(requested)]);
      return { ...lab, ...(lighthouse && { lighthouse }) };
    },
  });
}

describe('the exit code of an audit', () => {
  test.each([
    ['clearly kept', ['page-complete=10s'], 0],
    ['clearly exceeded', ['page-complete=1ms'], 1],
    ['clearly exceeded, and only a warning', ['page-complete=1ms:warn'], 0],
    ['one of two exceeded', ['page-complete=10s', 'requests=0'], 1],
    ['not measured', ['lighthouse:performance=0.9'], 4],
  ] as const)('%s', async (_, budget, exit) => {
    expect((await judged(budget)).exit).toBe(exit);
  });

  test('too close to tell does not fail', async () => {
    const { result, exit, problems } = await judged(['page-complete=400']);
    expect(result.targets[0]?.budgets).toMatchObject([{ state: 'undecided' }]);
    expect(exit).toBe(0);
    expect(problems).toEqual([]);
  });

  test('what fails is told with figures', async () => {
    const { problems } = await judged(['page-complete=1ms']);
    expect(messagesOf(problems)).toEqual([
      expect.stringMatching(/^Budget exceeded: Page complete .* over its budget of at most 1/),
    ]);
  });

  test('of several pages with the page', async () => {
    const targets = [`${ORIGIN}/a`, `${ORIGIN}/b`];
    const settings = {
      targets,
      runs: 1,
      out,
      format: ['json'],
      budget: ['page-complete=1ms'],
      evidence: false,
    } as const;
    const { problems } = await audit(chromeSettings(settings), {
      openLab: async () => scriptedLab(Array.from({ length: 8 }, load)),
    });
    expect(messagesOf(problems)).toEqual(
      targets.map((target) => expect.stringMatching(`^Budget exceeded: ${target}: Page complete`)),
    );
  });
});

describe('Lighthouse', () => {
  test('is run by a budget that needs it, once', async () => {
    const lhr = { lighthouseVersion: '13.5.0', audits: {}, categories: { performance: { score: 0.97 } } };
    let runs = 0;
    const { result } = await judged(['lighthouse:performance=0.9'], async () => {
      runs += 1;
      return { ok: true, lhr, wallTime: 1 };
    });
    expect(runs).toBe(1);
    expect(result.targets[0]?.budgets).toMatchObject([{ state: 'pass', value: 0.97 }]);
  });

  test.each([
    ['/api', ['cache-insight']],
    ['/@vite/client', []],
  ])('of a page that requests %s advises %j', async (requested, advised) => {
    const audits = { 'cache-insight': { score: 0, metricSavings: { LCP: 250 } } };
    const { result } = await judged(
      ['lighthouse:performance=0.9'],
      async () => ({ ok: true, lhr: { audits, categories: { performance: { score: 0.97 } } }, wallTime: 1 }),
      requested,
    );
    expect(result.targets[0]?.lighthouse?.opportunities.map(({ id }) => id)).toEqual(advised);
  });

  test('that fails is told, and takes nothing away', async () => {
    const { result, exit, problems } = await judged(['lighthouse:seo=0.5:warn'], async () => ({
      ok: false,
      failure: { code: 'lighthouse-failed', message: 'Lighthouse gave no result.' },
    }));
    expect(exit).toBe(0);
    expect(messagesOf(problems)).toEqual(['Lighthouse gave no result.']);
    expect(result.targets[0]?.lighthouse?.runs).toMatchObject([{ ok: false }]);
    expect(result.targets[0]?.summary.pageComplete?.n).toBe(2);
  });
});

test('a budget that nobody understands is refused before anything is opened', async () => {
  await expect(judged(['speed=1' as never])).rejects.toMatchObject({ code: 'option-invalid', exit: 2 });
});

test.each([
  ['requests=1000', 0],
  ['requests=0', 1],
  ['requests=0:warn', 0],
] as const)('an analysis of a HAR with %s ends with %d', async (budget, exit) => {
  const outcome = await analyze({ files: ['fixtures/hars/quiesce.har'], out, format: ['json'], budget: [budget] });
  expect(outcome.exit).toBe(exit);
});
