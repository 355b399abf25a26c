import type { Unit } from '../units.ts';

/** The middle of a metric over the timed runs. */
export interface MetricMedian {
  readonly median: number;
  /** Interval of the median by order statistics; absent with a single run. */
  readonly low?: number;
  readonly high?: number;
  /** The coverage that the interval really has with so many runs. */
  readonly level?: number;
  /** Half the interval's width against the median: stable ≤ 5 %, varies ≤ 10 %, else disagrees. */
  readonly agreement?: 'stable' | 'varies' | 'disagrees';
}

/** A metric over the timed runs. */
export interface MetricSummary extends MetricMedian {
  readonly unit: Unit;
  readonly n: number;
  /** The same of a moment without what the machine took from the page; absent where that is not known of each run. */
  readonly undisturbed?: MetricMedian;
}
