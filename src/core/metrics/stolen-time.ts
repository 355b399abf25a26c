import type { Metric } from '../../model/network/visit.ts';
import { mainThreadTimesAt } from '../path/stolen-time.ts';

/** The part of the main thread's time in which it was ready to run, and something else was on the processor. */
export const stolenTime: Metric = {
  name: 'stolenTime',
  title: 'Stolen time',
  canBeZero: true,
  unit: 'ms',
  better: 'lower',
  description:
    'Part of main-thread time in which a task was ready to run, but the CPU was busy with other work, including other processes of the browser.',
  headline: true,
  read({ recording, complete }) {
    const times = complete.state === 'complete' ? mainThreadTimesAt(recording.mainThread, complete.at) : undefined;
    return times && times.wall - times.cpu;
  },
};
