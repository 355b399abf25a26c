import type { AuditReport } from '../model/report.ts';
import type { ReportFormat } from '../model/settings.ts';
import { renderHtml } from './html/index.tsx';

/** Writes an audit down in one format. */
export interface Reporter {
  readonly format: ReportFormat;
  /** Name of the file in the results folder. */
  readonly file: string;
  /** What it is good for, for the command line's help. */
  readonly describe: string;
  render(report: AuditReport): string;
}

/** Every format that is one file for the whole audit; HAR files are one for each run and written from recordings. */
export const reporters: readonly Reporter[] = [
  {
    format: 'html',
    file: 'index.html',
    describe: 'one self-contained page with the verdict, the metrics and the waterfall',
    render: renderHtml,
  },
  {
    format: 'json',
    file: 'result.json',
    describe: 'everything that was measured, for scripts',
    render: (report) => `${JSON.stringify(report.result, null, 2)}\n`,
  },
];
