import type { Metric } from '../../model/network/visit.ts';

/** When DOMContentLoaded was the last event and deferred scripts had run. */
export const domContentLoaded: Metric = {
  name: 'domContentLoaded',
  title: 'DOMContentLoaded',
  abbreviation: 'DCL',
  unit: 'ms',
  better: 'lower',
  description: 'End of the DOMContentLoaded event (Navigation Timing domContentLoadedEventEnd).',
  headline: false,
  isMoment: true,
  read: (visit) => visit.recording.page?.domContentLoadedEnd,
};
