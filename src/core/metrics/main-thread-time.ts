import type { Metric, Visit } from '../../model/network/visit.ts';
import { taskTimeAt } from '../path/stolen-time.ts';

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

function taskTimeUntilComplete({ recording, complete }: Visit): number | undefined {
  return complete.state === 'complete' ? taskTimeAt(recording.mainThread, complete.at) : undefined;
}
