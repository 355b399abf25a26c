import type { Request, Timeline } from '../../model/timeline.ts';
import type { Detector } from '../../model/verdict.ts';
import { endOf } from '../timeline/inflight.ts';
import { seriesOf } from './series.ts';
import { count, median, seconds } from './words.ts';

/** An answer held back at least this long was withheld, not slow, when the same is asked again at once; ms. */
const HELD_MS = 1_500;
/** How soon after an answer a Comet client asks again, ms. Source: measured on cometd and socket.io, 5 to 120 ms. */
const ASKED_AGAIN_WITHIN_MS = 250;

/** The Comet model: the server withholds its answer until there is news; the client then asks again at once. */
export const longPoll: Detector = {
  name: 'long-poll',
  detect: (timeline) =>
    seriesOf(timeline).flatMap((series) => {
      const held = heldAndAskedAgain(series, timeline);
      if (held.length < 2) return [];
      const holds = held.filter((request) => request.endedAt !== undefined).map((r) => endOf(r) - r.startedAt);
      const because = `asked ${count(held.length, 'time')}, each time answered only after about ${seconds(median(holds))}, then asked again at once`;
      return held.map((request) => ({ requestId: request.id, kind: 'long-poll', because, confidence: 'likely' }));
    }),
};

/** The tail of a series in which each request was held back and followed at once by the next; alive to the end. */
function heldAndAskedAgain(series: readonly Request[], timeline: Timeline): readonly Request[] {
  const last = series.at(-1);
  // A series that stopped has brought what it was asked for: that is content.
  if (!last || (last.endedAt !== undefined && timeline.observedUntil - last.endedAt > ASKED_AGAIN_WITHIN_MS)) return [];
  const holdOf = (request: Request): number => Math.min(endOf(request), timeline.observedUntil) - request.startedAt;
  const tail: Request[] = [last];
  for (let i = series.length - 2; i >= 0; i -= 1) {
    const earlier = series[i];
    const later = tail[0];
    if (!earlier || !later) break;
    const gap = later.startedAt - endOf(earlier);
    if (gap < -1 || gap > ASKED_AGAIN_WITHIN_MS || holdOf(earlier) < HELD_MS) break;
    tail.unshift(earlier);
  }
  // Three in a row prove the habit; two do when the second is being held back as well.
  return tail.length >= 3 || holdOf(last) >= HELD_MS ? tail : [];
}
