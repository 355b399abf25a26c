import { isCounted } from '../core/counted-runs.ts';
import { figureOf } from '../core/metrics/figure.ts';
import type { MissingMetric } from '../model/result/finding.ts';
import type { Finding, TargetResult } from '../model/result/result.ts';

/** A finding that an own metric has no figure. */
type MissingFinding = Finding & { readonly facts: MissingMetric };

/** What is said of the user's own metrics that none of the runs that count has a figure for. */
export function missingInAllRuns({
  ownMetrics = [],
  runs,
}: Pick<TargetResult, 'ownMetrics' | 'runs'>): readonly MissingFinding[] {
  const counted = runs.filter(isCounted);
  const missing = ownMetrics.filter(({ name }) =>
    counted.every(({ metrics }) => figureOf(metrics, name) === undefined),
  );
  const said = counted.flatMap(({ findings = [] }) => findings.filter(isMissingMetric));
  return missing.flatMap(({ name }) => said.findLast(({ facts }) => facts.metric === name) ?? []);
}

function isMissingMetric(finding: Finding): finding is MissingFinding {
  return finding.code === 'metric-missing';
}
