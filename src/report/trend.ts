import type { TrendFormat, TrendResult } from '../model/trend.ts';
import { renderTrendHtml } from './html/trend.tsx';
import { renderTrendCsv } from './trend-csv.ts';

/** Writes a trend down in one format. */
export interface TrendReporter {
  readonly format: TrendFormat;
  /** Name of the file in the trend's folder. */
  readonly file: string;
  render(result: TrendResult): string;
}

/** The forms that a trend can be written down in. */
export const trendReporters: readonly TrendReporter[] = [
  { format: 'html', file: 'index.html', render: renderTrendHtml },
  { format: 'json', file: 'trend.json', render: (result) => `${JSON.stringify(result, null, 2)}\n` },
  { format: 'csv', file: 'trend.csv', render: renderTrendCsv },
];
