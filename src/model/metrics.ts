import type { Ms } from './units.ts';

/** A metric by its key in result.json. The list in `core/metrics/index.ts` holds one metric for each. */
export type MetricName =
  | 'pageComplete'
  | 'networkComplete'
  | 'timeToFirstByte'
  | 'firstContentfulPaint'
  | 'largestContentfulPaint'
  | 'domContentLoaded'
  | 'load'
  | 'totalBlockingTime'
  | 'cumulativeLayoutShift'
  | 'mainThreadTime'
  | 'waitTime'
  | 'transferSize'
  | 'requestCount';

/** A task of 50 ms or more on the main thread. Source: Long Tasks API. */
export interface LongTask {
  readonly at: Ms;
  readonly duration: number;
}

/** A layout shift without recent input. Source: Layout Instability API. */
export interface LayoutShift {
  readonly at: Ms;
  readonly score: number;
}

/** Entries of the page's performance timeline; absent where they were not collected. How each is: core/page-timings.ts. */
export interface TimingEntries {
  readonly longTasks?: readonly LongTask[];
  readonly layoutShifts?: readonly LayoutShift[];
}
