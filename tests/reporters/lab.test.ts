import { describe, expect, test } from 'vitest';
import type { BudgetResult } from '../../src/model/budgets.ts';
import { budgetsOfPages, budgetsTogether } from '../../src/report/budgets.ts';
import { scoreLook } from '../../src/report/lighthouse.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { worstFirst } from '../../src/result/order.ts';
import { pagesWithSteps } from '../../src/result/pages-with-steps.ts';
import { pagesInWords } from '../../src/wording/result/outcome.ts';
import { formatRate, formatRates } from '../../src/wording/text/format.ts';
import { partOf, wordsIn } from '../support/visible-text.ts';
import { exampleReport, reportOf, type TargetSketch } from './example-report.ts';
import { BUDGETS, LIGHTHOUSE, labPage, labPageReport, labReport, labStep, PHONE } from './lab-example.ts';
import { expectSelfContained, markup } from './markup.ts';

const only = (html: string, which: 'page' | number): string =>
  html.split('<article')[which === 'page' ? 1 : which + 1]?.split('</article>')[0] ?? '';

describe('conditions', () => {
  test('stand below what was loaded, once for a page and its steps', () => {
    const html = renderHtml(labReport());
    expect(html.match(/class="conditions"/g)).toHaveLength(1);
    expect(wordsIn(only(html, 'page'))).toContain(`https://shop.example/ ${PHONE.sentence}`);
    expect(renderHtml(exampleReport())).not.toContain('class="conditions"');
  });

  test.each([
    [675, '675 kbit/s'],
    [999.6, '1 Mbit/s'],
    [1440, '1.44 Mbit/s'],
  ])('a rate of %s kbit/s reads %s', (rate, text) => expect(formatRate(rate)).toBe(text));

  test('rates have one unit', () => {
    expect(formatRates(1400, 1440)).toBe('1.40–1.44 Mbit/s');
    expect(formatRates(640, 675)).toBe('640–675 kbit/s');
    expect(formatRates(900, 1440)).toBe('0.90–1.44 Mbit/s');
    expect(formatRates(1440, 1441)).toBe('1.44 Mbit/s');
  });
});

describe('budgets', () => {
  test('of many pages are counted by their worst', () => {
    const page = (...states: readonly BudgetResult['state'][]): TargetSketch => ({
      ...labPage(),
      budgets: states.map((state) => ({ ...(BUDGETS[0] as BudgetResult), state })),
    });
    const told = (...pages: readonly TargetSketch[]) => budgetsOfPages(reportOf(...pages).targets);
    expect(told(page('pass'), page())).toBe('All budgets are met.');
    expect(told(page('pass', 'fail'), page('fail', 'unknown'), page('undecided'))).toBe(
      'Budgets: not met on 2 pages, too close to tell on 1 page.',
    );
    expect(told(page())).toBeUndefined();
  });

  const together = (...budgets: readonly Partial<BudgetResult>[]) =>
    budgetsTogether(budgets.map((each) => ({ ...(BUDGETS[0] as BudgetResult), ...each })));

  test('together say the worst first', () => {
    expect(together()).toBeUndefined();
    expect(together({}, {})).toEqual({ tone: 'better', sign: '✓', sentence: 'All 2 budgets are met.' });
    expect(together({ state: 'fail' })?.sentence).toBe('The budget is exceeded.');
    expect(together({ state: 'fail', bound: 'min' })?.sentence).toBe('The budget is missed.');
    expect(together({}, { state: 'fail', severity: 'warn' })).toEqual({
      tone: 'unsure',
      sign: '✗',
      sentence: '1 of 2 budgets is not met, which only warns.',
    });
    expect(together({}, { state: 'undecided' })).toMatchObject({ tone: 'unsure', sign: '?' });
  });

  test('that cannot be checked are as bad as those that are not met: both fail the job', () => {
    expect(together({}, { state: 'unknown' })?.tone).toBe('worse');
    expect(together({}, { state: 'unknown', severity: 'warn' })?.tone).toBe('unsure');
  });

  test('of 0 and beyond all bounds are drawn without a figure that is none', () => {
    const [budget] = BUDGETS;
    const odd = [{ ...budget, limit: 0, value: 0, low: 0, high: 0 } as BudgetResult];
    const drawn = partOf(renderHtml(reportOf({ ...labPage(), budgets: odd })), 'Budgets');
    expect(drawn).toContain('budget-bar');
    expect(drawn).not.toMatch(/NaN|Infinity/);
  });
});

describe('Lighthouse', () => {
  const html = renderHtml(labPageReport());

  test('shows each score as a figure with a sign and a word', () => {
    expect([0.9, 0.899, 0.5, 0.499].map((score) => scoreLook(score).word)).toEqual([
      'good',
      'needs improvement',
      'needs improvement',
      'poor',
    ]);
  });

  test('is among the downloads of its page, and only there', () => {
    expect(partOf(html, 'Downloads')).toContain('href="lighthouse.html"');
    expect(partOf(renderHtml(exampleReport()), 'Downloads')).not.toContain('lighthouse');
  });
});

describe('steps', () => {
  const html = renderHtml(labReport());

  test('belong to the load before them', () => {
    const { targets } = labReport();
    expect(pagesWithSteps(targets).map(({ steps }) => steps.length)).toEqual([2]);
    expect(pagesInWords(targets)).toBe('1 page with 2 steps');
    // A step whose page is not there stands alone.
    expect(pagesWithSteps(targets.slice(1)).map(({ steps }) => steps.length)).toEqual([0, 0]);
  });

  test('stand below their page in the index, also when another page is worse', () => {
    const slow = (sketch: TargetSketch, median: number, url = sketch.url): TargetSketch => ({
      ...sketch,
      url,
      summary: { ...sketch.summary, pageComplete: { unit: 'ms', n: 5, median } },
    });
    const { targets } = reportOf(
      slow(labPage(), 100),
      slow(labStep('one', 'soft'), 300),
      slow({ ...labPage(), name: 'other' }, 900, 'https://shop.example/other'),
    );
    expect(worstFirst(targets).map(({ index }) => index)).toEqual([2, 0, 1]);
    expect(html).toMatch(/<tr id="[\w-]+" role="row" class="step">/);
    expect(wordsIn(html)).toContain('1 page with 2 steps audited');
  });
});

test('hostile names close nothing, turn nothing around and lead nowhere', () => {
  const evil = '</script><svg/onload=alert(1)>\u202e'.repeat(40);
  const page = labPage();
  const report = reportOf(
    {
      ...page,
      name: evil,
      conditions: { ...PHONE, sentence: evil, device: { ...PHONE.device, name: evil } },
      budgets: BUDGETS.map((budget) => ({ ...budget, title: evil, metric: evil, sentence: evil })),
      lighthouse: {
        ...LIGHTHOUSE,
        version: evil,
        report: 'javascript:alert(1)',
        categories: { [evil]: { unit: 'score', n: 1, median: 0.5 } },
        metrics: { [evil]: { unit: 'ms', n: 1, median: 5 } },
        opportunities: [{ id: evil, title: evil, savingsMs: 1 }],
        waited: { ...LIGHTHOUSE.waited, sentence: evil, blocked: [evil] },
        runs: LIGHTHOUSE.runs.map((run) => ({ ...run, warnings: [evil] })),
      },
    },
    { ...labStep('x', 'soft'), step: evil },
  );
  const html = renderHtml({ ...report, result: { ...report.result, notes: [evil] } });
  expectSelfContained(html);
  expect(markup(html)).not.toContain('\u202e');
  expect(html).not.toContain('<svg/onload');
  expect(html).not.toContain('href="javascript');
  // What stands between ticks is code.
  expect(renderAuditMarkdown(report).replace(/`[^`]*`/g, '')).not.toContain('<svg');
});
