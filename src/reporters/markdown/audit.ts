import type { AuditReport, WholeTarget } from '../../model/result/report.ts';
import { auditDocument } from '../../report/audit.ts';
import { writeMarkdown } from './write.ts';

/**
 * The length up to which pages are reported one by one. Source: 65,536 letters may stand in a comment on GitHub; the rest is
 * for what a workflow writes around it.
 */
const MAX_LENGTH = 60_000;

/**
 * An audit or an analysis as a comment on a pull request, the summary of a job or a page of a wiki, at most 65,536 letters
 * long: of many pages, as many as there is room for.
 */
export function renderAuditMarkdown(report: AuditReport, whole?: WholeTarget): string {
  const { parts, pages, left, end } = auditDocument(report, 'normal', whole);
  const written = [writeMarkdown(parts)];
  let length = written[0]?.length ?? 0;
  let taken = 0;
  for (const page of pages) {
    const next = writeMarkdown([page]);
    length += next.length;
    if (length > MAX_LENGTH) break;
    written.push(next);
    taken += 1;
  }
  const rest = [...left(report.targets.length === 1 ? 0 : report.targets.length - taken), ...end];
  return `${[...written, ...(rest.length === 0 ? [] : [writeMarkdown(rest)])].join('\n\n')}\n`;
}
