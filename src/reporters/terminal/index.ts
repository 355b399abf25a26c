import type { AuditReport } from '../../model/result/report.ts';
import { auditDocument } from '../../report/audit.ts';
import { type Part, paragraph } from '../../report/parts.ts';
import { screenOf, type TerminalOptions } from './screen.ts';
import { writeTerminal } from './write.ts';

/** Of more pages than this the report has the details: nobody scrolls through a hundred screens. */
const PAGES_IN_FULL = 10;

/** What a person wants to read right after an audit or an analysis; ends with a newline. */
export function renderTerminal(report: AuditReport, { detail = 'brief', ...options }: TerminalOptions): string {
  const { parts, pages, left, end } = auditDocument(report, detail);
  const shown: Part[] = [];
  for (const page of pages) {
    if (shown.length === PAGES_IN_FULL) break;
    shown.push(page);
  }
  const out = detail === 'brief' || report.targets.length === 1 ? 0 : report.targets.length - shown.length;
  const more = detail === 'brief' && report.targets.length > 0 ? paragraph(MORE, { weight: 'light' }) : [];
  return `${writeTerminal([...parts, ...shown, ...left(out), ...end, ...more], screenOf(options)).join('\n')}\n`;
}

/** What a first screen leaves out. */
export const MORE = 'More with --verbose.';
