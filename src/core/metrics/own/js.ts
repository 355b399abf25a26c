import { firstOfEach, type MetricSource } from './source.ts';

/** The number that an expression gives in the page when watching is over. */
export const js: MetricSource = {
  kind: 'js',
  noun: 'expression',
  unit: 'count',
  figures: ({ recording }) =>
    firstOfEach(
      recording.page?.evaluated?.map(({ expression, value }) => ({ name: expression, value })),
      ({ value }) => value,
    ),
};
