import type { Difference } from '../../model/compare/comparison.ts';
import { estimateOf } from '../../wording/compare/comparison.ts';

/**
 * An interval as one line of `width` columns: `──[━━●━┼──]──`. The brackets are the smallest effect of interest, the
 * cross is no change at all, the thick line the interval, and an arrow an end that is further out or not bounded.
 */
export function drawInterval(difference: Difference, reach: number, width: number): string {
  const { low, high, minEffect } = difference;
  const unit = Math.max(Math.abs(minEffect.up), Math.abs(minEffect.down));
  const end = reach * unit;
  const column = (value: number): number =>
    end > 0 ? Math.max(0, Math.min(width - 1, Math.round(((value / end + 1) / 2) * (width - 1)))) : (width - 1) / 2;
  const cells: string[] = Array(width).fill('─');
  const from = low === undefined ? 0 : column(low);
  const to = high === undefined ? width - 1 : column(high);
  for (let i = from; i <= to; i++) cells[i] = '━';
  cells[column(0)] = '┼';
  cells[column(-Math.abs(minEffect.down))] = '[';
  cells[column(Math.abs(minEffect.up))] = ']';
  const estimate = estimateOf(difference);
  if (Math.abs(estimate) <= end) cells[column(estimate)] = '●';
  if (low === undefined || low < -end) cells[0] = '◀';
  if (high === undefined || high > end) cells[width - 1] = '▶';
  return cells.join('');
}
