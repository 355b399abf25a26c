import type { JSX } from 'preact';
import type { BudgetResult } from '../../../model/budget.ts';
import type { TargetResult } from '../../../model/result.ts';
import {
  budgetLook,
  budgetsTogether,
  judgedInterval,
  limitInWords,
  marginInWords,
  severityInWords,
} from '../../../report/budgets.ts';
import { formatValue } from '../../../wording/format.ts';
import { foreign, Part, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';

/** The axis reaches this much beyond the last figure on it. */
const BEYOND = 1.12;

/** The figure with its interval against what is allowed, on an axis of its own that begins at 0. */
function Drawing({ budget }: { readonly budget: BudgetResult }): JSX.Element | undefined {
  const { value, low = value, high = value, limit, bound } = budget;
  if (value === undefined || low === undefined || high === undefined) return undefined;
  const most = Math.max(value, high, limit) * BEYOND || 1;
  const x = (at: number): string => `${Number(((Math.max(0, at) / most) * 100).toFixed(2))}%`;
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

const COLUMNS: readonly Column<BudgetResult>[] = [
  {
    title: 'Budget',
    className: 'some',
    cell: ({ title, metric }) => (
      <>
        {foreign(title)}
        <small class="mono">{foreign(metric)}</small>
      </>
    ),
  },
  {
    title: 'Limit',
    className: 'num',
    cell: (budget) => (
      <>
        {limitInWords(budget)}
        <small>else {severityInWords(budget)}</small>
      </>
    ),
  },
  {
    title: 'Measured',
    className: 'num',
    cell: (budget) => {
      const interval = judgedInterval(budget);
      return (
        <>
          <b>{formatValue(budget.value, budget.unit)}</b>
          {interval !== undefined && <small>{interval}</small>}
          {budget.basis !== undefined && (
            <small>
              corrected for CPU time lost to other programs; {formatValue(budget.measured?.value, budget.unit)} as
              measured
            </small>
          )}
        </>
      );
    },
  },
  { title: 'Against the limit', className: 'drawn', cell: (budget) => <Drawing budget={budget} /> },
  {
    title: 'Outcome',
    className: 'some',
    cell: (budget) => {
      const { tone, sign, word } = budgetLook(budget);
      return (
        <>
          <span class={`outcome ${tone}`}>
            <span aria-hidden="true">{sign}</span> {word}
          </span>
          {/* Of a budget that is met, the row says everything. */}
          {budget.state !== 'pass' && <small>{sentence(budget.sentence)}</small>}
        </>
      );
    },
  },
];

/** What a page may cost, and whether it keeps that. */
export function BudgetsPart(props: {
  readonly target: TargetResult;
  readonly id: string;
  /** What they come to, where they are folded. */
  readonly line?: string | undefined;
  readonly lead: string;
}): JSX.Element | undefined {
  const { target, id, line, lead } = props;
  const { budgets = [] } = target;
  const margin = marginInWords(target);
  const together = budgetsTogether(budgets);
  if (together === undefined) return undefined;
  return (
    <Part id={id} title="Budgets" line={line} lead={lead}>
      <p class={`host ${together.tone}`}>
        <span aria-hidden="true">{together.sign}</span> {together.sentence}
      </p>
      <Table
        caption="Budgets"
        columns={COLUMNS}
        rows={budgets}
        className="budgets"
        rowClass={(budget) => budgetLook(budget).tone}
      />
      {margin !== undefined && <p class="hint">{sentence(margin)}</p>}
    </Part>
  );
}
