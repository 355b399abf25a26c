import type { Request } from '../../model/timeline.ts';
import type { Detector, Verdict } from '../../model/verdict.ts';
import { longPolled } from './long-poll.ts';
import { PATIENCE_MS } from './patience.ts';
import { isRelentless } from './relentless.ts';
import { isAlive, isSteady, median, PAUSE_SHARE, type Rhythm, rhythmOf } from './rhythm.ts';
import { isStream, seriesOf } from './series.ts';
import { count, duration, origin, sizes, timerOf } from './words.ts';

/** Starts that make a rhythm. */
const MIN_STARTS = 3;

/**
 * A question asked again and again by a timer. The first answer is content; what repeats after it is background. A
 * series that has stopped was waiting for something that then came, so it is content altogether.
 */
export const poll: Detector = {
  name: 'poll',
  detect: (timeline) =>
    seriesOf(timeline).flatMap(({ requests }): readonly Verdict[] => {
      const [first, ...repeats] = requests;
      if (!first || isStream(first) || !isAlive(requests, timeline)) return [];
      // What was answered at once before it is the state from which a long poll counts: content.
      if (longPolled(requests, timeline).length > 0) return [];
      const rhythm = rhythmOf(requests);
      const relentless = isRelentless(requests, timeline);
      if (!relentless && !keepsTime(requests, rhythm)) return [];
      const because = sentence(requests, rhythm);
      // Asking again without having read the first answer shows that nothing waits for it.
      const background = first.endedAt === undefined ? requests : repeats;
      return background.map((request) => ({
        requestId: request.id,
        kind: 'poll',
        because,
        confidence: relentless && !isSteady(rhythm) ? 'possible' : 'likely',
        decidedAt: first.startedAt + PATIENCE_MS,
      }));
    }),
};

function keepsTime(requests: readonly Request[], rhythm: Rhythm): boolean {
  // setInterval promises to come back: seeing it do so once is enough.
  if (requests.slice(1).every((each) => timerOf(each.initiator) === 'setInterval')) return true;
  if (requests.length < MIN_STARTS || !isSteady(rhythm)) return false;
  return median(rhythm.pauses) >= PAUSE_SHARE * rhythm.period;
}

function sentence(requests: readonly Request[], { period, deviation }: Rhythm): string {
  const last = requests.at(-1);
  const evenness = `every ${duration(period)} ± ${duration(deviation)}`;
  return `asked ${count(requests.length, 'time')}, ${evenness}${last ? origin(last) : ''}${sizes(requests)}`;
}
