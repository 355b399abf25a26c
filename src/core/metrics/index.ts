import type { Metric } from '../../model/network/visit.ts';
import { cpuTime } from './cpu-time.ts';
import { cumulativeLayoutShift } from './cumulative-layout-shift.ts';
import { domContentLoaded } from './dom-content-loaded.ts';
import { firstContentfulPaint } from './first-contentful-paint.ts';
import { interactionToNextPaint } from './interaction-to-next-paint.ts';
import { largestContentfulPaint } from './largest-contentful-paint.ts';
import { load } from './load-event.ts';
import { mainThreadTime, waitTime } from './main-thread-time.ts';
import { mostlyComplete } from './mostly-complete.ts';
import { networkComplete } from './network-complete.ts';
import { pageComplete } from './page-complete.ts';
import { serverCpuTime } from './server-cpu-time.ts';
import { stolenTime } from './stolen-time.ts';
import { timeToFirstByte } from './time-to-first-byte.ts';
import { totalBlockingTime } from './total-blocking-time.ts';
import { requestCount, transferSize } from './transfer-size.ts';

/** All metrics, in the order in which they are shown. */
export const metrics: readonly Metric[] = [
  pageComplete,
  mostlyComplete,
  networkComplete,
  timeToFirstByte,
  firstContentfulPaint,
  largestContentfulPaint,
  domContentLoaded,
  load,
  totalBlockingTime,
  interactionToNextPaint,
  cumulativeLayoutShift,
  mainThreadTime,
  cpuTime,
  stolenTime,
  waitTime,
  serverCpuTime,
  transferSize,
  requestCount,
];

/** Names of the metrics that are computed from entries of the page's own timeline: a HAR is not measured by them. */
export const NOT_IN_A_HAR: ReadonlySet<string> = new Set(
  metrics.filter(({ timing }) => timing !== undefined).map(({ name }) => name),
);

/** The metric that a person means: by its name in any spelling (page-complete, pageComplete), its title, or its abbreviation. */
export function metricNamed(text: string): Metric | undefined {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
  const wanted = plain(text);
  return metrics.find((metric) =>
    [metric.name, metric.title, metric.abbreviation ?? metric.name].some((name) => plain(name) === wanted),
  );
}

/** What a metric is called, by its name: "Page complete"; of the user's own, "Checkout ready" for checkoutReady. */
export function metricTitle(name: string): string {
  return metrics.find((each) => each.name === name)?.title ?? inWords(name);
}

/** Names of other tools' metrics, such as lighthouse:performance, stay as they are. */
function inWords(name: string): string {
  if (!OWN_NAME.test(name)) return name;
  const words = name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** What the user's own metrics can be called, in result.json. */
export const OWN_NAME = /^[a-z][a-zA-Z0-9]*$/;
