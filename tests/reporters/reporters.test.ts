import { describe, expect, test } from 'vitest';
import { compareReporters, reporters } from '../support/reporters.ts';
import { comparisonReport } from './comparison.ts';
import {
  analysisReport,
  exampleReport,
  failedReport,
  reportOf,
  singleRunReport,
  sketchesOf,
} from './example-report.ts';
import { TRICKS, withForeignText } from './hostile.ts';

const EVIL = TRICKS.filter((trick) => trick.length < 1000).join(' ');

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

test.each([
  ['an audit', reporters],
  ['a comparison', compareReporters],
])('formats and files of %s are unique and described', (_, list) => {
  expect(new Set(list.map((reporter) => reporter.format)).size).toBe(list.length);
  expect(new Set(list.map((reporter) => reporter.file)).size).toBe(list.length);
  for (const reporter of list) {
    expect(reporter.file).toMatch(/^[a-z.-]+$/);
    expect(reporter.describe).toMatch(/^\S.*[^.]$/);
  }
});

test('everything can be written as a page, for scripts, for CI, as a summary and as a table', () => {
  const files = ['index.html', 'result.json', 'junit.xml', 'summary.md', 'result.csv'];
  expect(reporters.map((reporter) => reporter.file)).toEqual(expect.arrayContaining(files));
  expect(compareReporters.map((reporter) => reporter.file)).toEqual(expect.arrayContaining(files));
});

describe.each(compareReporters.map((reporter) => [reporter.format, reporter] as const))(
  'a comparison as %s',
  (_, reporter) => {
    test.each([
      ['slower', { dropped: 2 }],
      ['faster', { outcome: 'faster' }],
      ['the same', { outcome: 'same', unchanged: true }],
      ['undecided', { outcome: 'unsure', different: true }],
      ['without a bound', { outcome: 'unsure', blocks: 2, unbounded: 'both', interrupted: true }],
      ['not valid', { outcome: 'invalid' }],
      ['nothing measured', { empty: true }],
      ['hostile', { hostile: EVIL, dropped: 2 }],
    ] as const)('%s is written twice the same, and nothing in it is changed', (_name, options) => {
      const report = frozen(comparisonReport(options));
      const first = reporter.render(report);
      expect(first).toBe(reporter.render(report));
      expect(first.endsWith('\n')).toBe(true);
      expect(first.isWellFormed()).toBe(true);
      expect(slips(first)).toEqual([]);
    });
  },
);

describe.each(reporters.map((reporter) => [reporter.format, reporter] as const))('%s', (_, reporter) => {
  test.each([
    ['the example', exampleReport],
    ['only failed runs', failedReport],
    ['a single run', singleRunReport],
    ['two targets', () => reportOf(...[exampleReport(), failedReport()].flatMap(sketchesOf))],
    ['an analysis', analysisReport],
    ['no targets', () => reportOf()],
    ['hostile text', () => withForeignText(exampleReport(), EVIL)],
    ['hostile text of a file', () => withForeignText(analysisReport(), EVIL)],
    ['no text at all', () => withForeignText(exampleReport(), '')],
  ])('writes %s, twice the same, and changes nothing in it', (_name, make) => {
    const report = frozen(make());
    const first = reporter.render(report);
    expect(first).toBe(reporter.render(report));
    expect(first.endsWith('\n')).toBe(true);
    expect(first.isWellFormed()).toBe(true);
    expect(slips(first)).toEqual([]);
  });
});

/** What a person must never read, with what stands around it; the script and the style are no text. */
function slips(text: string): readonly string[] {
  const visible = text.replace(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, '');
  const found = visible.matchAll(/\b(?:undefined|NaN|Infinity)\b|\[object Object\]/g);
  return Array.from(found, ({ index }) => visible.slice(Math.max(0, index - 40), index + 40));
}

test('result.json is the result', () => {
  const report = exampleReport();
  const json = reporters.find((reporter) => reporter.format === 'json')?.render(report) ?? '';
  expect(JSON.parse(json)).toEqual(report.result);
  const comparison = comparisonReport();
  const compared = compareReporters.find((reporter) => reporter.format === 'json')?.render(comparison) ?? '';
  expect(JSON.parse(compared)).toEqual(comparison.result);
});
