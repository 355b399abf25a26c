import type { TargetResult } from '../model/result/result.ts';

/** Does a budget of the page fail the job? One that only warns does not, and one that could not be checked is not exceeded. */
export function isOverBudget({ budgets = [] }: Pick<TargetResult, 'budgets'>): boolean {
  return budgets.some(({ state, severity }) => state === 'fail' && severity === 'error');
}
