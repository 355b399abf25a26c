import type { Unit } from './units.ts';

/** A metric over the timed runs. */
export interface MetricSummary {
  readonly unit: Unit;
  readonly n: number;
  readonly median: number;
  /** Interval of the median by order statistics; absent with a single run. */
  readonly low?: number;
  readonly high?: number;
  /** The coverage that the interval really has with `n` runs. */
  readonly level?: number;
  /** Half the interval's width against the median: stable ≤ 5 %, varies ≤ 10 %, else disagrees. */
  readonly agreement?: 'stable' | 'varies' | 'disagrees';
}
