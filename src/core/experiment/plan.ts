import type { ExperimentPlan, MinEffect } from '../../model/compare/comparison.ts';
import { PAIRS_PER_BLOCK } from './blocks.ts';

/** After how many pairs the intervals are looked at. Source: docs/internals/statistics.md, by simulation. */
const DEFAULT_LOOKS: readonly number[] = [10, 16, 22, 28, 34, 40];
/** Distance of the default looks; beyond the last of them they go on like that. */
export const LOOK_STEP = 6;
export const DEFAULT_MAX_PAIRS = 40;
/** The estimator compares every load with every other: beyond this it takes longer than the loads are worth. */
const MOST_PAIRS = 1000;

/** What a plan is made of: options as typed, gates by metric name. */
export interface PlanOptions {
  readonly maxPairs?: number;
  readonly looks?: readonly number[];
  readonly alpha: number;
  readonly minEffect: MinEffect;
  readonly gates: readonly string[];
  readonly strict: boolean;
  readonly seed: number;
}

/** What is wrong with a number of pairs. */
type PairsProblem =
  | { readonly code: 'not-whole' | 'odd'; readonly pairs: number }
  | { readonly code: 'too-few-pairs'; readonly pairs: number; readonly least: number }
  | { readonly code: 'too-many-pairs'; readonly pairs: number; readonly most: number };

/** What is wrong with the options of a plan, and which of them it is. */
export type PlanProblem =
  | ({ readonly option: 'maxPairs' | 'looks' } & PairsProblem)
  | { readonly option: 'looks'; readonly code: 'no-looks' }
  | { readonly option: 'looks'; readonly code: 'not-rising'; readonly look: number; readonly before: number }
  | { readonly option: 'looks'; readonly code: 'beyond-max-pairs'; readonly look: number; readonly maxPairs: number }
  | { readonly option: 'alpha' | 'seed'; readonly code: 'out-of-range' }
  | { readonly option: 'gate'; readonly code: 'no-gate' };

/** The plan that the options ask for, or the first thing that is wrong with them. */
export function planExperiment(options: PlanOptions): ExperimentPlan | { readonly problem: PlanProblem } {
  const { maxPairs, alpha, minEffect, strict, seed } = options;
  const gates = [...new Set(options.gates)];
  const problem = problemWith(options);
  if (problem) return { problem };
  return { seed, looks: looksOf(options.looks, maxPairs), alpha, minEffect, gates, strict };
}

function problemWith({ maxPairs, looks, alpha, gates, seed }: PlanOptions): PlanProblem | undefined {
  const wrongPairs = maxPairs === undefined ? undefined : pairsProblem(maxPairs);
  if (wrongPairs) return { option: 'maxPairs', ...wrongPairs };
  const wrongLooks = looks === undefined ? undefined : looksProblem(looks, maxPairs);
  if (wrongLooks) return wrongLooks;
  if (!(alpha > 0 && alpha <= 0.5)) return { option: 'alpha', code: 'out-of-range' };
  if (gates.length === 0) return { option: 'gate', code: 'no-gate' };
  return Number.isSafeInteger(seed) && seed >= 0 ? undefined : { option: 'seed', code: 'out-of-range' };
}

function pairsProblem(pairs: number): PairsProblem | undefined {
  if (!Number.isInteger(pairs)) return { code: 'not-whole', pairs };
  if (pairs < PAIRS_PER_BLOCK) return { code: 'too-few-pairs', pairs, least: PAIRS_PER_BLOCK };
  if (pairs % PAIRS_PER_BLOCK !== 0) return { code: 'odd', pairs };
  return pairs > MOST_PAIRS ? { code: 'too-many-pairs', pairs, most: MOST_PAIRS } : undefined;
}

function looksProblem(looks: readonly number[], maxPairs: number | undefined): PlanProblem | undefined {
  if (looks.length === 0) return { option: 'looks', code: 'no-looks' };
  for (const [i, look] of looks.entries()) {
    const wrong = pairsProblem(look);
    if (wrong) return { option: 'looks', ...wrong };
    const before = looks[i - 1];
    if (before !== undefined && look <= before) return { option: 'looks', code: 'not-rising', look, before };
    if (maxPairs !== undefined && look > maxPairs) return { option: 'looks', code: 'beyond-max-pairs', look, maxPairs };
  }
  return undefined;
}

/** The last look is always at the largest number of pairs. */
function looksOf(looks: readonly number[] | undefined, maxPairs: number | undefined): readonly number[] {
  const last = maxPairs ?? looks?.at(-1) ?? DEFAULT_MAX_PAIRS;
  return [...(looks ?? defaultLooks(last)).filter((look) => look < last), last];
}

/** The default looks, going on at their distance up to `maxPairs`, which is the last of them. */
export function defaultLooks(maxPairs: number): readonly number[] {
  const looks = [...DEFAULT_LOOKS];
  for (let next = DEFAULT_MAX_PAIRS + LOOK_STEP; next < maxPairs; next += LOOK_STEP) looks.push(next);
  return [...looks.filter((look) => look < maxPairs), maxPairs];
}
