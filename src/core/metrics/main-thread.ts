import type { MainThreadSample } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';
import type { Metric, Visit } from '../../model/visit.ts';
import { firstContentfulPaint } from './paint.ts';

/** A task longer than this blocks: input has to wait. Source: https://web.dev/articles/tbt */
const BLOCKING_AFTER_MS = 50;

/** The part of page-complete in which the main thread ran tasks. */
export const mainThreadTime: Metric = {
  name: 'mainThreadTime',
  title: 'Main-thread time',
  unit: 'ms',
  better: 'lower',
  description: 'Part of page-complete in which the main thread ran tasks: faster code or a faster CPU shortens it.',
  headline: true,
  read: taskTimeUntilComplete,
};

/** The other part: the main thread had nothing to do. */
export const waitTime: Metric = {
  name: 'waitTime',
  title: 'Wait time',
  canBeZero: true,
  unit: 'ms',
  better: 'lower',
  description: 'Rest of page-complete: the main thread waited for the network, the server or a timer.',
  headline: true,
  read(visit) {
    const busy = taskTimeUntilComplete(visit);
    return busy === undefined || visit.complete.state !== 'complete' ? undefined : visit.complete.at - busy;
  },
};

/** How long input would have had to wait, in sum. */
export const totalBlockingTime: Metric = {
  name: 'totalBlockingTime',
  title: 'Total blocking time',
  abbreviation: 'TBT',
  canBeZero: true,
  unit: 'ms',
  better: 'lower',
  description:
    'Sum of what long tasks exceed 50 ms by, between first contentful paint and page-complete (Long Tasks API).',
  headline: true,
  read(visit) {
    const from = firstContentfulPaint.read(visit);
    if (from === undefined || visit.complete.state !== 'complete' || !visit.recording.page?.longTasks) return undefined;
    const to = visit.complete.at;
    return visit.recording.page.longTasks
      .map((task) => Math.min(task.at + task.duration, to) - Math.max(task.at, from))
      .reduce((sum, within) => sum + Math.max(0, within - BLOCKING_AFTER_MS), 0);
  },
};

function taskTimeUntilComplete({ recording, complete }: Visit): number | undefined {
  if (complete.state !== 'complete') return undefined;
  const busy = taskTimeAt(recording.mainThread, complete.at);
  // Tasks can be counted that began before navigation start; no thread is busy for longer than the wall's time.
  return busy === undefined ? undefined : Math.min(busy, complete.at);
}

/** The thread's clock at `at`, on the line between the readings around it; undefined without a reading after it. */
function taskTimeAt(samples: readonly MainThreadSample[], at: Ms): number | undefined {
  let before: MainThreadSample = { at: 0, taskTime: 0 };
  for (const sample of samples) {
    if (sample.at >= at) {
      const span = sample.at - before.at;
      const share = span > 0 ? (at - before.at) / span : 1;
      return before.taskTime + (sample.taskTime - before.taskTime) * share;
    }
    before = sample;
  }
  return undefined;
}
