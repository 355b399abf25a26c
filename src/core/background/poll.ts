import type { Request } from '../../model/timeline.ts';
import type { Detector, Verdict } from '../../model/verdict.ts';
import { lastSignOfLife } from '../timeline/inflight.ts';
import { seriesOf } from './series.ts';
import { count, median, seconds } from './words.ts';

/** Starts that make a rhythm. */
const MIN_STARTS = 3;
/** How far an interval may be from the median one. Browsers and servers jitter; 0.3 is a third of a period. */
const JITTER = 0.3;
/** A timer leaves a pause between an answer and the next question; a chain of dependent requests does not. */
const MIN_PAUSE_SHARE = 0.25;
/** A series is alive while its next request is not overdue by more than this share of its period. */
const OVERDUE = 1.5;

/**
 * A question asked again and again by a timer. The first answer is content; what repeats after it is background. A
 * series that has stopped was waiting for something that then came, so it is content altogether.
 */
export const poll: Detector = {
  name: 'poll',
  detect: (timeline) =>
    seriesOf(timeline).flatMap((series): readonly Verdict[] => {
      const [first, ...repeats] = series;
      const last = series.at(-1);
      if (!first || !last || series.length < MIN_STARTS) return [];
      const intervals = repeats.map((request, i) => request.startedAt - (series[i]?.startedAt ?? 0));
      const period = median(intervals);
      const deviations = intervals.map((interval) => Math.abs(interval - period));
      if (median(deviations) > JITTER * period) return [];
      if (median(pausesOf(series)) < MIN_PAUSE_SHARE * period) return [];
      if (timeline.observedUntil - last.startedAt > OVERDUE * period) return [];
      const because = `asked ${count(series.length, 'time')}, every ${seconds(period)} ± ${seconds(median(deviations)).replace(' s', '')}${sizes(series)}`;
      // Asking again without having read the first answer shows that nothing waits for it.
      const background = first.endedAt === undefined ? series : repeats;
      return background.map((request) => ({ requestId: request.id, kind: 'poll', because, confidence: 'likely' }));
    }),
};

/** The silence between each answer and the next question; an unanswered one leaves none. */
function pausesOf(series: readonly Request[]): readonly number[] {
  return series.slice(1).map((request, i) => {
    const before = series[i];
    // An answer that nobody reads to its end has no end; that it came is what counts.
    return before?.response || before?.endedAt !== undefined
      ? Math.max(0, request.startedAt - lastSignOfLife(before))
      : 0;
  });
}

function sizes(series: readonly Request[]): string {
  const answered = series.filter((request) => request.outcome === 'finished').map((request) => request.contentSize);
  return answered.length === 0 ? '' : `, about ${count(Math.round(median(answered)), 'byte')} each`;
}
