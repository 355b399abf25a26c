import type { Metric } from '../../model/visit.ts';

/** When the first text or picture was painted. */
export const firstContentfulPaint: Metric = {
  name: 'firstContentfulPaint',
  title: 'First contentful paint',
  abbreviation: 'FCP',
  unit: 'ms',
  better: 'lower',
  description: 'First text or picture on the screen (Paint Timing).',
  headline: true,
  read: (visit) => visit.recording.page?.firstContentfulPaint,
};

/** When the largest text or picture was painted. */
export const largestContentfulPaint: Metric = {
  name: 'largestContentfulPaint',
  title: 'Largest contentful paint',
  abbreviation: 'LCP',
  unit: 'ms',
  better: 'lower',
  description: 'Last candidate for the largest text or picture in the viewport (Largest Contentful Paint API).',
  headline: true,
  read: (visit) => visit.timeline.marks.findLast((mark) => mark.name === 'largest-contentful-paint')?.at,
};
