import type { Metric } from '../../model/visit.ts';
import { networkComplete, pageComplete } from './completion.ts';
import { cumulativeLayoutShift } from './layout.ts';
import { domContentLoaded, load, timeToFirstByte } from './loading.ts';
import { mainThreadTime, totalBlockingTime, waitTime } from './main-thread.ts';
import { firstContentfulPaint, largestContentfulPaint } from './paint.ts';
import { requestCount, transferSize } from './transfer.ts';

/** All metrics, in the order in which they are shown. */
export const metrics: readonly Metric[] = [
  pageComplete,
  networkComplete,
  timeToFirstByte,
  firstContentfulPaint,
  largestContentfulPaint,
  domContentLoaded,
  load,
  totalBlockingTime,
  cumulativeLayoutShift,
  mainThreadTime,
  waitTime,
  transferSize,
  requestCount,
];

/** The metric that a person means: by its name in any spelling (page-complete, pageComplete), its title, or its abbreviation. */
export function metricNamed(text: string): Metric | undefined {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
  const wanted = plain(text);
  return metrics.find((metric) =>
    [metric.name, metric.title, metric.abbreviation ?? metric.name].some((name) => plain(name) === wanted),
  );
}
