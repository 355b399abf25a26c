import type { AuditReport, CompareReport, WholeTarget } from '../model/report.ts';
import type { ReportFormat } from '../model/settings.ts';
import { renderAuditCsv, renderComparisonCsv } from './csv.ts';
import { renderComparisonHtml } from './html/compare.tsx';
import { renderHtml } from './html/index.tsx';
import { renderAuditJson, renderComparisonJson } from './json.ts';
import { renderAuditJunit, renderComparisonJunit } from './junit.ts';
import { renderAuditMarkdown } from './markdown/audit.ts';
import { renderComparisonMarkdown } from './markdown/compare.ts';
import { wholeIn } from './pages.ts';

/** Writes a result of one kind down in one format. */
export interface Reporter<Report = AuditReport> {
  readonly format: ReportFormat;
  /** Name of the file in the results folder. */
  readonly file: string;
  /** What it is good for, for the command line's help. */
  readonly describe: string;
  render(report: Report): string;
}

/** Writes audits and analyses of any number of targets down in one format. */
export interface AuditReporter extends Reporter {
  /**
   * The same in pieces, target by target: of a thousand pages a report holds what tables show, and memory one page.
   *
   * @param whole gives a target of the report with all its runs; their waterfalls and pictures it need not have
   */
  pieces(report: AuditReport, whole: WholeTarget): Iterable<string>;
}

/** A format with how each kind of result is written down in it. */
interface Format extends Omit<Reporter, 'render'> {
  audit(report: AuditReport, whole: WholeTarget): Iterable<string>;
  compare(report: CompareReport): string;
}

/** Every format that is one file for the whole job; HAR files are one for each run and written from recordings. */
const formats: readonly Format[] = [
  {
    format: 'html',
    file: 'index.html',
    describe: 'one self-contained page with the verdict, the metrics and the waterfall',
    audit: (report) => [renderHtml(report)],
    compare: renderComparisonHtml,
  },
  {
    format: 'json',
    file: 'result.json',
    describe: 'everything that was measured, for scripts',
    audit: renderAuditJson,
    compare: renderComparisonJson,
  },
  {
    format: 'junit',
    file: 'junit.xml',
    describe: 'what a CI system shows as test results',
    audit: (report, whole) => [renderAuditJunit(report, whole)],
    compare: renderComparisonJunit,
  },
  {
    format: 'md',
    file: 'summary.md',
    describe: 'a summary for a pull request or a job, in Markdown',
    audit: (report, whole) => [renderAuditMarkdown(report, whole)],
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
export const reporters: readonly AuditReporter[] = formats.map(({ audit, compare: _, ...format }) => ({
  ...format,
  render: (report) => [...audit(report, wholeIn(report))].join(''),
  pieces: audit,
}));

/** The formats that a comparison can be written down in. */
export const compareReporters: readonly Reporter<CompareReport>[] = formats.map(({ audit: _, compare, ...format }) => ({
  ...format,
  render: compare,
}));
