import type { Metric } from '../../model/network/visit.ts';
import { mainThreadTimesAt } from '../path/stolen-time.ts';

/** The part of the main thread's time that it spent on a processor. */
export const cpuTime: Metric = {
  name: 'cpuTime',
  title: 'CPU time',
  unit: 'ms',
  better: 'lower',
  description: 'CPU time that the main thread used until page-complete, whatever else the machine did.',
  headline: true,
  read: ({ recording, complete }) =>
    complete.state === 'complete' ? mainThreadTimesAt(recording.mainThread, complete.at)?.cpu : undefined,
};
