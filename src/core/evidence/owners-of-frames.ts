import type { Visit } from '../../model/network/visit.ts';
import type { Ms } from '../../model/units.ts';
import { contentArrivals, type FilmQuestion } from '../background/content/evidence-rules.ts';
import type { Source } from '../background/content/source.ts';
import { firstAfter } from '../time/first-after.ts';
import type { FrameOwners } from '../visual/frame-owners.ts';

/** The network's events and the trace are dated by one clock, a little apart, ms. */
const CLOCKS_DIFFER_MS: Ms = 1;

/**
 * Whose changes the page drew, by its trace: which arrivals of those in question, or others. What came while code waited, for a
 * timer or a frame, may be what it drew then: that is unclear.
 */
export function ownersOfFrames(
  visit: Visit,
  inQuestion: readonly Source[],
  questions: readonly FilmQuestion[],
): FrameOwners | undefined {
  const { causedFrames } = visit.recording;
  if (causedFrames === undefined) return undefined;
  const arrivals = questions
    .flatMap(({ arrivals: own }, suspect) =>
      own.map(({ at, request }) => ({ suspect, arrival: at, requestId: request.requestId })),
    )
    .toSorted((a, b) => a.arrival - b.arrival);
  const byRequest = Map.groupBy(arrivals, ({ requestId }) => requestId);
  const others = contentArrivals(visit, inQuestion);
  const all = [...arrivals.map(({ arrival }) => arrival), ...others].toSorted((a, b) => a - b);
  const cameBetween = (from: Ms, to: Ms): boolean => {
    const next = all[firstAfter(all, from + CLOCKS_DIFFER_MS)];
    return next !== undefined && next < to - CLOCKS_DIFFER_MS;
  };
  const read = new Set(causedFrames.flatMap(({ by }) => by.map(({ requestId }) => requestId)));
  return {
    frames: causedFrames.map(({ at, by, unclear = false }) => {
      const found = by.map(({ requestId, since }) => {
        const own = (requestId === undefined ? undefined : byRequest.get(requestId)) ?? [];
        const came = own.findLast(({ arrival }) => arrival <= since + CLOCKS_DIFFER_MS);
        return came === undefined ? [] : own.filter(({ arrival }) => arrival === came.arrival);
      });
      return {
        at,
        by: found.flat(),
        others: found.some((own) => own.length === 0),
        unclear: unclear || by.some((change) => cameBetween(change.since, change.at)),
      };
    }),
    silent: contentArrivals(visit, inQuestion, ({ requestId }) => !read.has(requestId)),
  };
}
