import type { Metric } from '../../model/network/visit.ts';

/** When the first byte of the final document came. */
export const timeToFirstByte: Metric = {
  name: 'timeToFirstByte',
  title: 'Time to first byte',
  abbreviation: 'TTFB',
  unit: 'ms',
  better: 'lower',
  description: 'First byte of the document’s response (Navigation Timing responseStart), redirects included.',
  headline: true,
  read: (visit) => visit.recording.page?.responseStart,
};
