import type { BudgetResult, BudgetState } from '../../model/budgets.ts';
import type { TargetResult } from '../../model/result/result.ts';
import { formatValue } from '../../wording/text/format.ts';
import {
  budgetLook,
  budgetsTogether,
  judgedInterval,
  limitInWords,
  marginInWords,
  severityInWords,
  worstBudgetsFirst,
} from '../budgets.ts';
import { type ColumnOf, type Detail, details, list, type Mark, type Part, paragraph, table } from '../parts.ts';
import type { Chapter } from './page.ts';

const MARKS: Readonly<Record<BudgetState, Mark>> = {
  pass: 'good',
  fail: 'bad',
  undecided: 'unknown',
  unknown: 'unknown',
};

/** Every budget with how it came out; a first screen names those that are not met. */
export const budgets: Chapter = ({ target, detail }) =>
  budgetParts(target.result, detail, `What ${target.result.step === undefined ? 'this page' : 'this step'} may cost.`);

/** The same of a build. */
export function budgetParts(target: TargetResult, detail: Detail, about: string): readonly Part[] {
  const together = budgetsTogether(target.budgets);
  if (together === undefined) return [];
  const sorted = worstBudgetsFirst(target.budgets ?? []);
  const margin = paragraph(marginInWords(target), { weight: 'light' });
  if (detail !== 'all') {
    const shown = sorted.filter(({ state }) => detail === 'normal' || state !== 'pass');
    if (shown.length === 0) return paragraph(together.sentence, { mark: 'good' });
    const items = shown.map((budget) => ({ mark: markOf(budget), text: sentenceOf(budget) }));
    return [...list(items, detail, { title: { strong: together.sentence } }), ...(detail === 'brief' ? [] : margin)];
  }
  const drawing = { name: 'budget', title: 'Against the limit', rows: sorted } as const;
  return details(
    'Budgets',
    [
      ...paragraph(
        `${about} A budget is met, or not met, only if the whole interval says so. In between it is undecided, which fails nothing.`,
      ),
      ...table(sorted, COLUMNS, detail, { drawings: [drawing] }),
      ...margin,
    ],
    detail,
    { line: together.sentence },
  );
}

function markOf({ state, severity }: BudgetResult): Mark {
  return severity === 'warn' && state === 'fail' ? 'warning' : MARKS[state];
}

const sentenceOf = ({ severity, state, sentence }: BudgetResult): string =>
  severity === 'warn' && state !== 'pass' ? `${sentence.replace(/\.$/, '')} (warning).` : sentence;

const COLUMNS: readonly ColumnOf<BudgetResult>[] = [
  { title: 'Budget', cell: ({ title, metric }) => ({ text: title, remarks: [{ code: metric }] }) },
  {
    title: 'Limit',
    figures: true,
    cell: (budget) => ({ text: limitInWords(budget), remarks: [`else ${severityInWords(budget)}`] }),
  },
  {
    title: 'Measured',
    figures: true,
    cell: (budget) => {
      const { value, unit, basis, measured } = budget;
      const interval = judgedInterval(budget);
      return {
        text: { strong: formatValue(value, unit) },
        remarks: [
          ...(interval === undefined ? [] : [interval]),
          ...(basis === undefined
            ? []
            : [`corrected for CPU time lost to other programs; ${formatValue(measured?.value, unit)} as measured`]),
        ],
      };
    },
  },
  { title: 'Outcome', cell: (budget) => ({ mark: markOf(budget), text: budgetLook(budget).word }) },
  // Of a budget that is met, the row says everything.
  { title: 'Why', long: true, cell: (budget) => (budget.state === 'pass' ? '' : sentenceOf(budget)) },
];
