import { KINDS } from '../../model/background/kinds.ts';
import type { TargetResult } from '../../model/result/result.ts';
import { representativeRun } from '../representative.ts';

/**
 * Is it a guess what of the page's background traffic counts? Without a film it is not known what that shows. A warm-up run
 * stands in the place of the evidence run then. The page's own mark needs no proof.
 */
export function isUnproved({ runs, evidence }: Pick<TargetResult, 'runs' | 'evidence'>): boolean {
  const wasSkipped = evidence === undefined && runs.some(({ role }) => role === 'discarded');
  const { pageComplete, background = [] } = (wasSkipped && representativeRun(runs)) || {};
  return pageComplete?.decidedBy !== 'mark' && background.some(({ kind }) => KINDS[kind].mayBeSeen);
}
