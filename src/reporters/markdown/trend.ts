import type { TrendResult } from '../../model/trend.ts';
import { trendDocument } from '../../report/trend/index.ts';
import { writeMarkdown } from './write.ts';

/** A summary of a trend for a pull request or a job. */
export function renderTrendMarkdown(result: TrendResult): string {
  return `${writeMarkdown(trendDocument(result, 'normal'))}\n`;
}
