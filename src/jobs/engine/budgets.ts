import { judgeBudget } from '../../core/budgets/judge.ts';
import type { Budget, BudgetResult } from '../../model/budgets.ts';
import type { TargetResult } from '../../model/result/result.ts';
import { budgetSentence } from '../../wording/budgets.ts';
import { type Problem, problem } from './problem.ts';

/** The same target with its budgets judged. */
export function withBudgets(target: TargetResult, budgets: readonly Budget[]): TargetResult {
  if (budgets.length === 0) return target;
  const judged = budgets.map((budget) => judgeBudget(budget, target));
  return { ...target, budgets: judged.map((each) => ({ ...each, sentence: budgetSentence(each) })) };
}

/** Budgets that fail, and those that could not be checked, when they are to fail the job. */
export function budgetProblems(
  { budgets = [] }: { readonly budgets?: readonly Pick<BudgetResult, 'severity' | 'state' | 'sentence'>[] },
  page?: string,
): readonly Problem[] {
  return budgets.flatMap(({ severity, state, sentence }): readonly Problem[] => {
    if (severity !== 'error' || (state !== 'fail' && state !== 'unknown')) return [];
    const code = state === 'fail' ? 'budget-failed' : 'budget-unknown';
    const detail = page === undefined ? sentence : `${page}: ${sentence}`;
    return [problem(code, { detail })];
  });
}
