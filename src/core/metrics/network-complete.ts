import type { Metric } from '../../model/network/visit.ts';

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
