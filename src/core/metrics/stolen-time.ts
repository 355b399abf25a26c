import type { Metric } from '../../model/visit.ts';
import { mainThreadTimesAt } from '../stolen-time.ts';

/** The part of the main thread's time in which it was ready to run, and something else was on the processor. */
export const stolenTime: Metric = {
  name: 'stolenTime',
  title: 'Stolen time',
  canBeZero: true,
  unit: 'ms',
  better: 'lower',
  description:
    'Part of main-thread time in which a task was not let run: the processors ran something else, other processes of the browser included.',
  headline: true,
  read({ recording, complete }) {
    const times = complete.state === 'complete' ? mainThreadTimesAt(recording.mainThread, complete.at) : undefined;
    return times && times.wall - times.cpu;
  },
};
