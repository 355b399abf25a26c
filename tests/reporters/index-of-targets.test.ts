import { describe, expect, test } from 'vitest';
import type { BudgetState } from '../../src/model/budgets.ts';
import type { Doubt, RunResult } from '../../src/model/result/result.ts';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { worstFirst } from '../../src/result/order.ts';
import {
  analysisReport,
  examplePage,
  exampleReport,
  failedReport,
  reportOf,
  singleRunReport,
  sketchesOf,
  type TargetSketch,
} from './example-report.ts';

/** The example at another address, complete at another time. */
function timed(name: string, median: number): TargetSketch {
  const sketch = examplePage();
  const { pageComplete } = sketch.summary;
  if (pageComplete === undefined) throw new Error('the example has a time');
  return {
    ...sketch,
    title: name,
    target: name,
    summary: { ...sketch.summary, pageComplete: { ...pageComplete, median, low: median * 0.9, high: median * 1.1 } },
  };
}

function state(name: string, answer: 'never' | 'unconfirmed'): TargetSketch {
  const [sketch] = sketchesOf(singleRunReport());
  const [run] = sketch?.runs ?? [];
  if (sketch === undefined || run === undefined) throw new Error('the example has a run');
  const own = {
    ...run,
    metrics: {},
    pageComplete: { state: answer, observedUntil: 60_000, raw: { state: answer }, waitingFor: [], at: 900 },
  };
  return { ...sketch, title: name, target: name, runs: [own], summary: {}, representative: own };
}

const many = () =>
  reportOf(
    timed('fast', 400),
    state('open', 'unconfirmed'),
    timed('slow', 4000),
    state('endless', 'never'),
    ...sketchesOf(failedReport()),
  );

const index = (html: string): string => /<nav class="contents"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? '';

describe('several pages', () => {
  const html = renderHtml(many());
  const table = index(html);

  test('stand worst first: those without an answer, then the slowest', () => {
    expect(worstFirst(many().targets).map(({ target }) => target.result.target)).toEqual([
      'https://gone.example/',
      'endless',
      'open',
      'slow',
      'fast',
    ]);
    expect([...table.matchAll(/href="(#t\d)"/g)].map(([, href]) => href)).toEqual(['#t5', '#t4', '#t2', '#t3', '#t1']);
  });

  test('each with a sign and a word where there is no time, and a dash for what is missing', () => {
    const rows = table
      .split('<tr')
      .slice(2)
      .map((row) => row.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '));
    expect(rows[0]).toContain('✗ not measured');
    expect(rows[1]).toContain('✗ never complete');
    expect(rows[2]).toContain('? not confirmed perhaps 900 ms');
    expect(rows[3]).toContain('4.00 s 3.60–4.40 s');
    expect(rows[0]?.match(/–/g)?.length).toBeGreaterThanOrEqual(5);
    expect(rows[0]).not.toMatch(/\b0 ms\b/);
    // Where there is no room for columns, what is missing takes none.
    expect(table.match(/ class="(num )?absent"/g)?.length).toBeGreaterThanOrEqual(5);
  });

  test('are drawn on one axis', () => {
    expect(table).toContain('0 to 4.40 s');
    expect([...table.matchAll(/class="time"[^>]*width="([^"]+)"/g)].map(([, width]) => width)).toEqual([
      '90.909%',
      '9.091%',
    ]);
  });

  test('are folded where there are many, and not where there are few', () => {
    expect(html.match(/<details class="one-of-many">/g)).toHaveLength(5);
    const few = renderHtml(reportOf(timed('a', 100), timed('b', 200)));
    expect(few.match(/<details class="one-of-many" open/g)).toHaveLength(2);
    expect(renderHtml(exampleReport())).not.toContain('<details class="one-of-many"');
  });

  test('have names that close nothing and turn nothing around', () => {
    const evil = '</a></nav><script>alert(1)</script>\u202eשלום';
    const hostile = index(renderHtml(reportOf(timed(evil, 100), timed('x'.repeat(10_000), 200))));
    expect(hostile).not.toContain('<script');
    expect(hostile).toContain('[U+202E]');
    expect(hostile.length).toBeLessThan(6_000);
  });
});

describe('a row says', () => {
  const rowOf = (sketch: TargetSketch): string => {
    const [, row = ''] = index(renderHtml(reportOf(sketch, timed('other', 100)))).split('<tbody');
    return (row.split('</tr>').find((each) => each.includes('odd one')) ?? '').replace(/<[^>]+>/g, ' ');
  };
  const odd = timed('odd one', 900);
  const runs = (change: Partial<RunResult>): TargetSketch => ({
    ...odd,
    runs: odd.runs.map((run) => ({ ...run, ...change })),
  });

  test.each([
    ['ReferenceError: cart is not defined', 'script error: cart is not defined'],
    ['Uncaught TypeError: x is null', 'script error: x is null'],
    ['Oops: no such shop', 'script error: Oops: no such shop'],
    ['Error: ', 'script error: Error:'],
  ])('which error breaks its page: %s', (message, said) => {
    const facts = { message, errors: 1, isBroken: true };
    const row = rowOf(runs({ findings: [{ code: 'script-error', message, urls: [], facts }] }));
    expect(row).toMatch(/broken\s+script error/);
    expect(row).toContain(said);
  });

  test('that what came was an error, and with which code', () => {
    const failure = { code: 'http-error', message: 'HTTP 503', status: 503 } as const;
    expect(rowOf(runs({ ok: false, failure }))).toMatch(/broken\s+HTTP 503\s/);
  });

  test('what a page waits for that is never complete', () => {
    const never = state('odd one', 'never');
    const wait = (run: RunResult): RunResult => ({
      ...run,
      ...(run.pageComplete && { pageComplete: { ...run.pageComplete, waitingFor: ['GET https://shop.example/feed'] } }),
    });
    const own = never.representative && wait(never.representative);
    const row = rowOf({ ...never, runs: never.runs.map(wait), ...(own && { representative: own }) });
    expect(row).toMatch(/never complete\s+still waiting for GET .*\/feed/);
  });

  test('that its time is not proved, or doubtful', () => {
    const doubtful = (doubts: readonly Doubt[]): string =>
      rowOf({
        ...odd,
        runs: odd.runs.map((run) => ({
          ...run,
          ...(run.pageComplete && { pageComplete: { ...run.pageComplete, doubt: 'doubtful', doubts } }),
        })),
      });
    expect(doubtful([{ code: 'background-unproved', endpoint: 'GET https://shop.example/ping' }])).toContain(
      ', not proved',
    );
    expect(doubtful([{ code: 'filmed-busy' }])).toContain(', doubtful');
    expect(rowOf(odd)).not.toMatch(/proved|doubtful/);
  });
});

test('five pages can be searched and sorted, four are few enough to read', () => {
  const pages = ['a', 'b', 'c', 'd', 'e'].map((name, i) => timed(name, 100 * i + 100));
  expect(index(renderHtml(reportOf(...pages)))).toMatch(/type="search"[\s\S]*data-keys=/);
  expect(index(renderHtml(reportOf(...pages.slice(1))))).not.toMatch(/type="search"|data-keys=/);
});

test('recordings speak of recordings', () => {
  const table = index(renderHtml(analysisReport()));
  expect(table).toContain('Recorded page');
  expect(table.replace(/<[^>]+>/g, '')).toContain('✗ not analysed');
  expect(table).not.toContain('>Runs<');
});

test('pages sort by budgets that are not met before any that are only undecided', () => {
  const budget = {
    metric: 'LCP',
    title: 'LCP',
    unit: 'ms',
    bound: 'max',
    limit: 1,
    severity: 'error',
    sentence: '.',
  } as const;
  const page = (name: string, ...states: readonly BudgetState[]): TargetSketch => ({
    ...timed(name, 400),
    budgets: states.map((state) => ({ ...budget, state })),
  });
  const report = reportOf(page('undecided', 'undecided', 'undecided'), page('failed', 'fail'), page('kept', 'pass'));
  const html = renderHtml({ ...report, pages: ['a.html', 'b.html', 'c.html'] });
  const [head = ''] = html.split('</thead>');
  const column = [...head.matchAll(/<th [^>]*>([^<]*)/g)].findIndex(([, title]) => title === 'Budgets');
  const keys = [...html.matchAll(/data-keys="([^"]*)"/g)].map(([, all = '']) => Number(all.split(' ')[column]));
  expect(keys.toSorted((a, b) => b - a)).toEqual([1e6, 2, 0]);
});
