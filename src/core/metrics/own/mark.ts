import { firstOfEach, type MetricSource } from './source.ts';

/** When the page called `performance.mark()`. */
export const mark: MetricSource = {
  kind: 'mark',
  noun: 'mark',
  unit: 'ms',
  isMoment: true,
  figures: ({ recording }) => firstOfEach(recording.page?.userMarks, ({ at }) => at),
};
