import type { Metric } from '../../model/visit.ts';

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

/** When the document was parsed and deferred scripts had run. */
export const domContentLoaded: Metric = {
  name: 'domContentLoaded',
  title: 'DOMContentLoaded',
  abbreviation: 'DCL',
  unit: 'ms',
  better: 'lower',
  description: 'End of the DOMContentLoaded event (Navigation Timing domContentLoadedEventEnd).',
  headline: false,
  read: (visit) => visit.recording.page?.domContentLoadedEnd,
};

/** When the load event was over. */
export const load: Metric = {
  name: 'load',
  title: 'Load event',
  unit: 'ms',
  better: 'lower',
  description: 'End of the load event (Navigation Timing loadEventEnd); absent when it never fired.',
  headline: true,
  read: (visit) => visit.recording.page?.loadEnd,
};
