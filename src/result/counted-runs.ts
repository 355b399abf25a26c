import { isCounted, isTimed } from '../core/counted-runs.ts';
import type { TargetReport } from '../model/result/report.ts';
import type { RunResult } from '../model/result/result.ts';

/** The runs whose figures count: timed, measured, and not taken out with their block. */
export function countedRuns(target: TargetReport): readonly RunResult[] {
  return target.result.runs.filter(isCounted);
}

/** The runs that were loaded to be timed, also those that failed. */
export function timedRuns(target: TargetReport): readonly RunResult[] {
  return target.result.runs.filter(isTimed);
}

/** The runs that never count: what filmed, held back or warmed up. */
export function untimedRuns(target: TargetReport): readonly RunResult[] {
  return target.result.runs.filter((run) => !isTimed(run));
}

/** The runs that could not be measured, also those that were not timed. */
export function failedRuns(target: TargetReport): readonly RunResult[] {
  return target.result.runs.filter((run) => !run.ok);
}
