import type { AuditReport, CompareReport } from '../model/report.ts';
import type { ReportFormat } from '../model/settings.ts';
import { renderComparisonHtml } from './html/compare.tsx';
import { renderHtml } from './html/index.tsx';
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

/** A format with what it can write down. */
interface Format {
  readonly format: ReportFormat;
  readonly file: string;
  readonly describe: string;
  audit?(report: AuditReport): string;
  compare?(report: CompareReport): string;
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
    format: 'md',
    file: 'summary.md',
    describe: 'a summary for a pull request or a job, in Markdown',
    compare: renderComparisonMarkdown,
  },
];

const writing = <Report>(
  kind: (format: Format) => ((report: Report) => string) | undefined,
): readonly Reporter<Report>[] =>
  formats.flatMap((each) => {
    const render = kind(each);
    const { format, file, describe } = each;
    return render === undefined ? [] : [{ format, file, describe, render }];
  });

/** The formats that an audit or an analysis can be written down in. */
export const reporters: readonly Reporter[] = writing((format) => format.audit);

/** The formats that a comparison can be written down in. */
export const compareReporters: readonly Reporter<CompareReport>[] = writing((format) => format.compare);
