import type { Metric } from '../../model/network/visit.ts';
import { completedAt } from '../time/completed-at.ts';

/** When the page was complete. */
export const pageComplete: Metric = {
  name: 'pageComplete',
  title: 'Page complete',
  unit: 'ms',
  better: 'lower',
  description: 'Later of network complete and the last paint of content; the quiet window is not part of it.',
  headline: true,
  isMoment: true,
  isPaint: true,
  read: ({ complete }) => completedAt(complete),
};
