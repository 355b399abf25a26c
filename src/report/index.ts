import type { AuditReport, CompareReport } from '../model/report.ts';
import type { ReportFormat } from '../model/settings.ts';
import { renderAuditCsv, renderComparisonCsv } from './csv.ts';
import { renderComparisonHtml } from './html/compare.tsx';
import { renderHtml } from './html/index.tsx';
import { renderAuditJunit, renderComparisonJunit } from './junit.ts';
import { renderAuditMarkdown } from './markdown/audit.ts';
import { renderComparisonMarkdown } from './markdown/compare.ts';

/** Writes a result of one kind down in one format. */
export interface Reporter<Report = AuditReport> {
  readonly format: ReportFormat;
  /** Name of the file in the results folder. */
  readonly file: string;
  /** What it is good for, for the command line's help. */
  readonly describe: string;
  render(report: Report): string;
}

/** A format with how each kind of result is written down in it. */
interface Format extends Omit<Reporter, 'render'> {
  audit(report: AuditReport): string;
  compare(report: CompareReport): string;
}

const stored = (report: AuditReport | CompareReport): string => `${JSON.stringify(report.result, null, 2)}\n`;

/** Every format that is one file for the whole job; HAR files are one for each run and written from recordings. */
const formats: readonly Format[] = [
  {
    format: 'html',
    file: 'index.html',
    describe: 'one self-contained page with the verdict, the metrics and the waterfall',
    audit: renderHtml,
    compare: renderComparisonHtml,
  },
  {
    format: 'json',
    file: 'result.json',
    describe: 'everything that was measured, for scripts',
    audit: stored,
    compare: stored,
  },
  {
    format: 'junit',
    file: 'junit.xml',
    describe: 'what a CI system shows as test results',
    audit: renderAuditJunit,
    compare: renderComparisonJunit,
  },
  {
    format: 'md',
    file: 'summary.md',
    describe: 'a summary for a pull request or a job, in Markdown',
    audit: renderAuditMarkdown,
    compare: renderComparisonMarkdown,
  },
  {
    format: 'csv',
    file: 'result.csv',
    describe: 'every run with its metrics as a row of a table',
    audit: renderAuditCsv,
    compare: renderComparisonCsv,
  },
];

/** The formats that an audit or an analysis can be written down in. */
export const reporters: readonly Reporter[] = formats.map(({ audit, compare: _, ...format }) => ({
  ...format,
  render: audit,
}));

/** The formats that a comparison can be written down in. */
export const compareReporters: readonly Reporter<CompareReport>[] = formats.map(({ audit: _, compare, ...format }) => ({
  ...format,
  render: compare,
}));
