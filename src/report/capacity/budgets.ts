import type { BudgetState } from '../../model/budgets.ts';
import { list, type Mark } from '../parts.ts';
import type { CapacityChapter } from './chapter.ts';

const MARKS: Readonly<Record<BudgetState, Mark>> = {
  pass: 'good',
  fail: 'bad',
  undecided: 'unknown',
  unknown: 'unknown',
};

/** Every budget with how it came out. */
export const budgets: CapacityChapter = ({ budgets: all = [] }) =>
  list(
    all.map(({ state, sentence }) => ({ mark: MARKS[state], text: sentence })),
    'all',
  );
