import type { Metric } from '../../model/network/visit.ts';

/** When the first text or picture was painted. */
export const firstContentfulPaint: Metric = {
  name: 'firstContentfulPaint',
  title: 'First contentful paint',
  abbreviation: 'FCP',
  unit: 'ms',
  better: 'lower',
  description: 'First text or image on the screen (Paint Timing).',
  headline: true,
  isMoment: true,
  isPaint: true,
  read: (visit) => visit.recording.page?.firstContentfulPaint,
};
