import { describe, expect, test } from 'vitest';
import { columns as columnsOf, fit, pad, wrap } from '../../src/reporters/terminal/columns.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { expectApproved } from '../support/approved.ts';
import { analysisReport, exampleReport, exampleTarget, reportOf } from './example-report.ts';
import { BUDGETS } from './lab-example.ts';

const PLAIN = { color: false, width: 100 };
const WHOLE = { ...PLAIN, detail: 'all' } as const;

test('pages are called by their names; of many a line each, and a few whole where more is asked for', () => {
  const report = exampleReport();
  const page = exampleTarget();
  const pages = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...page, result: { ...page.result, name: `Page ${i + 1}` } }));
  const show = (count: number, detail?: 'all') =>
    renderTerminal({ ...report, targets: pages(count) }, { ...PLAIN, ...(detail && { detail }) });
  expect(show(2)).toMatch(/^ {2}Page 2 +✓ good +1\.24 s/m);
  expect(show(2)).not.toMatch(/^Page 2/m);
  expect(show(2, 'all')).toMatch(/^Page 2: 1\.24 s$/m);
  // What is said of them together must not scroll away.
  expect(show(1000).trimEnd().split('\n').length).toBeLessThan(50);
  expect(show(1000)).toContain('  and 960 more, which the report lists');
  expect(show(1000, 'all').match(/^Page \d+: 1\.24 s$/gm)).toHaveLength(10);
  expect(show(1000, 'all')).toContain('The report has the details of 990 more pages.');
});

test('the first screen of a page is short, and the whole has everything', () => {
  const lines = (options: object) => renderTerminal(exampleReport(), { ...PLAIN, width: 80, ...options }).split('\n');
  expect(lines({}).length).toBeLessThan(20);
  expect(lines({}).at(-2)).toBe('More with --verbose.');
  expect(lines({ detail: 'all' }).length).toBeGreaterThan(60);
});

test('a folder is called what it was typed as', () => {
  const report = exampleReport();
  const typed = (target: string) =>
    renderTerminal(
      { ...report, targets: report.targets.map((each) => ({ ...each, result: { ...each.result, target } })) },
      PLAIN,
    );
  expect(typed('./dist')).toMatch(/^✓ Complete {2}\.\/dist → https:\/\/shop\.example\/\n/);
  for (const target of ['https://shop.example/', 'https://shop.example', 'shop.example', '/']) {
    expect(typed(target)).toMatch(/^✓ Complete {2}https:\/\/shop\.example\/\n/);
  }
});

test.each([40, 60, 80, 120, 200])('no line is wider than %i columns', (width) => {
  for (const report of [exampleReport(), analysisReport()]) {
    for (const detail of ['brief', 'all'] as const) {
      for (const line of renderTerminal(report, { color: false, width, detail }).split('\n')) {
        expect(columnsOf(line), line).toBeLessThanOrEqual(width);
      }
    }
  }
});

test('pages with budgets have a column for them, also where there is no room for others', () => {
  const several = [0, 1].map((i) =>
    exampleTarget(() => ({ target: `page ${i}`, ...(i === 0 && { budgets: BUDGETS }) })),
  );
  const lines = (width: number) =>
    renderTerminal({ ...exampleReport(), targets: several }, { color: false, width })
      .split('\n')
      .filter((line) => line.startsWith('  '));
  return expectApproved('reports/columns', [100, 40].flatMap(lines).join('\n'));
});

test('colour is added and takes nothing away', () => {
  const coloured = renderTerminal(exampleReport(), { ...WHOLE, color: true });
  expect(coloured).toContain('\u001b[32m✓ Complete\u001b[39m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is taken out
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(renderTerminal(exampleReport(), WHOLE));
});

test('a page cannot write to the terminal', () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\u202eevil\u009b31m\r\nline';
  const report = reportOf({
    target: evil,
    url: `https://shop.example/${evil}`,
    runs: [{ index: 1, role: 'timed', ok: false, failure: { code: 'x', message: evil } }],
    summary: {},
    background: [
      {
        kind: 'poll',
        endpoint: `GET ${evil}`,
        urls: [],
        requests: 2,
        firstStartedAt: 0,
        lastActivityAt: 1,
        stillOpen: false,
        because: evil,
        confidence: 'likely',
        excluded: false,
        visualImpact: 'unknown',
      },
    ],
    sentence: evil,
    notes: [evil],
    waterfalls: [],
  });
  const text = renderTerminal(report, PLAIN);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(text).toContain('[U+001B]');
});

describe('columns', () => {
  test('count what a terminal shows', () => {
    expect(columnsOf('abc')).toBe(3);
    expect(columnsOf('日本')).toBe(4);
    expect(columnsOf('e\u0301')).toBe(1);
    expect(columnsOf('😀')).toBe(2);
  });

  test('fit keeps both ends', () => {
    expect(fit('https://shop.example/a/b/c', 11)).toBe('https…a/b/c');
    expect(fit('日本語日本語', 5)).toBe('日…語');
    expect(fit('abc', 3)).toBe('abc');
    expect(fit('abc', 1)).toBe('…');
    expect(fit('abc', 0)).toBe('');
  });

  test('pad fills and wrap breaks', () => {
    expect(pad('日', 4)).toBe('日  ');
    expect(wrap('one two  three', 7)).toEqual(['one two', 'three']);
    expect(wrap('https://shop.example/path', 11)).toEqual(['https…/path']);
    expect(wrap('', 10)).toEqual([]);
  });
});
