import type { TrendFormat, TrendResult } from '../model/trend.ts';
import { renderTrendHtml } from './html/trend.tsx';
import { renderTrendCsv } from './trend-csv.ts';

/** Writes a trend down in one format. */
export interface TrendReporter {
  readonly format: TrendFormat;
  /** Name of the file in the trend's folder. */
  readonly file: string;
  /** What it is good for, for the command line's help. */
  readonly describe: string;
  render(result: TrendResult): string;
}

/** The forms that a trend can be written down in. */
export const trendReporters: readonly TrendReporter[] = [
  {
    format: 'html',
    file: 'index.html',
    describe: 'one self-contained page with the curves and their changes',
    render: renderTrendHtml,
  },
  {
    format: 'json',
    file: 'trend.json',
    describe: 'every figure, and what was left out, for scripts',
    render: (result) => `${JSON.stringify(result, null, 2)}\n`,
  },
  {
    format: 'csv',
    file: 'trend.csv',
    describe: 'every figure of every result as a row of a table',
    render: renderTrendCsv,
  },
];
