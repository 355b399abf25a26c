import type { TargetResult } from '../../model/result/result.ts';
import { missingInAllRuns } from '../../result/missing-metrics.ts';
import { type Problem, problem } from './problem.ts';

/** The user's own metrics that no run of a page has a figure for: a name that was mistyped, most likely. */
export function missingMetricProblems(target: TargetResult, page?: string): readonly Problem[] {
  return missingInAllRuns(target).map(({ message }) =>
    problem('metric-missing', { detail: page === undefined ? message : `${page}: ${message}` }),
  );
}
