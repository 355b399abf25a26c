import type { ComparedPage, CompareResult } from '../model/compare/comparison.ts';

/** Is any of its metrics a gate? */
export function hasGate({ comparisons }: Pick<CompareResult, 'comparisons'>): boolean {
  return comparisons.some(({ gate }) => gate);
}

/** Does a page, or a step, take part in the decision of the whole? What was not loaded has no figures, and is undecided. */
export function decides({ leftOut, comparisons }: Pick<ComparedPage, 'leftOut' | 'comparisons'>): boolean {
  return leftOut === undefined && (comparisons.length === 0 || hasGate({ comparisons }));
}
