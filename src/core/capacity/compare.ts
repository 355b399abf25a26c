import type { CapacityComparison, CapacityFigures, Ratio } from '../../model/capacity.ts';
import { BUILDS, type Build } from '../../model/compare/build.ts';
import { timeAtRate } from './at-rate.ts';
import { usableLevels } from './knee.ts';

/** Share of the smaller maximum at which response times are compared: both servers are loaded, and neither is full. */
const EQUAL_RATE = 0.8;
/** Ratios that differ by less are the same. */
const SAME = 0.05;
/** Of a figure without an interval, as a share: what two passes may differ by. */
const UNKNOWN_SPREAD = 0.1;

/** The candidate against the base; undefined unless both were measured. */
export function compareCapacities(
  base: Pick<CapacityFigures, 'levels' | 'max' | 'limit' | 'limitFacts'>,
  candidate: Pick<CapacityFigures, 'levels' | 'max' | 'limit' | 'limitFacts'>,
): Omit<CapacityComparison, 'sentence'> | undefined {
  if (base.max === undefined || candidate.max === undefined) return undefined;
  const maxRatio = ratioOf(
    { value: candidate.max.throughput, low: candidate.max.low, high: candidate.max.high },
    { value: base.max.throughput, low: base.max.low, high: base.max.high },
  );
  const rate = EQUAL_RATE * Math.min(base.max.throughput, candidate.max.throughput);
  const times = [candidate, base].map(({ levels }) => timeAtRate(usableLevels(levels), rate, 'p90'));
  const [slower, faster] = times;
  const p90Ratio = slower && faster ? { ...ratioOf(slower, faster), rate } : undefined;
  const notReached = BUILDS.filter((build) => isLowerBound({ base, candidate }[build]));
  return {
    maxRatio,
    ...(notReached.length > 0 && { notReached }),
    ...(p90Ratio && { p90Ratio }),
    decision: decide(maxRatio, p90Ratio, notReached),
  };
}

/**
 * Could the server take more than was seen, because more was not tried, or what makes the load could not? One that fails with
 * more has reached its limit.
 */
export function isLowerBound({ limit, limitFacts }: Pick<CapacityFigures, 'limit' | 'limitFacts'>): boolean {
  return limit === 'driver' || (limit === 'not-reached' && limitFacts.failingFrom === undefined);
}

interface Figure {
  readonly value: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** Of two figures that are independent: their relative errors add up as squares do. */
function ratioOf(above: Figure, below: Figure): Ratio {
  const spread = ({ value, low, high }: Figure) =>
    low === undefined || high === undefined || value === 0 ? UNKNOWN_SPREAD : (high - low) / 2 / value;
  const value = above.value / below.value;
  const error = Math.hypot(spread(above), spread(below));
  return { value, low: value * Math.exp(-error), high: value * Math.exp(error) };
}

function decide(max: Ratio, p90: Ratio | undefined, notReached: readonly Build[]): CapacityComparison['decision'] {
  if (max.high < 1 - SAME && !notReached.includes('candidate')) return 'worse';
  if (max.low > 1 + SAME && !notReached.includes('base')) return 'better';
  if (p90 && p90.low > 1 + SAME) return 'worse';
  if (p90 && p90.high < 1 - SAME) return 'better';
  const isSame = (ratio: Ratio) => ratio.low > 1 - 2 * SAME && ratio.high < 1 + 2 * SAME;
  return isSame(max) && (p90 === undefined || isSame(p90)) ? 'same' : 'unsure';
}
