import type { AuditReport, TargetReport } from '../../model/result/report.ts';
import { failedRuns } from '../../result/counted-runs.ts';
import { NO_REASON } from '../../wording/result/failure.ts';
import { runName } from '../../wording/result/run-name.ts';
import { joined } from '../../wording/text/format.ts';
import { cut, type Detail, list } from '../parts.ts';
import { loads } from './answer.ts';
import type { Chapter } from './page.ts';

/** Runs of one reason that are named. */
const MAX_RUNS = 10;

/** Which runs could not be measured, each reason once. */
export const failures: Chapter = ({ target, analysis, detail }) => {
  const failed = failedRuns(target).length;
  const items = reasonsOf(target).map(([why, runs]) => ({
    mark: 'bad' as const,
    text: analysis ? why : `${joined(runs, MAX_RUNS)}: ${why}`,
  }));
  return list(items, detail, { title: { strong: `${loads(failed, analysis)} failed` } });
};

function reasonsOf(target: TargetReport): readonly (readonly [reason: string, runs: readonly string[]])[] {
  const reasons = Map.groupBy(failedRuns(target), ({ failure }) => failure?.message ?? NO_REASON);
  return [...reasons].map(([reason, runs]) => [reason, runs.map(runName)]);
}

/** The reasons that the document of an audit names: they need not be printed again. */
export function namedFailures({ targets }: AuditReport, detail: Detail): readonly string[] {
  if (targets.length > 1 && detail === 'brief') return [];
  return targets.flatMap((target) => cut(reasonsOf(target), detail).shown.map(([reason]) => reason));
}
