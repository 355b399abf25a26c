import type { Difference, Scale } from '../../model/compare/comparison.ts';
import type { EffectBounds } from './effect.ts';
import type { Interval } from './hodges-lehmann.ts';

/** What an estimate and its interval, both on the scale on which builds are compared, say about a metric. */
export interface OnScale {
  readonly scale: Scale;
  readonly estimate: number;
  readonly interval: Interval;
  /** Coverage of the interval, 0 to 1. */
  readonly level: number;
  readonly bounds: EffectBounds;
  /** In the metric's unit. */
  readonly baseMedian: number;
}

/** The same as it is reported: ratios as shares of the base, shifts in the unit. */
export function differenceOf({ scale, estimate, interval, level, bounds, baseMedian }: OnScale): Difference {
  const toReported = scale === 'ratio' ? Math.expm1 : (value: number): number => value;
  const { low, high } = interval;
  const reported = toReported(estimate);
  return {
    ...(scale === 'ratio' && { relative: reported }),
    absolute: scale === 'ratio' ? reported * baseMedian : reported,
    ...(low !== undefined && { low: toReported(low) }),
    ...(high !== undefined && { high: toReported(high) }),
    level,
    minEffect: { up: bounds.up, down: bounds.down },
  };
}
