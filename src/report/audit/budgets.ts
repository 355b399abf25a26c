import type { BudgetState } from '../../model/budget.ts';
import type { TargetResult } from '../../model/result.ts';
import { budgetsTogether, marginInWords, worstBudgetsFirst } from '../budgets.ts';
import { type Detail, list, type Mark, type Part, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

const MARKS: Readonly<Record<BudgetState, Mark>> = {
  pass: 'good',
  fail: 'bad',
  undecided: 'unknown',
  unknown: 'unknown',
};

/** Every budget with how it came out; a first screen names those that are not met. */
export const budgets: Chapter = ({ target, detail }) => budgetParts(target.result, detail);

/** The same of a build. */
export function budgetParts(target: TargetResult, detail: Detail): readonly Part[] {
  const together = budgetsTogether(target.budgets);
  if (together === undefined) return [];
  const shown = worstBudgetsFirst(target.budgets ?? []).filter(({ state }) => detail !== 'brief' || state !== 'pass');
  const items = shown.map(({ state, severity, sentence }) => {
    const onlyWarns = severity === 'warn' && state !== 'pass';
    const mark: Mark = onlyWarns && state === 'fail' ? 'warning' : MARKS[state];
    return { mark, text: onlyWarns ? `${sentence.replace(/\.$/, '')} (warning).` : sentence };
  });
  if (items.length === 0) return paragraph(together.sentence, { mark: 'good' });
  return [
    ...list(items, detail, { title: { strong: together.sentence } }),
    ...(detail === 'brief' ? [] : paragraph(marginInWords(target), { weight: 'light' })),
  ];
}
