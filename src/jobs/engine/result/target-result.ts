import { defined } from '../../../core/text/defined.ts';
import type { TargetResult } from '../../../model/result/result.ts';
import { agreedBackground } from '../../../result/background.ts';
import { doubtsOf, withDoubt } from '../../../result/doubt/doubt.ts';
import { isUnproved } from '../../../result/doubt/unproved.ts';
import { elsewhereOf } from '../../../result/elsewhere.ts';
import { targetFixes } from '../../../result/fixes.ts';
import { representativeRun } from '../../../result/representative.ts';
import { summarize } from '../../../result/summary.ts';
import { totalsOf } from '../../../result/totals.ts';
import { verdictReasonInWords } from '../../../wording/background/verdict-reasons.ts';

/** What is computed of a target from its runs. */
export type FromRuns =
  | 'summary'
  | 'background'
  | 'representativeRun'
  | 'unproved'
  | 'doubts'
  | 'fixes'
  | 'elsewhere'
  | 'totals'
  | 'largestContentfulPaint';

/** A target with what its runs say together, the runs in the order of their numbers. */
export function targetOf(measured: Omit<TargetResult, FromRuns>): TargetResult {
  const runs = withDoubt({ ...measured, runs: measured.runs.toSorted((a, b) => a.index - b.index) });
  const representative = representativeRun(runs);
  const doubts = doubtsOf(runs);
  return {
    ...measured,
    runs,
    summary: summarize(runs, measured.ownMetrics),
    ...defined({
      representativeRun: representative?.index,
      unproved: isUnproved({ ...measured, runs }) ? true : undefined,
      doubts: doubts.length > 0 ? doubts : undefined,
      fixes: targetFixes({ representative, result: { ...measured, runs } }),
      elsewhere: elsewhereOf({ ...measured, runs }),
      totals: totalsOf(runs),
      largestContentfulPaint: representative?.largestContentfulPaint,
    }),
    background: agreedBackground(runs, verdictReasonInWords),
  };
}
