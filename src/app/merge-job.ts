import type { Progress } from '../model/progress.ts';
import type { MergeSettings } from '../model/settings.ts';
import type { Job as ReportJob, ReportOutcome } from './report-again.ts';

/** Shards being joined. */
export interface MergeJob {
  readonly settings: MergeSettings;
  /** Where the joined result goes, absolute. */
  readonly out: string;
  readonly signal: AbortSignal;
  tell(event: Progress): void;
}

/** What joining leaves behind. */
export type MergeOutcome = ReportOutcome;

/** Which reports are written of what was joined: a page links to the result beside it. */
export function formatsOf({ settings: { format } }: MergeJob): MergeSettings['format'] {
  return format.includes('html') ? [...new Set([...format, 'json' as const])] : format;
}

/** The reports are written from what lies in the joined folder, as they would be written again. */
export function asReported(job: MergeJob): ReportJob {
  const { out, signal, tell } = job;
  return { settings: { result: out, format: formatsOf(job) }, source: out, out, signal, tell, warnings: [] };
}
