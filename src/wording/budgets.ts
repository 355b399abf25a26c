import type { BudgetResult } from '../model/budgets.ts';
import { formatValue } from './text/format.ts';

/** What came out of a budget, with figures: "Page complete 1.24 s (1.21 s to 1.29 s): within its budget of at most 2.00 s." */
export function budgetSentence(budget: Omit<BudgetResult, 'sentence'>): string {
  const { title, metric, unit, bound, limit, value, low, high, basis, measured, state } = budget;
  if (state === 'unknown') {
    const why = metric.startsWith('lighthouse:')
      ? 'Lighthouse gave no such figure (is --lighthouse on?)'
      : 'no run measured it';
    return `${title} is not known: ${why}.`;
  }
  // A score is written as its limit was typed: 0.9, not 0.900.
  const figure = (of: number | undefined): string =>
    of === undefined ? '' : unit === 'score' ? String(Math.round(of * 1000) / 1000) : formatValue(of, unit);
  const range = low === high ? '' : ` (${figure(low)} to ${figure(high)})`;
  // What the machine took is no fault of the page.
  const corrected =
    basis === undefined
      ? ''
      : `, corrected for CPU time lost to other programs (${figure(measured?.value)} as measured)`;
  const at = `${title} ${figure(value)}${range}${corrected}`;
  const allowed = `${bound === 'max' ? 'at most' : 'at least'} ${figure(limit)}`;
  switch (state) {
    case 'pass':
      return `${at}: within its budget of ${allowed}.`;
    case 'fail':
      return `${at}: over its budget of ${allowed}.`;
    case 'undecided':
      return `${at}: too close to its budget of ${allowed} to tell; more runs narrow the interval.`;
  }
}
