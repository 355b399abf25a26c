import { workflowCommand } from '../../reporters/github/workflow-command.ts';
import { appendSummary } from '../../shell/github/job-files.ts';
import { elide, plain } from '../../wording/text.ts';

/** Lines of the log that the summary shows. */
const LINES = 20;
/** Letters of a line: GitHub leaves out a summary that is too long. */
const LONGEST_LINE = 2_000;

/**
 * Tells the job that nothing was measured: the end of the log in its summary, and an annotation.
 *
 * @param log what was printed; it may hold anything
 * @param reason what the command told of its own, where it told anything
 * @returns The annotation, for the log.
 */
export async function notMeasured(
  log: string,
  reason: string | undefined,
  { GITHUB_STEP_SUMMARY }: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const lines = log.split(/\r?\n/).filter((line) => line !== '');
  if (GITHUB_STEP_SUMMARY !== undefined) {
    // Indented lines are code: nothing in them is Markdown.
    const shown = lines.slice(-LINES).map((line) => `    ${elide(plain(line), LONGEST_LINE)}\n`);
    await appendSummary(GITHUB_STEP_SUMMARY, `### ⛔ Nothing was measured\n\n${shown.join('')}`);
  }
  return `${workflowCommand('error', 'Quiesce', reason ?? 'Nothing was measured: the log says why.')}\n`;
}
