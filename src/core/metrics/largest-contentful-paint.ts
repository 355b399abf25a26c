import type { Metric } from '../../model/network/visit.ts';

/** When the largest text or picture was painted. */
export const largestContentfulPaint: Metric = {
  name: 'largestContentfulPaint',
  title: 'Largest contentful paint',
  abbreviation: 'LCP',
  unit: 'ms',
  better: 'lower',
  description: 'Last candidate for the largest text or image in the viewport (Largest Contentful Paint API).',
  headline: true,
  isMoment: true,
  isPaint: true,
  read: (visit) => visit.timeline.marks.findLast((mark) => mark.name === 'largest-contentful-paint')?.at,
};
