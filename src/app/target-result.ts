import { agreedBackground, summarize } from '../core/summary.ts';
import type { TargetResult } from '../model/result.ts';

/** A target with what its runs say together, the runs in the order of their numbers. */
export function targetOf(measured: Omit<TargetResult, 'summary' | 'background'>): TargetResult {
  const runs = [...measured.runs].sort((a, b) => a.index - b.index);
  return { ...measured, runs, summary: summarize(runs), background: agreedBackground(runs) };
}
