import { firstOfEach, type MetricSource } from './source.ts';

/** How long what the page measured with `performance.measure()` took. */
export const measure: MetricSource = {
  kind: 'measure',
  noun: 'measure',
  unit: 'ms',
  figures: ({ recording }) => firstOfEach(recording.page?.userMeasures, ({ duration }) => duration),
};
