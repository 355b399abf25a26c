import { judgeBudgets } from '../core/budgets/judge.ts';
import { parseBudget } from '../core/budgets/parse.ts';
import { messageFor, UsageError } from '../core/messages.ts';
import type { Budget, BudgetEntry } from '../model/budget.ts';
import type { TargetResult } from '../model/result.ts';
import type { LoadSettings } from '../model/settings.ts';
import type { Problem } from './job.ts';

/**
 * Budgets as the settings have them.
 *
 * @throws UsageError `option-invalid` for a metric that nobody knows or a limit that is none
 */
export function budgetsOf({ budget = [] }: Pick<LoadSettings, 'budget'>): readonly Budget[] {
  return budget.map((given) => {
    const parsed = parseBudget(given);
    if ('budget' in parsed) return parsed.budget;
    throw new UsageError('option-invalid', { option: '--budget', detail: parsed.problem });
  });
}

/** What is wrong with a budget as typed or as an object of a file, for the options' schema; undefined when nothing is. */
export function budgetProblem(given: string | BudgetEntry): string | undefined {
  const parsed = parseBudget(given);
  return 'problem' in parsed ? parsed.problem : undefined;
}

/** How often Lighthouse is to run: as often as asked for; a budget for one of its figures needs one run. */
export function lighthouseRuns(settings: Pick<LoadSettings, 'lighthouse' | 'budget'>): number {
  const needs = budgetsOf(settings).some(({ source }) => source.kind.startsWith('lighthouse'));
  return settings.lighthouse ?? (needs ? 1 : 0);
}

/** The same target with its budgets judged. */
export function withBudgets(target: TargetResult, budgets: readonly Budget[]): TargetResult {
  return budgets.length === 0 ? target : { ...target, budgets: judgeBudgets(budgets, target) };
}

/** Budgets that fail, and those that could not be checked, when they are to fail the job. */
export function budgetProblems({ budgets = [] }: Pick<TargetResult, 'budgets'>, page?: string): readonly Problem[] {
  return budgets.flatMap(({ severity, state, sentence }): readonly Problem[] => {
    if (severity !== 'error' || (state !== 'fail' && state !== 'unknown')) return [];
    const code = state === 'fail' ? 'budget-failed' : 'budget-unknown';
    const detail = page === undefined ? sentence : `${page}: ${sentence}`;
    return [{ code, message: messageFor(code, { detail }) }];
  });
}
