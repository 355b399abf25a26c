import type { CompareReport } from '../../model/report.ts';
import { compareDocument } from '../../report/compare/index.ts';
import { writeMarkdown } from './write.ts';

/** The comparison as a comment on a pull request or the summary of a job. */
export function renderComparisonMarkdown(report: CompareReport): string {
  return `${writeMarkdown(compareDocument(report, 'normal'))}\n`;
}
