import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CompareResult } from '../../../src/model/compare/comparison.ts';
import type { Lab } from '../../../src/model/recording/lab.ts';
import { renderComparison } from '../../../src/reporters/terminal/compare.ts';
import { folderForEach } from '../../support/folders.ts';
import { type CompareOptions, compare } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { answeringLab, ORIGIN, page, recordingOf } from '../../support/scripted.ts';
import { COMPARING } from '../../support/settings.ts';

const BASE = `${ORIGIN}/base`;
const CANDIDATE = `${ORIGIN}/candidate`;

const out = folderForEach('test');

/** Compares two equal builds of which Lighthouse likes the candidate less. Its first runs end with `errors`. */
async function compared(
  lighthouse: number,
  budget: NonNullable<CompareOptions['budget']> = [],
  errors: readonly string[] = [],
) {
  const ending = [...errors];
  const order: string[] = [];
  const nameOf = (url: string): string => (url === BASE ? 'base' : 'candidate');
  const answering = answeringLab(() => {
    order.push('load');
    const end = 1000 + ((order.length * 7) % 10);
    return {
      ok: true,
      recording: recordingOf({ requests: page({ path: '/api', from: 100, to: end }), until: end + 4000 }),
    };
  });
  const openLab = async (): Promise<Lab> => ({
    ...(await answering()),
    async lighthouse({ url }) {
      order.push(nameOf(url));
      const code = ending.shift();
      if (code) return { ok: true, lhr: { runtimeError: { code, message: `It is called ${code}.` } }, wallTime: 1 };
      const score = (url === BASE ? 0.9 : 0.7) + order.length / 1e4;
      const lhr = { lighthouseVersion: '13.5.0', audits: {}, categories: { performance: { score } } };
      return { ok: true, lhr, wallTime: 1 };
    },
  });
  const outcome = await compare(
    {
      ...COMPARING,
      targets: [BASE, CANDIDATE],
      out: out(),
      format: ['json'],
      ...(lighthouse > 0 && { lighthouse }),
      budget,
    },
    { openLab, microBenchmark: () => 10 },
  );
  const stored = JSON.parse(await readFile(path.join(out(), 'result.json'), 'utf8')) as CompareResult;
  return { outcome, order, stored };
}

describe('Lighthouse in a comparison', () => {
  test('runs in turns after the last load, and tells the difference without deciding by it', async () => {
    const { outcome, order, stored } = await compared(5);
    const first = order.findIndex((each) => each !== 'load');
    expect(order.slice(first)).toEqual([
      ...['base', 'candidate', 'candidate', 'base', 'base', 'candidate', 'candidate', 'base', 'base', 'candidate'],
    ]);
    expect(stored.decision).toBe('same');
    expect(outcome.exit).toBe(0);
    expect(stored.base.lighthouse?.categories.performance?.n).toBe(5);
    const [performance] = stored.lighthouse?.comparisons ?? [];
    expect(performance).toMatchObject({ name: 'lighthouse:performance', unit: 'score', level: 0.95 });
    expect(performance?.difference).toBeCloseTo(-0.2, 2);
    expect(performance?.high).toBeLessThan(-0.19);
    const text = renderComparison(outcome.report, { color: false, width: 120, detail: 'all' });
    expect(text).toContain('5 runs of each build, alternating, after the comparison. For information only');
    expect(text).toMatch(/^ {2}Performance +90\.\d +70\.\d +−20\.0/m);
  });

  test('budgets are the candidate’s', async () => {
    const { outcome, stored } = await compared(0, ['lighthouse:performance=0.8', 'page-complete=10s']);
    expect(stored.base).not.toHaveProperty('budgets');
    expect(stored.candidate.budgets?.map(({ state }) => state)).toEqual(['fail', 'pass']);
    expect(outcome.exit).toBe(1);
    expect(messagesOf(outcome.problems)).toEqual([
      expect.stringMatching(/^Budget exceeded: Lighthouse performance 0\.7/),
    ]);
  });
});

describe('Lighthouse that fails', () => {
  const loadsOf = (order: readonly string[]): readonly string[] => order.filter((each) => each !== 'load');

  test('in passing is run once more, and says so', async () => {
    const { outcome, order, stored } = await compared(1, [], ['PAGE_HUNG']);
    expect(loadsOf(order)).toEqual(['base', 'base', 'candidate']);
    expect(outcome.problems).toEqual([]);
    expect(stored.base.lighthouse?.runs).toMatchObject([
      { index: 1, ok: true, warnings: ['This is a second attempt; the first failed: It is called PAGE_HUNG.'] },
    ]);
    expect(stored.base.lighthouse).toHaveProperty('report');
    expect(stored.candidate.lighthouse?.runs).toMatchObject([{ ok: true, warnings: [] }]);
  });

  test('twice has failed', async () => {
    const { order, stored } = await compared(1, [], ['NO_FCP', 'PAGE_HUNG']);
    expect(loadsOf(order)).toEqual(['base', 'base', 'candidate']);
    expect(stored.base.lighthouse?.runs).toMatchObject([{ ok: false, failure: { code: 'PAGE_HUNG' } }]);
  });

  test('for a reason that stays is not run again', async () => {
    const { order, stored } = await compared(1, [], ['ERRORED_DOCUMENT_REQUEST']);
    expect(loadsOf(order)).toEqual(['base', 'candidate']);
    expect(stored.base.lighthouse?.runs).toMatchObject([{ ok: false, warnings: [] }]);
  });
});

test('without Lighthouse and budgets a comparison is as it was', async () => {
  const { order, stored } = await compared(0);
  expect(order.every((each) => each === 'load')).toBe(true);
  expect(stored).not.toHaveProperty('lighthouse');
  expect(stored.candidate).not.toHaveProperty('budgets');
});
