import { describe, expect, test } from 'vitest';
import type { BudgetResult } from '../../src/model/budgets.ts';
import type { StatedConditions } from '../../src/model/host/conditions.ts';
import type { TargetReport } from '../../src/model/result/report.ts';
import type { MetricSummary, PageCompleteResult } from '../../src/model/result/result.ts';
import { changeCell, mediansApart, mediansNote } from '../../src/report/comparison.ts';
import { trustOf } from '../../src/report/fairness.ts';
import { judgementOf, limitsInWords } from '../../src/report/judgement.ts';
import { answerInMarkdown } from '../../src/reporters/html/answer/answer-markdown.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { curlOf, packingOf } from '../../src/reporters/html/waterfall/panel.tsx';
import { limitsProfileOf, ratingOf } from '../../src/result/web-vitals.ts';
import { expectApproved, outlined } from '../support/approved.ts';
import { partInWords, wordsIn } from '../support/visible-text.ts';
import { comparisonReport } from './comparison.ts';
import { exampleReport, exampleTarget, failedReport, reportOf } from './example-report.ts';

const example = (change: Partial<TargetReport['result']> = {}): TargetReport => exampleTarget(() => change);

const ms = (median: number): MetricSummary => ({ unit: 'ms', n: 5, median, agreement: 'stable' });
const slow = (pageComplete: number, largestContentfulPaint: number) =>
  example({
    summary: { pageComplete: ms(pageComplete), largestContentfulPaint: ms(largestContentfulPaint) },
  });
const busy = (change: Partial<TargetReport['result']>): TargetReport => {
  const { runs } = example().result;
  return example({
    ...change,
    runs: runs.map((run) => ({ ...run, host: { verdict: 'unfit' as const, reasons: [] } })),
  });
};
const budget = (state: BudgetResult['state'], severity: BudgetResult['severity'] = 'error'): BudgetResult => ({
  metric: 'pageComplete',
  title: 'Page complete',
  unit: 'ms',
  bound: 'max',
  limit: 2_000,
  severity,
  state,
  sentence: 'Page complete: so.',
});

describe('good or bad', () => {
  test.each([
    ['largestContentfulPaint', 2_500, 'good'],
    ['largestContentfulPaint', 2_501, 'needs-improvement'],
    ['largestContentfulPaint', 4_001, 'poor'],
    ['cumulativeLayoutShift', 0.1, 'good'],
    ['cumulativeLayoutShift', 0.26, 'poor'],
    ['interactionToNextPaint', 201, 'needs-improvement'],
    ['firstContentfulPaint', 3_001, 'poor'],
    ['timeToFirstByte', 800, 'good'],
    ['requestCount', 9_999, undefined],
    ['load', undefined, undefined],
  ] as const)('%s of %s is %s', (metric, value, rating) => {
    expect(ratingOf(metric, value, 'desktop')).toBe(rating);
  });

  test('what only Lighthouse has limits for depends on the device, which is said', () => {
    expect(ratingOf('totalBlockingTime', 180, 'desktop')).toBe('needs-improvement');
    expect(ratingOf('totalBlockingTime', 180, 'phone')).toBe('good');
    const phone = { device: { mobile: true } } as StatedConditions;
    expect(limitsProfileOf(phone)).toBe('phone');
    expect(limitsInWords(example({ conditions: phone }), false)).toContain('for phones');
    expect(limitsInWords(example(), true)).toMatch(/for desktops .* a recording\./);
  });

  test('the headline of each is approved: a budget that is met makes nothing better', () => {
    const fast = slow(900, 400).result.summary;
    const late = slow(9_000, 8_000).result.summary;
    const over = { ...budget('fail'), value: 3_230 };
    const [failed] = failedReport().targets;
    const pages = {
      'complete after 6 s, painted early': slow(6_250, 400),
      'complete after 3 s': slow(3_000, 2_900),
      'complete soon': slow(900, 400),
      'complete soon, and nothing throttled': example({
        summary: fast,
        conditions: { cpu: 1, device: { mobile: false } } as StatedConditions,
      }),
      'complete soon, on a busy machine': busy({ summary: fast }),
      'one budget of two is exceeded': example({ summary: fast, budgets: [over, budget('pass')] }),
      'a budget that warns is exceeded': example({ summary: fast, budgets: [budget('fail', 'warn')] }),
      'a budget that warns is close': example({ summary: fast, budgets: [budget('undecided', 'warn')] }),
      'a budget that warns is not known': example({ summary: fast, budgets: [budget('unknown', 'warn')] }),
      'slow, within its budget': example({ summary: late, budgets: [budget('pass')] }),
      'slow, over its budget': example({ summary: late, budgets: [budget('fail')] }),
      ...(failed && { 'not measured': failed }),
    };
    const said = Object.entries(pages).map(([name, page]) => {
      const { sign, word, tone, because } = judgementOf(page);
      return [name, [`${sign} ${word} (${tone})`, ...because]];
    });
    return expectApproved('reports/headlines', outlined(Object.fromEntries(said)));
  });
});

describe('the first screen', () => {
  const fix = (code: string, savesMs: number) => ({ code, savesMs, message: `Do ${code}.`, urls: [] });
  const withFixes = () => {
    const target = example({
      largestContentfulPaint: { url: 'https://cdn.shop.example/img/hero-1280.webp', selector: 'img#hero' },
    });
    const { representative, result } = target;
    if (representative === undefined) throw new Error('the example has a run');
    const findings = [fix('slow-server', 120), fix('redirect', 300), fix('short-cache', 0), fix('late-picture', 40)];
    const own = { ...representative, findings };
    const runs = result.runs.map((run) => (run.index === own.index ? own : { ...run, findings }));
    return { ...target, representative: own, result: { ...result, runs } };
  };

  test('has good or bad, the answer, whether to believe it, and three fixes before any figure', () => {
    const { result, ...rest } = withFixes();
    const text = wordsIn(renderHtml(reportOf({ ...result, ...rest })));
    const order = [
      'Fast',
      'The page is complete after 1.24 s',
      '5 runs agree · machine quiet',
      '−300 ms Remove redirects',
      '−120 ms Make the server answer faster',
      '−40 ms',
      '1 more fix',
      'Time to first byte',
    ].map((part) => text.indexOf(part));
    expect(order.every((at) => at > 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(text).toContain('hero-1280.webp');
  });

  test('can be copied as Markdown, in which pages make nothing of theirs', () => {
    const copied = answerInMarkdown({ ...withFixes(), sentence: 'Complete <b>@octo</b>.' });
    expect(copied).toContain('1. **−300 ms** Remove redirects. Do redirect.');
    expect(copied).toContain('`<b>@octo</b>`');
  });

  test('leaves network idle, which is about other tools, to the background traffic', () => {
    const target = example();
    const said = 'Tools that wait for a silent network would never finish here.';
    const html = renderHtml(reportOf({ ...target.result, ...target, networkIdle: said }));
    expect(partInWords(html, 'Background traffic')).toContain(said);
    expect(wordsIn(html).split(said)).toHaveLength(2);
  });

  test('says of one run, and of a busy machine, that they are not to be relied on', () => {
    expect(trustOf(example())).toEqual({ sure: true, words: ['5 runs agree', 'machine quiet'] });
    const target = example();
    const having = (answer: Partial<PageCompleteResult>): TargetReport => {
      const { representative } = target;
      if (representative?.pageComplete === undefined) throw new Error('the example is complete');
      return {
        ...target,
        representative: { ...representative, pageComplete: { ...representative.pageComplete, ...answer } },
      };
    };
    expect(trustOf(having({ doubt: 'proved' }))).toMatchObject({
      sure: true,
      words: ['5 runs agree', 'machine quiet', 'proved'],
    });
    expect(trustOf(having({ doubt: 'likely', doubts: [{ code: 'filmed-busy' }] }))?.words[2]).toBe(
      'likely: the machine was busy with other things while the page was filmed',
    );
    expect(trustOf(having({ doubt: 'likely' }))?.words[2]).toMatch(/^likely: a filmed load shows/);
    expect(trustOf(having({ doubt: 'doubtful', doubts: [{ code: 'not-filmed' }] }))).toMatchObject({
      sure: false,
      words: ['5 runs agree', 'machine quiet', 'doubtful'],
    });
    const runs = target.result.runs.map((run) => ({ ...run, host: { verdict: 'unfit' as const, reasons: [] } }));
    expect(trustOf({ ...target, result: { ...target.result, runs } })).toMatchObject({
      sure: false,
      words: ['5 runs agree', 'machine busy in 5 of 5 runs'],
    });
  });
});

describe('a comparison', () => {
  test('has a word for medians that do not add up to the change', () => {
    const [gate] = comparisonReport().result.comparisons;
    if (gate?.difference === undefined) throw new Error('the example has a gate');
    const difference = { ...gate.difference, relative: 0.21, absolute: 97 };
    const of = (base: number, candidate: number) =>
      mediansApart({ ...gate, difference, base: { n: 5, median: base }, candidate: { n: 5, median: candidate } });
    expect(of(454, 563)).toBe('+24%');
    expect(of(454, 549.3)).toBeUndefined();
    // 65 → 67 ms beside −5.2 %.
    expect(
      mediansApart({
        ...gate,
        difference: { ...difference, relative: -0.052, absolute: -3 },
        base: { n: 5, median: 65 },
        candidate: { n: 5, median: 67 },
      }),
    ).toBe('+3.1%');
    // However small they are, two signs need a word: 330 → 332 ms beside −0.3%.
    const apart = {
      ...gate,
      difference: { ...difference, relative: -0.003, absolute: -1 },
      base: { n: 5, median: 330 },
      candidate: { n: 5, median: 332 },
    };
    expect(mediansApart(apart)).toBe('+0.6%');
    expect(changeCell(apart)).toBe('−0.3% (paired)');
    expect(mediansNote([apart])).toMatch(/^The change is paired/);
    expect(changeCell({ ...apart, candidate: { n: 5, median: 330.2 } })).toBe('−0.3%');
    expect(changeCell({ ...apart, candidate: { n: 5, median: 328 } })).toBe('−0.3%');
  });
});

describe('details of a request', () => {
  test('say how it was packed and for how long it may be kept', () => {
    const of = (headers: readonly (readonly [string, string])[]) => packingOf({ headers, contentSize: 10 });
    expect(
      of([
        ['cache-control', 'max-age=600'],
        ['content-encoding', 'br'],
      ]),
    ).toEqual({
      encoding: 'br',
      caching: 'kept for 10 minutes',
    });
    expect(of([['cache-control', 'No-Store']]).caching).toBe('never cached (no-store)');
    expect(of([['cache-control', 'no-cache, max-age=9']]).caching).toMatch(/checked with the server each time/);
    expect(of([['content-type', 'text/html']])).toEqual({ encoding: 'none', caching: 'no lifetime given' });
    expect(of([])).toEqual({ encoding: undefined, caching: undefined });
  });

  test('can be copied as a command that a shell takes as it is', () => {
    expect(curlOf({ method: 'POST', url: "https://shop.test/a'b?c=$(d)" })).toBe(
      "curl 'https://shop.test/a'\\''b?c=$(d)' -X 'POST' --compressed",
    );
    expect(curlOf({ method: 'GET', url: 'https://shop.test/' })).toBe("curl 'https://shop.test/' --compressed");
  });
});

test('options stand in a report as they are typed', () => {
  const text = wordsIn(renderHtml(exampleReport()));
  expect(text).toContain('--max-inflight 0');
  expect(text).not.toContain('maxInflight');
});

test('parts can be linked, and are in the contents bar', () => {
  const html = renderHtml(exampleReport());
  const bar = /<nav class="contents-bar"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '';
  const links = [...bar.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.length).toBeGreaterThan(5);
  for (const id of links) expect(html).toContain(`id="${id}"`);
});
