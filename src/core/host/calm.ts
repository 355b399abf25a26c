import type { Recording } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';

/** Share of all processors that a page may use which leaves the machine to others: what moves on it takes a film little. */
const MOST_OF_THE_MACHINE = 0.25;
/** How far back is looked, ms: a spinner that was drawn before says nothing of now. */
const LOOK_BACK_MS = 500;

/** Readings of two clocks at a time. */
interface Reading {
  readonly at: Ms;
  readonly used: Ms;
  readonly of: Ms;
}

/**
 * Does the page leave the machine to others now? Another one can be loaded beside it then, as long as neither is timed. By the
 * processor time of its browser, or by the tasks of its main thread where that is not known.
 */
export function isCalm({
  hostSamples,
  mainThread,
  observedUntil,
}: Pick<Recording, 'hostSamples' | 'mainThread' | 'observedUntil'>): boolean {
  const lately = (readings: readonly Reading[]): number => {
    const last = readings.at(-1);
    const first = readings.findLast(({ at }) => at <= observedUntil - LOOK_BACK_MS);
    return first && last ? (last.used - first.used) / (last.of - first.of) : Number.NaN;
  };
  const byBrowser = lately(
    hostSamples.flatMap(({ at, browser: used, total: of }) => (used === undefined ? [] : [{ at, used, of }])),
  );
  const byTasks = lately(mainThread.map(({ at, taskTime: used }) => ({ at, used, of: at })));
  return (Number.isNaN(byBrowser) ? byTasks : byBrowser) < MOST_OF_THE_MACHINE;
}
