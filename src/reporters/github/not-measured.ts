import { elide, plain } from '../../wording/text/text.ts';
import { workflowCommand } from './workflow-command.ts';

/** Lines of the log that the summary shows. */
const LINES = 20;
/** Letters of a line: GitHub leaves out a summary that is too long. */
const LONGEST_LINE = 2_000;

/** The summary of a job in which nothing was measured: the end of the log, which may hold anything. */
export function notMeasuredSummary(log: string): string {
  const lines = log.split(/\r?\n/).filter((line) => line !== '');
  // Indented lines are code: nothing in them is Markdown.
  const shown = lines.slice(-LINES).map((line) => `    ${elide(plain(line), LONGEST_LINE)}\n`);
  return `### ⛔ Nothing was measured\n\n${shown.join('')}`;
}

/** The annotation of such a job. `reason`: what the command itself reported, where it did. */
export function notMeasuredAnnotation(reason: string | undefined): string {
  return `${workflowCommand('error', 'Quiesce', reason ?? 'Nothing was measured: the log says why.')}\n`;
}
