import type { ExperimentPlan, MinEffect } from '../../model/comparison.ts';
import { PAIRS_PER_BLOCK } from './blocks.ts';
import type { OptionProblem } from './effect.ts';

/** After how many pairs the intervals are looked at. Source: docs/statistics.md, by simulation. */
const DEFAULT_LOOKS: readonly number[] = [10, 16, 22, 28, 34, 40];
/** Distance of the default looks; beyond the last of them they go on like that. */
const LOOK_STEP = 6;
const DEFAULT_MAX_PAIRS = 40;
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

/** The plan that the options ask for, or the first thing that is wrong with them. */
export function planExperiment(options: PlanOptions): ExperimentPlan | { readonly problem: OptionProblem } {
  const { maxPairs, alpha, minEffect, strict, seed } = options;
  const gates = [...new Set(options.gates)];
  const detail = (option: string, text: string) => ({ problem: { option, detail: text } });
  const wrongPairs = maxPairs === undefined ? undefined : wrongWith(maxPairs);
  if (wrongPairs !== undefined) return detail('--max-pairs', wrongPairs);
  const wrongLooks = options.looks === undefined ? undefined : wrongWithLooks(options.looks, maxPairs);
  if (wrongLooks !== undefined) return detail('--looks', wrongLooks);
  if (!(alpha > 0 && alpha <= 0.5)) return detail('--alpha', 'must be above 0 and at most 0.5');
  if (gates.length === 0) return detail('--gate', 'at least one metric has to decide');
  if (!Number.isSafeInteger(seed) || seed < 0) return detail('--seed', 'must be a whole number from 0 on');
  return { seed, looks: looksOf(options.looks, maxPairs), alpha, minEffect, gates, strict };
}

function wrongWith(pairs: number): string | undefined {
  if (!Number.isInteger(pairs)) return `${pairs} is not a whole number`;
  if (pairs < PAIRS_PER_BLOCK) {
    return `${pairs} ${pairs === 1 ? 'pair says' : 'pairs say'} nothing about chance: at least ${PAIRS_PER_BLOCK} are needed, and from 10 on an answer can be expected`;
  }
  if (pairs % PAIRS_PER_BLOCK !== 0) {
    return `${pairs} is odd: loads come in blocks of two pairs, so use ${pairs - 1} or ${pairs + 1}`;
  }
  return pairs > MOST_PAIRS ? `${pairs} is more than ${MOST_PAIRS}` : undefined;
}

function wrongWithLooks(looks: readonly number[], maxPairs: number | undefined): string | undefined {
  if (looks.length === 0) return 'at least one look is needed';
  for (const [i, look] of looks.entries()) {
    const wrong = wrongWith(look);
    if (wrong !== undefined) return wrong;
    const before = looks[i - 1];
    if (before !== undefined && look <= before) return `they must rise, and ${look} follows ${before}`;
    if (maxPairs !== undefined && look > maxPairs) return `${look} is beyond --max-pairs ${maxPairs}`;
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
