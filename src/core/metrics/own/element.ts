import { firstOfEach, type MetricSource } from './source.ts';

/** When an element with the attribute `elementtiming` was painted. */
export const element: MetricSource = {
  kind: 'element',
  noun: 'element timing',
  unit: 'ms',
  isMoment: true,
  isPaint: true,
  figures: ({ recording }) => firstOfEach(recording.page?.elementPaints, ({ at }) => at),
};
