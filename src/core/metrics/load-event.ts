import type { Metric } from '../../model/network/visit.ts';

/** When the load event was over. */
export const load: Metric = {
  name: 'load',
  title: 'Load event',
  unit: 'ms',
  better: 'lower',
  description: 'End of the load event (Navigation Timing loadEventEnd); absent when it never fired.',
  headline: true,
  isMoment: true,
  read: (visit) => visit.recording.page?.loadEnd,
};
