import type { MainThreadSample } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';
import type { Metric, Visit } from '../../model/visit.ts';

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
