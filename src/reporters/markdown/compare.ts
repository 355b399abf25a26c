import type { ComparePagesReport, CompareReport } from '../../model/result/report.ts';
import { compareDocument } from '../../report/compare/index.ts';
import { comparePagesDocument } from '../../report/compare-pages.ts';
import { writeMarkdown } from './write.ts';

/** The comparison as a comment on a pull request or the summary of a job. */
export function renderComparisonMarkdown(report: CompareReport): string {
  return `${writeMarkdown(compareDocument(report, 'normal'))}\n`;
}

/** A comparison of several pages in the same way: a row for each, and what there is to say of those that changed. */
export function renderComparedPagesMarkdown(report: ComparePagesReport): string {
  return `${writeMarkdown(comparePagesDocument(report, 'normal'))}\n`;
}
