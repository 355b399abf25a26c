import type { JSX } from 'preact';
import type { BudgetResult } from '../../../model/budgets.ts';
import { percent, place } from '../../scale.ts';

/** The axis reaches this much beyond the last figure on it. */
const BEYOND = 1.12;

/** The figure with its interval against what is allowed, on an axis of its own that begins at 0. */
export function BudgetBar({ budget }: { readonly budget: BudgetResult }): JSX.Element | undefined {
  const { value, low = value, high = value, limit, bound } = budget;
  if (value === undefined || low === undefined || high === undefined) return undefined;
  const most = Math.max(value, high, limit) * BEYOND || 1;
  const x = (at: number): string => percent(place(at, { from: 0, to: most }));
  return (
    <svg class="budget-bar" width="100%" height="18" aria-hidden="true">
      <rect
        class="allowed"
        x={bound === 'max' ? 0 : x(limit)}
        width={x(bound === 'max' ? limit : most - limit)}
        height="18"
      />
      <line class="axis" x1="0" x2="100%" y1="17.5" y2="17.5" />
      <rect class="range" x={x(low)} y="4" width={x(high - low)} height="10" rx="2" />
      <line class="median" x1={x(value)} x2={x(value)} y1="2" y2="16" />
      <line class="limit" x1={x(limit)} x2={x(limit)} y1="0" y2="18" />
    </svg>
  );
}
