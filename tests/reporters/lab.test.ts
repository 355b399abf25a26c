import { describe, expect, test } from 'vitest';
import type { BudgetResult } from '../../src/model/budget.ts';
import type { AuditReport } from '../../src/model/report.ts';
import { budgetsOfPages, budgetsTogether } from '../../src/reporters/budgets.ts';
import { renderComparisonHtml } from '../../src/reporters/html/compare/compare.tsx';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { scoreLook } from '../../src/reporters/lighthouse.ts';
import { renderAuditMarkdown } from '../../src/reporters/markdown/audit.ts';
import { renderComparisonMarkdown } from '../../src/reporters/markdown/compare.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { worstFirst } from '../../src/result/order.ts';
import { pagesWithSteps } from '../../src/result/pages-with-steps.ts';
import { formatRate, formatRates } from '../../src/wording/format.ts';
import { pagesInWords } from '../../src/wording/outcome.ts';
import { exampleReport, reportOf, type TargetSketch } from './example-report.ts';
import {
  BUDGETS,
  LIGHTHOUSE,
  labComparison,
  labPage,
  labPageReport,
  labReport,
  labStep,
  PHONE,
  sketchOf,
} from './lab-example.ts';
import { expectSelfContained, markup } from './markup.ts';

const words = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');

/** What stands from one heading to the next. */
function part(html: string, title: string): string {
  const from = html.indexOf(`>${title}</h3>`);
  return from < 0 ? '' : (html.slice(from).split('<h3', 1)[0] ?? '');
}

const only = (html: string, which: 'page' | number): string =>
  html.split('<article')[which === 'page' ? 1 : which + 1]?.split('</article>')[0] ?? '';

describe('conditions', () => {
  test('stand below what was loaded, once for a page and its steps', () => {
    const html = renderHtml(labReport());
    expect(html.match(/class="conditions"/g)).toHaveLength(1);
    expect(words(only(html, 'page'))).toContain(`https://shop.example/ ${PHONE.sentence}`);
    expect(renderHtml(exampleReport())).not.toContain('class="conditions"');
  });

  test('of a comparison hold for both builds', () => {
    const html = renderComparisonHtml(labComparison());
    expect(words(html)).toContain(`Both: ${PHONE.sentence}`);
    expect(words(part(html, 'Was it fair?'))).toContain('Network that the candidate got');
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
  const html = renderHtml(labPageReport());
  const text = words(part(html, 'Budgets'));

  test('come right after the headline figures', () => {
    expect(html.indexOf('>Budgets</h3>')).toBeGreaterThan(html.indexOf('class="figures"'));
    expect(html.indexOf('>Budgets</h3>')).toBeLessThan(html.indexOf('>Findings</h3>'));
    expect(renderHtml(exampleReport())).not.toContain('>Budgets</h3>');
  });

  test('come after what is told of the answer', () => {
    expect(html.indexOf('>Budgets</h3>')).toBeGreaterThan(html.indexOf('class="notes"'));
  });

  test('of few runs say why their interval is wider than that of the same figure', () => {
    const few = (count: number) => {
      const page = labPage();
      const timed = page.runs.filter(({ role, ok }) => role === 'timed' && ok).slice(0, count);
      return reportOf({ ...page, runs: timed, budgets: BUDGETS.slice(0, 1) });
    };
    const why =
      'With fewer than five runs, budgets are checked against an interval of at least 10% of the median to either side.';
    expect(words(part(renderHtml(few(3)), 'Budgets')).replaceAll('\u00a0', ' ')).toContain(why);
    expect(renderTerminal(few(3), { color: false, width: 200 })).toContain(`  ${why}`);
    expect(renderAuditMarkdown(few(3))).toContain(`|\n\n${why}`);
    for (const render of [renderHtml, renderAuditMarkdown])
      expect(render(few(5))).not.toContain('Of fewer than five runs');
    // Lighthouse ran twice.
    expect(text).toContain('a performance score 5 points');
  });

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

  test('each with sign, word, limit, value and interval, and why where it is not met', () => {
    expect(text).toContain('Page complete page-complete at most 2.00 s else the job fails 1.24 s 1.21–1.27 s ✓ met');
    expect(text).toContain('702 ms 573–928 ms ? undecided');
    expect(text).toContain('too close to its budget');
    expect(text).toContain('at most 30 else a warning 32 ✗ exceeded');
    expect(text).toContain('at least 0.900 else the job fails 0.980 0.930–1.000 ✓ met');
    expect(text).toContain('at least 0.500 else a warning – – not known');
    expect(text).not.toContain('within its budget');
  });

  const together = (...budgets: readonly Partial<BudgetResult>[]) =>
    budgetsTogether(budgets.map((each) => ({ ...(BUDGETS[0] as BudgetResult), ...each })));

  test('together say the worst first', () => {
    expect(text).toContain('✗ 2 of 6 budgets are not met (1 only warns); 1 is too close to tell; 1 is not known.');
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

  test('of a comparison are those of the candidate', () => {
    const compared = renderComparisonHtml(labComparison());
    expect(words(part(compared, 'Budgets'))).toContain('judged on the candidate alone');
    expect(words(part(compared, 'Budgets'))).toContain('✗ exceeded');
  });

  test('of 0 and beyond all bounds are drawn without a figure that is none', () => {
    const [budget] = BUDGETS;
    const odd = [{ ...budget, limit: 0, value: 0, low: 0, high: 0 } as BudgetResult];
    const drawn = part(renderHtml(reportOf({ ...labPage(), budgets: odd })), 'Budgets');
    expect(drawn).toContain('budget-bar');
    expect(drawn).not.toMatch(/NaN|Infinity/);
  });
});

describe('Lighthouse', () => {
  const html = renderHtml(labPageReport());
  const text = words(part(html, 'Lighthouse'));

  test('shows each score as a figure with a sign and a word', () => {
    expect(part(html, 'Lighthouse')).toContain('aria-label="Best practices: 42 of 100"');
    expect(text).toContain('98 Performance ● good');
    expect(text).toContain('86 Accessibility ■ needs improvement');
    expect(text).toContain('42 Best practices ▲ poor');
    expect([0.9, 0.899, 0.5, 0.499].map((score) => scoreLook(score).word)).toEqual([
      'good',
      'needs improvement',
      'needs improvement',
      'poor',
    ]);
  });

  test('shows its metrics beside ours, and that they are not the same', () => {
    expect(text).toContain('Largest contentful paint 811 ms 702 ms 569–932 ms');
    expect(text).toContain('Speed index 744 ms 6.01 s of the run that filmed');
    expect(text).toContain('It measures one load by its own rules');
  });

  test('says how it waited, how long it took beside page complete, and what would save most', () => {
    expect(text).toContain('Lighthouse ran with 2 background endpoints blocked');
    expect(text).toContain('GET https://shop.example/notify/poll?*');
    expect(text).toMatch(/It took 8\.12.s for waiting and judging; the page is complete at 1\.24.s/);
    expect(text).toContain('it was done before');
    expect(text).toContain('Reduce unused JavaScript 450 ms 92 kB');
    expect(text).toContain('Best practices count 2 console errors');
    expect(html).toContain('<a href="lighthouse.html">Lighthouse’s own report</a>');
  });

  test('is among the downloads of its page, and only there', () => {
    expect(part(html, 'Downloads')).toContain('href="lighthouse.html"');
    expect(part(renderHtml(exampleReport()), 'Downloads')).not.toContain('lighthouse');
  });

  test('that failed says why, and shows no score', () => {
    const failed = {
      ...LIGHTHOUSE,
      categories: {},
      metrics: {},
      opportunities: [],
      runs: [
        {
          index: 1,
          ok: false,
          failure: { code: 'lighthouse-failed', message: 'Lighthouse found no paint.' },
          categories: {},
          metrics: {},
          opportunities: [],
          warnings: [],
        },
      ],
    };
    const told = words(part(renderHtml(reportOf({ ...labPage(), lighthouse: failed })), 'Lighthouse'));
    expect(told).toContain('Lighthouse gave no answer. Lighthouse found no paint.');
    expect(told).not.toContain('Its metrics');
  });

  test('of two builds shows scores from 0 to 100 and where there are too few runs for an interval', () => {
    const compared = words(part(renderComparisonHtml(labComparison()), 'Lighthouse'));
    expect(compared).toContain('For information only: scores');
    expect(compared).toContain('Performance 98 94 −3.5 −6 to +1');
    expect(compared).toContain('SEO 100 100 0 too few runs');
    expect(compared).toContain('Largest contentful paint 811 ms 902 ms +88 ms +12 ms to +140 ms');
    expect(compared).toContain('Cumulative layout shift 0.021 0.021 0 too few runs');
    expect(renderComparisonHtml(labComparison())).toContain('href="base-lighthouse.html"');
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
    expect(words(html)).toContain('1 page with 2 steps audited');
  });

  test('show no dash for what a step cannot have, and no stage that it did not go through', () => {
    const soft = only(html, 1);
    expect(words(soft)).toContain('A step of the script, after the load of');
    expect(soft).not.toContain('First contentful paint');
    expect(words(part(soft, 'Where the time went'))).not.toContain('Base page');
    expect(words(part(soft, 'Where the time went'))).toContain('Components');
    expect(soft).not.toContain('What it looked like');
    const hard = only(html, 2);
    expect(hard).toContain('First contentful paint');
    expect(words(part(hard, 'Where the time went'))).toContain('Base page');
    expect(words(part(hard, 'Where the time went'))).toContain('Render');
  });

  test('tell where they led as a note, which is no finding', () => {
    expect(words(only(html, 1))).toContain('without loading a document (a soft navigation).');
    expect(only(html, 1)).not.toContain('>Findings</h3>');
    expect(renderAuditMarkdown(labReport())).toContain('(a soft navigation)');
  });

  test('name the moment at which their action was over', () => {
    expect(words(only(html, 1))).toContain('action over 96 ms');
  });
});

describe('many pages', () => {
  const page = (name: string, more: Partial<TargetSketch> = {}): TargetSketch => {
    const sketch = sketchOf(exampleReport());
    return { ...sketch, name, url: `https://shop.example/${name}`, ...more };
  };
  const inTurns = (sketch: TargetSketch): TargetSketch => ({
    ...sketch,
    runs: sketch.runs.map((run) => ({ ...run, order: 0 })),
  });
  const withNotes = (report: AuditReport, ...notes: readonly string[]): AuditReport => ({
    ...report,
    result: { ...report.result, notes },
  });

  test('have the names that the user gave them', () => {
    const html = renderHtml(reportOf(page('Home'), page('Basket')));
    expect([...html.matchAll(/<h2><bdi>([^<]+)/g)].map(([, name]) => name)).toEqual(['Home', 'Basket']);
    expect(words(renderHtml(reportOf(page('Home'))))).toContain('Home – Quiesce');
    expect(renderAuditMarkdown(reportOf(page('Home'), page('Basket')))).toContain('| `Basket` |');
  });

  test('say how the list came about, that they took turns, and what is not shown', () => {
    const several = [page('Home'), page('Basket')].map(inTurns);
    const report = withNotes(reportOf(...several), 'The sitemap names 40 pages; the first 25 were taken.');
    const all = words(renderHtml(report));
    expect(all).toContain('The sitemap names 40 pages; the first 25 were taken.');
    expect(all).toContain('The pages took turns');
    expect(all).not.toContain('With so many pages');
    const cut = renderHtml(reportOf(...several.map((each) => ({ ...each, waterfalls: each.waterfalls.slice(0, 1) }))));
    expect(words(cut)).toContain('the waterfall of one run is shown for each');
    expect(renderAuditMarkdown(report)).toContain('The sitemap names 40 pages');
    expect(words(renderHtml(exampleReport()))).not.toContain('took turns');
  });
});

describe('Markdown', () => {
  test('has conditions, budgets and scores', () => {
    const text = renderAuditMarkdown(labPageReport());
    expect(text).toContain('Moto G Power, network slow-4g');
    expect(text).toContain('**Budgets** 🔴 2 of 6 budgets are not met');
    expect(text).toContain('| 🔴 exceeded | Transfer size (script) | at most 200 kB | 245 kB | the job fails |');
    expect(text).toContain('**Lighthouse 13.5.0** Performance 98 · Accessibility 86');
    expect(text).not.toMatch(/^\n|\n\n\n/);
  });

  test('of a comparison has them, too', () => {
    const text = renderComparisonMarkdown(labComparison());
    expect(text).toContain('Moto G Power');
    expect(text).toContain('| Performance | 98 | 94 | −3.5 | −6 to +1 (95%) |');
    expect(text).toContain('🟡 undecided');
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
