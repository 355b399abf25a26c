import type { BudgetState } from '../../model/budget.ts';
import type { TargetResult } from '../../model/result.ts';
import { marginInWords } from '../../report/budgets.ts';
import { bullet, indented, type Screen } from './screen.ts';

/** They stand beside the colour. */
const SIGNS: Readonly<Record<BudgetState, string>> = { pass: '✓', fail: '✗', undecided: '?', unknown: '–' };

/** A line for each budget: a sign and its sentence, with a word where a failure is only a warning. */
export function budgetLines(target: TargetResult, screen: Screen): readonly string[] {
  const { style } = screen;
  const { budgets = [] } = target;
  const lines = budgets.flatMap(({ state, severity, sentence }) => {
    const isWarning = severity === 'warn' && state !== 'pass';
    const paint = state === 'pass' ? style.green : state === 'fail' && !isWarning ? style.red : style.yellow;
    return bullet(`${sentence}${isWarning ? ' (warning)' : ''}`, screen, `${SIGNS[state]} `, paint);
  });
  const margin = marginInWords(target);
  return [...lines, ...indented(margin ?? '', screen, style.dim)];
}
