import { isCounted } from '../core/counted-runs.ts';
import { PHONE } from '../core/elsewhere.ts';
import { median } from '../core/time/median.ts';
import type { TargetResult } from '../model/result/result.ts';

/**
 * When a page would be complete under other conditions: the median of its runs. Undefined where its processor was slowed down
 * already, or less than half of the runs tell it.
 */
export function elsewhereOf(result: Pick<TargetResult, 'runs' | 'conditions'>): TargetResult['elsewhere'] {
  if (result.conditions?.cpu !== 1) return undefined;
  const runs = result.runs.filter(isCounted);
  const told = runs.flatMap(({ onPhone }) => onPhone ?? []);
  return told.length === 0 || told.length * 2 < runs.length ? undefined : [{ ...PHONE, pageComplete: median(told) }];
}
