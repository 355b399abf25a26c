import { describe, expect, test } from 'vitest';
import { compareReporters, reporters } from '../../src/report/index.ts';
import { comparisonReport } from './comparison.ts';
import { analysisReport, exampleReport, failedReport, reportOf, singleRunReport } from './example-report.ts';

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

test('a comparison is written as a page, for scripts and as a summary', () => {
  expect(compareReporters.map((reporter) => reporter.file)).toEqual(['index.html', 'result.json', 'summary.md']);
  // Audits get theirs in a later issue.
  expect(reporters.map((reporter) => reporter.format)).not.toContain('md');
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
    ] as const)('%s is written twice the same, and nothing in it is changed', (_name, options) => {
      const report = frozen(comparisonReport(options));
      const first = reporter.render(report);
      expect(first).toBe(reporter.render(report));
      expect(first.endsWith('\n')).toBe(true);
      expect(visible(first)).not.toMatch(/\bundefined\b|\bNaN\b|\bInfinity\b|\[object Object\]/);
    });
  },
);

describe.each(reporters.map((reporter) => [reporter.format, reporter] as const))('%s', (_, reporter) => {
  test.each([
    ['the example', exampleReport],
    ['only failed runs', failedReport],
    ['a single run', singleRunReport],
    ['two targets', () => reportOf(...[exampleReport(), failedReport()].flatMap(sketches))],
    ['an analysis', analysisReport],
    ['no targets', () => reportOf()],
  ])('writes %s, twice the same, and changes nothing in it', (_name, make) => {
    const report = frozen(make());
    const first = reporter.render(report);
    expect(first).toBe(reporter.render(report));
    expect(first.endsWith('\n')).toBe(true);
    expect(visible(first)).not.toMatch(/\bundefined\b|\bNaN\b|\[object Object\]/);
  });
});

/** The text of a report without the script and the style it carries. */
function visible(text: string): string {
  return text.replace(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, '');
}

function sketches(report: ReturnType<typeof exampleReport>) {
  return report.targets.map(({ result, ...rest }) => ({ ...result, ...rest }));
}

test('result.json is the result', () => {
  const report = exampleReport();
  const json = reporters.find((reporter) => reporter.format === 'json')?.render(report) ?? '';
  expect(JSON.parse(json)).toEqual(report.result);
  const comparison = comparisonReport();
  const compared = compareReporters.find((reporter) => reporter.format === 'json')?.render(comparison) ?? '';
  expect(JSON.parse(compared)).toEqual(comparison.result);
});
