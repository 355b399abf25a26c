import type { Metric } from '../../model/visit.ts';

/** When the network had delivered what the page needed. */
export const networkComplete: Metric = {
  name: 'networkComplete',
  title: 'Network complete',
  unit: 'ms',
  better: 'lower',
  description: 'Latest of load event, DOMContentLoaded and the last foreground response before the quiet window.',
  headline: true,
  read: ({ complete }) => (complete.state === 'complete' ? complete.networkAt : undefined),
};

/** When the page was complete. */
export const pageComplete: Metric = {
  name: 'pageComplete',
  title: 'Page complete',
  unit: 'ms',
  better: 'lower',
  description: 'Later of network complete and the last paint of content; the quiet window is not part of it.',
  headline: true,
  read: ({ complete }) => (complete.state === 'complete' ? complete.at : undefined),
};
