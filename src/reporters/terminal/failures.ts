import type { AuditReport } from '../../model/report.ts';
import { failedRuns } from '../../result/counted-runs.ts';

/** More pages than this are shown in a line each: nobody scrolls through a hundred screens. */
export const PAGES_IN_FULL = 10;

/** The failures of runs that an audit's screen shows with its pages: they need not be printed again. */
export function shownFailures({ targets }: AuditReport): readonly string[] {
  if (targets.length > PAGES_IN_FULL) return [];
  return targets.flatMap((target) => failedRuns(target).flatMap(({ failure }) => failure?.message ?? []));
}
