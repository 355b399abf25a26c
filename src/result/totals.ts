import type { RunResult, TargetTotals } from '../model/result.ts';
import { representativeRun } from './representative.ts';

/** What the page needed up to page complete, as the run that stands for it has it; undefined where it was never complete. */
export function totalsOf(runs: readonly RunResult[]): TargetTotals | undefined {
  const byType = representativeRun(runs)?.byType;
  return byType && { byType };
}
