import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AuditReport, CompareReport } from '../../src/model/result/report.ts';
import { capacityFormats, trendFormats } from '../../src/reporters/formats.ts';
import { annotationsOf } from '../../src/reporters/github/annotations.ts';
import { workflowCommand } from '../../src/reporters/github/workflow-command.ts';
import { renderCapacity } from '../../src/reporters/terminal/capacity.ts';
import { renderComparison } from '../../src/reporters/terminal/compare.ts';
import { renderTerminal } from '../../src/reporters/terminal/index.ts';
import { renderTrend } from '../../src/reporters/terminal/trend.ts';
import { changedLines, expectApproved } from '../support/approved.ts';
import { compareReporters, reporters } from '../support/reporters.ts';
import { visibleLines } from '../support/visible-text.ts';
import { CAPACITY } from './capacity-example.ts';
import { AUDITS_BY_KIND, COMPARISONS_BY_KIND } from './examples.ts';
import { usual } from './trend-example.ts';

const TERMINAL = { color: false, width: 80 };
const VERBOSE = { ...TERMINAL, detail: 'all' } as const;

/** What a format says: of a page only what is seen. */
const read = (format: string, text: string): string =>
  format === 'html' ? visibleLines(text).join('\n') : text.replaceAll('\r\n', '\n');

/** What files of these formats, a terminal and GitHub say of a report. */
type Texts = Readonly<Record<string, string>>;

const texts = <R>(
  terminal: string,
  formats: readonly { format: string; render: (report: R) => string }[],
  of: R,
): Texts => ({
  terminal,
  ...Object.fromEntries(
    formats.filter(({ format }) => format !== 'json').map(({ format, render }) => [format, read(format, render(of))]),
  ),
});
const annotated = (report: AuditReport | CompareReport): string =>
  annotationsOf(report, 'slower')
    .map(({ kind, title, message }) => workflowCommand(kind, title, message))
    .join('\n');

const auditTexts = (report: AuditReport): Texts => ({
  ...texts(renderTerminal(report, TERMINAL), reporters, report),
  verbose: renderTerminal(report, VERBOSE),
  annotations: annotated(report),
});
const comparisonTexts = (report: CompareReport): Texts => ({
  ...texts(renderComparison(report, TERMINAL), compareReporters, report),
  verbose: renderComparison(report, VERBOSE),
  annotations: annotated(report),
});

const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const EXAMPLES = [
  ...Object.entries(AUDITS_BY_KIND).map(([kind, { usual, others }]) => ({
    kind,
    usual: auditTexts(usual()),
    others: Object.entries(others).map(([name, make]) => [slug(name), () => auditTexts(make())] as const),
  })),
  ...Object.entries(COMPARISONS_BY_KIND).map(([kind, { usual, others }]) => ({
    kind,
    usual: comparisonTexts(usual()),
    others: Object.entries(others).map(([name, make]) => [slug(name), () => comparisonTexts(make())] as const),
  })),
];

describe.each(EXAMPLES)('$kind', ({ kind, usual, others }) => {
  test.each(Object.entries(usual))('is approved as %s', (format, text) =>
    expectApproved(`reports/${kind}/${format}`, text),
  );

  test.each(others)('%s: what is said otherwise is approved', async (name, make) => {
    const changes = Object.entries(make())
      .filter(([format, text]) => format !== 'csv' && text !== usual[format])
      .map(([format, text]) => `=== ${format}\n${changedLines(usual[format] ?? '', text)}`);
    await expectApproved(`reports/${kind}/with-${name}`, changes.join('\n'));
  });

  test('nothing is approved that is no example', () => {
    const examples = new Set(
      [...Object.keys(usual), ...others.map(([name]) => `with-${name}`)].map((name) => `${name}.txt`),
    );
    const files = readdirSync(new URL(`../approved/reports/${kind}/`, import.meta.url));
    expect(files.filter((file) => !examples.has(file))).toEqual([]);
  });
});

test.each(trendFormats.filter(({ format }) => format !== 'json'))(
  'a trend is approved as $format',
  async ({ format, load }) => expectApproved(`reports/trend/${format}`, read(format, (await load())(usual))),
);
test.each(capacityFormats.filter(({ format }) => format !== 'json'))(
  'the capacity of servers is approved as $format',
  async ({ format, load }) => expectApproved(`reports/capacity/${format}`, read(format, (await load())(CAPACITY))),
);
test('both are approved as a terminal shows them', async () => {
  await expectApproved('reports/trend/terminal', renderTrend(usual, TERMINAL));
  await expectApproved('reports/capacity/terminal', renderCapacity(CAPACITY, TERMINAL));
});
