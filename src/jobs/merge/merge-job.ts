import type { Progress } from '../../model/result/progress.ts';
import type { ResolvedMerge } from '../../settings/resolved.ts';
import type { PageReportOutcome, StoredReport } from '../report/report.ts';

/** Shards being joined. */
export interface MergeJob {
  readonly formats: ResolvedMerge['formats'];
  /** Where the joined result goes, absolute. */
  readonly out: string;
  readonly failOn: ResolvedMerge['failOn'];
  readonly signal: AbortSignal;
  onProgress(event: Progress): void;
}

/** What joining leaves behind. */
export type MergeOutcome = PageReportOutcome;

/** Which reports are written of what was joined: a page links to the result beside it. */
function formatsOf({ formats }: MergeJob): ResolvedMerge['formats'] {
  return formats.includes('html') ? [...new Set([...formats, 'json' as const])] : formats;
}

/** The reports are written from what is in the joined folder, as they would be written again. */
export function asStored(job: MergeJob): StoredReport {
  const { out, signal, onProgress } = job;
  return { name: out, source: out, out, formats: formatsOf(job), force: false, signal, onProgress };
}
