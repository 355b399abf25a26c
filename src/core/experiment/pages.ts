/** Several pages in one comparison: how they share α, the loads and the time. All of it follows from the plan and from looks. */

import type { Decision, ExperimentPlan } from '../../model/compare/comparison.ts';
import type { Ms } from '../../model/units.ts';
import { boundaries } from './alpha-spending.ts';
import { PAIRS_PER_BLOCK } from './blocks.ts';
import { overallDecision } from './decision.ts';
import { fmix32, GOLDEN } from './hash32.ts';
import { DEFAULT_MAX_PAIRS, defaultLooks, LOOK_STEP } from './plan.ts';
import { roundOrder } from './round-order.ts';

/**
 * The plan of one of several pages. Each gets an equal part of α (Bonferroni): that holds however much the pages have in
 * common, and each has one interval that says what its decision says.
 */
export function planOfPage(plan: ExperimentPlan, page: number, pages: number): ExperimentPlan {
  return { ...plan, alpha: plan.alpha / pages, seed: fmix32((plan.seed + Math.imul(page, GOLDEN)) >>> 0) };
}

/** So many pairs make the interval of one of several pages as narrow as that of a page alone. `alpha`: of one gate. */
export function mostPairsOfPage(alpha: number, pages: number): number {
  const fractions = defaultLooks(DEFAULT_MAX_PAIRS).map((pairs) => pairs / DEFAULT_MAX_PAIRS);
  const last = (level: number): number => boundaries(fractions, level).at(-1) ?? 1;
  const wider = (last(alpha / pages) / last(alpha)) ** 2;
  const steps = Math.ceil((DEFAULT_MAX_PAIRS * (wider - 1)) / LOOK_STEP - 1e-9);
  return DEFAULT_MAX_PAIRS + steps * LOOK_STEP;
}

/** One answer for all pages: slower when any is; else invalid, unsure or faster when any is, in this order; else same. */
export function decisionOfPages(pages: readonly (Decision | 'invalid')[]): Decision | 'invalid' {
  const decided = overallDecision(pages.filter((decision) => decision !== 'invalid'));
  return decided !== 'slower' && pages.includes('invalid') ? 'invalid' : decided;
}

/** A page as far as it has come. */
export interface PageProgress {
  /** False once it has its answer, or will have none. */
  readonly open: boolean;
  /** Pairs that count. */
  readonly pairs: number;
  /** With how many it will probably have its answer, by the last look; before that, those of the first look. */
  readonly expectedPairs: number;
  /** How long a pair of it takes. */
  readonly pairTime: Ms;
}

/**
 * The pages, by their place in the list, that the next round loads a block of, in its order. All that are open, or, where
 * the time that is left is too short for all, those that it will decide most of.
 *
 * @param round from 1
 */
export function pagesOfRound(
  pages: readonly PageProgress[],
  {
    seed,
    round,
    left = Number.POSITIVE_INFINITY,
  }: { readonly seed: number; readonly round: number; readonly left?: Ms },
): readonly number[] {
  const needed = pages.map(
    ({ pairs, expectedPairs, pairTime }) => Math.max(PAIRS_PER_BLOCK, expectedPairs - pairs) * pairTime,
  );
  const open = [...pages.keys()].filter((page) => pages[page]?.open);
  const cheapest = open.toSorted((a, b) => (needed[a] ?? 0) - (needed[b] ?? 0) || a - b);
  const chosen = new Set<number>();
  let spent = 0;
  for (const page of cheapest) {
    spent += needed[page] ?? 0;
    if (spent <= left || chosen.size === 0) chosen.add(page);
  }
  return roundOrder(pages.length, round, seed).filter((page) => chosen.has(page));
}
