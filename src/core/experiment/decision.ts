import type { Decision } from '../../model/compare/comparison.ts';
import { PAIRS_PER_BLOCK } from './blocks.ts';
import type { EffectBounds } from './effect.ts';
import type { Interval, Shift } from './hodges-lehmann.ts';
import { noisePerPair, pairsFor } from './resolution.ts';

/**
 * What an interval says, in this order: all above 0 is slower, all below is faster, all within the smallest effect of
 * interest is the same, anything else is unsure. `limit` is on the interval's scale; an unbounded interval is unsure.
 */
export function decide({ low, high }: Interval, { limit }: Pick<EffectBounds, 'limit'>): Decision {
  if (low !== undefined && low > 0) return 'slower';
  if (high !== undefined && high < 0) return 'faster';
  if (low !== undefined && high !== undefined && low >= -limit && high <= limit) return 'same';
  return 'unsure';
}

/** Does a gate fail? On a regression that is large enough to matter; with `strict` only when all of the interval is. */
export function gateFails(
  decision: Decision,
  { estimate, low }: { readonly estimate: number; readonly low?: number },
  { limit }: Pick<EffectBounds, 'limit'>,
  strict: boolean,
): boolean {
  if (decision !== 'slower') return false;
  return strict ? low !== undefined && low > limit : estimate >= limit;
}

/** One answer for all gate metrics: slower when any is; else unsure when any is, or there is none; else faster when any is; else same. */
export function overallDecision(gates: readonly Decision[]): Decision {
  const first = (['slower', 'unsure', 'faster'] as const).find((decision) => gates.includes(decision));
  return first ?? (gates.length === 0 ? 'unsure' : 'same');
}

/**
 * About how many pairs would settle a metric that is unsure, in four of five comparisons, if the estimate is the truth:
 * until it is told from none, or until it is within the smallest effect of interest, whatever comes first. `drift` as
 * `detectableDrift` has it. Undefined while the interval is unbounded.
 */
export function pairsToSettle(
  shift: Pick<Shift, 'estimate' | 'interval'>,
  { limit }: Pick<EffectBounds, 'limit'>,
  { pairs, criticalValue, drift }: { readonly pairs: number; readonly criticalValue: number; readonly drift: number },
): number | undefined {
  const noise = noisePerPair(shift.interval(criticalValue), criticalValue, pairs);
  if (noise === undefined) return undefined;
  const size = Math.abs(shift.estimate);
  const needed = pairsFor(Math.max(size, limit - size), noise, drift);
  return Number.isSafeInteger(needed) ? Math.max(pairs + PAIRS_PER_BLOCK, needed) : undefined;
}
