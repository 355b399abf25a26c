import type { ComparedFigures, ExperimentPlan } from '../../model/compare/comparison.ts';
import { boundaries, crossingProbabilities } from './alpha-spending.ts';
import { PAIRS_PER_BLOCK } from './blocks.ts';
import type { Interval } from './hodges-lehmann.ts';
import { defaultLooks } from './plan.ts';

/** How often a change of the size in question shall be found. The convention of the field since Cohen (1988). */
const POWER = 0.8;
/** Secant steps; the power is so smooth in the drift that five are exact to 1e-9. */
const STEPS = 6;
/** Looks beyond this many pairs are left out of account: they change the detectable drift by less than 1 %. */
const MOST_LOOKED_AT = 100;

/**
 * What loads of a page vary by: standard error of the shift with one pair, on the scale on which builds are compared.
 * Each pair counts alike whatever its stratum, so that over several machines it holds for more pairs on the same ones.
 */
export function noisePerPair({ low, high }: Interval, criticalValue: number, pairs: number): number | undefined {
  if (low === undefined || high === undefined || !(criticalValue > 0) || !Number.isFinite(criticalValue)) return;
  return ((high - low) / (2 * criticalValue)) * Math.sqrt(pairs);
}

/**
 * How many standard errors a change must measure at the last look to be found with probability `POWER` at any of them.
 * `alpha` is the gate metric's: all of α, divided by the number of gate metrics.
 */
export function detectableDrift(looks: readonly number[], alpha: number): number {
  const last = looks.at(-1) ?? 1;
  const fractions = looks.map((look) => look / last);
  const limits = boundaries(fractions, alpha);
  const missing = (drift: number): number =>
    POWER - crossingProbabilities(fractions, limits, drift).reduce((sum, probability) => sum + probability, 0);
  let [before, drift] = [limits.at(-1) ?? 2, (limits.at(-1) ?? 2) + 0.84];
  let missingBefore = missing(before);
  for (let i = 0; i < STEPS; i += 1) {
    const now = missing(drift);
    if (now === missingBefore) break;
    const next = drift - (now * (drift - before)) / (now - missingBefore);
    [before, missingBefore, drift] = [drift, now, next];
  }
  return drift;
}

/** Pairs that it takes to find `change` (same scale as `noise`) where `drift` standard errors can be found; even, at least 2. */
export function pairsFor(change: number, noise: number, drift: number): number {
  const pairs = ((drift * noise) / change) ** 2;
  return Math.max(PAIRS_PER_BLOCK, Math.ceil(pairs / PAIRS_PER_BLOCK - 1e-9) * PAIRS_PER_BLOCK);
}

/** What a machine, a page and a number of pairs can tell. */
export interface Resolution {
  readonly pairs: number;
  /** Smallest change that is found four times out of five: a share of the base's median; absent on the shift scale. */
  readonly relative?: number;
  /** The same in the metric's unit. */
  readonly absolute: number;
}

/** What a comparison showed of the noise: a gate metric, and the look at which it ended. */
export interface Observed {
  readonly comparison: ComparedFigures;
  readonly criticalValue: number;
  readonly plan: Pick<ExperimentPlan, 'alpha' | 'gates'>;
}

/** The smallest slowdown that `pairs` pairs resolve, with the default looks, 80 % of the time. Undefined without an interval. */
export function resolutionOf(observed: Observed, pairs: number): Resolution | undefined {
  const noise = noiseOf(observed);
  if (noise === undefined) return undefined;
  const change = (driftOf(observed, pairs) * noise) / Math.sqrt(pairs);
  if (observed.comparison.scale === 'shift') return { pairs, absolute: change };
  const relative = Math.expm1(change);
  return { pairs, relative, absolute: relative * (observed.comparison.base.median ?? 0) };
}

/**
 * How many pairs a slowdown needs to be found 80 % of the time: `change` is a share for ratios (0.05), in the unit for
 * shifts. Undefined without an interval.
 */
export function pairsNeeded(observed: Observed, change: number): number | undefined {
  const noise = noiseOf(observed);
  if (noise === undefined || !(change > 0)) return undefined;
  const scaled = observed.comparison.scale === 'ratio' ? Math.log1p(change) : change;
  // Fewer pairs have fewer looks to pay for: begin with too many.
  let pairs = pairsFor(scaled, noise, driftOf(observed, MOST_LOOKED_AT));
  while (pairs > PAIRS_PER_BLOCK) {
    const fewer = Math.min(
      pairs - PAIRS_PER_BLOCK,
      pairsFor(scaled, noise, driftOf(observed, pairs - PAIRS_PER_BLOCK)),
    );
    if (pairsFor(scaled, noise, driftOf(observed, fewer)) > fewer) break;
    pairs = fewer;
  }
  return pairs;
}

function driftOf({ plan }: Observed, pairs: number): number {
  return detectableDrift(defaultLooks(Math.min(pairs, MOST_LOOKED_AT)), plan.alpha / plan.gates.length);
}

function noiseOf({ comparison, criticalValue }: Observed): number | undefined {
  const { difference, scale, base } = comparison;
  if (difference?.low === undefined || difference.high === undefined) return undefined;
  const onScale = (end: number): number => (scale === 'ratio' ? Math.log1p(end) : end);
  const interval = { low: onScale(difference.low), high: onScale(difference.high) };
  return noisePerPair(interval, criticalValue, base.n);
}
