import { notMeasuredAnnotation, notMeasuredSummary } from '../../reporters/github/not-measured.ts';
import { appendSummary } from '../../shell/github/job-files.ts';

/**
 * Tells the job that nothing was measured: in its summary, and with an annotation.
 *
 * @param log what was printed; it may hold anything
 * @param reason what the command itself reported, where it did
 * @returns The annotation, for the log.
 */
export async function notMeasured(
  log: string,
  reason: string | undefined,
  { GITHUB_STEP_SUMMARY }: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (GITHUB_STEP_SUMMARY !== undefined) await appendSummary(GITHUB_STEP_SUMMARY, notMeasuredSummary(log));
  return notMeasuredAnnotation(reason);
}
