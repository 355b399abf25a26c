import { describe, expect, test } from 'vitest';
import { reporters } from '../../src/report/index.ts';
import { analysisReport, exampleReport, failedReport, reportOf, singleRunReport } from './example-report.ts';

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
}

test('formats and files are unique and described', () => {
  expect(new Set(reporters.map((reporter) => reporter.format)).size).toBe(reporters.length);
  expect(new Set(reporters.map((reporter) => reporter.file)).size).toBe(reporters.length);
  for (const reporter of reporters) {
    expect(reporter.file).toMatch(/^[a-z.-]+$/);
    expect(reporter.describe).toMatch(/^\S.*[^.]$/);
  }
});

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
});
