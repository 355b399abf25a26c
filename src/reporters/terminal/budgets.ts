import type { BudgetState } from '../../model/budget.ts';
import type { TargetResult } from '../../model/result.ts';
import { plain } from '../../wording/text.ts';
import { marginInWords } from '../budgets.ts';
import type { Ansi } from './ansi.ts';
import { wrap } from './columns.ts';

/** Nothing is told by colour alone. */
const SIGNS: Readonly<Record<BudgetState, string>> = { pass: '✓', fail: '✗', undecided: '?', unknown: '–' };

/** A line for each budget: a sign and its sentence, with a word where a failure is only a warning. */
export function budgetLines(target: TargetResult, style: Ansi, width: number): readonly string[] {
  const { budgets = [] } = target;
  const lines = budgets.flatMap(({ state, severity, sentence }) => {
    const isWarning = severity === 'warn' && state !== 'pass';
    const paint = state === 'pass' ? style.green : state === 'fail' && !isWarning ? style.red : style.yellow;
    const [first = '', ...rest] = wrap(`${plain(sentence)}${isWarning ? ' (warning)' : ''}`, width - 2);
    return [`${paint(SIGNS[state])} ${first}`, ...rest.map((line) => `  ${line}`)];
  });
  const margin = marginInWords(target);
  return [...lines, ...(margin === undefined ? [] : wrap(margin, width - 2).map((line) => `  ${style.dim(line)}`))];
}
