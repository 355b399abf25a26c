import type { BudgetResult, BudgetState } from '../../model/budget.ts';
import { plain } from '../text.ts';
import type { Ansi } from './ansi.ts';
import { wrap } from './columns.ts';

/** Nothing is told by colour alone. */
const SIGNS: Readonly<Record<BudgetState, string>> = { pass: '✓', fail: '✗', undecided: '?', unknown: '–' };

/** A line for each budget: a sign and its sentence, with a word where a failure is only a warning. */
export function budgetLines(budgets: readonly BudgetResult[] = [], style: Ansi, width: number): readonly string[] {
  return budgets.flatMap(({ state, severity, sentence }) => {
    const isWarning = severity === 'warn' && state !== 'pass';
    const paint = state === 'pass' ? style.green : state === 'fail' && !isWarning ? style.red : style.yellow;
    const [first = '', ...rest] = wrap(`${plain(sentence)}${isWarning ? ' (warning)' : ''}`, width - 2);
    return [`${paint(SIGNS[state])} ${first}`, ...rest.map((line) => `  ${line}`)];
  });
}
