import type { Metric } from '../../model/network/visit.ts';
import { firstContentfulPaint } from './first-contentful-paint.ts';

/** A task longer than this blocks: input has to wait. Source: https://web.dev/articles/tbt */
const BLOCKING_AFTER_MS = 50;

/** How long input would have had to wait, in sum. */
export const totalBlockingTime: Metric = {
  name: 'totalBlockingTime',
  title: 'Total blocking time',
  abbreviation: 'TBT',
  canBeZero: true,
  unit: 'ms',
  better: 'lower',
  description:
    'Sum of what long tasks exceed 50 ms by, between first contentful paint (or the start of a step) and page-complete (Long Tasks API).',
  headline: true,
  timing: 'longTasks',
  read(visit) {
    const { navigation, page } = visit.recording;
    // The document of a step may have been there before, and could have been used all the time.
    const wasThere = navigation.step !== undefined && page?.responseStart === undefined;
    const from = wasThere ? 0 : firstContentfulPaint.read(visit);
    const tasks = page?.longTasks;
    if (from === undefined || visit.complete.state !== 'complete' || !tasks) return undefined;
    const to = visit.complete.at;
    return tasks
      .map((task) => Math.min(task.at + task.duration, to) - Math.max(task.at, from))
      .reduce((sum, within) => sum + Math.max(0, within - BLOCKING_AFTER_MS), 0);
  },
};
