import type { VisualChange } from '../model/picture.ts';
import type { Recording } from '../model/recording.ts';
import type { Ms } from '../model/units.ts';
import type { Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { backgroundArrivals } from './foreground.ts';
import { FOLLOWS_WITHIN_MS } from './visual/impact.ts';

/** What is drawn no later than this after the answer so far is the drawing of what came last, ms: a few frames and their filming. */
const NOTICEABLE_MS = 100;

/** Changes that follow each other sooner than this, ms, are one movement: films have 10 pictures a second and more. */
const ONE_MOVEMENT_MS = 400;

/**
 * When the page drew the last of its content, where that is noticeably later than its network and its paints tell: a splash
 * that leaves, a chart that is computed. What follows data of background traffic that paints is an update of that, and what
 * comes after the quiet window is news. Undefined when nothing was drawn so late.
 *
 * @param changes of the picture, without what moves by itself
 */
export function drawnLateAt(
  { complete, timeline, verdicts }: Visit,
  changes: readonly VisualChange[],
  { quietWindow }: Pick<Policy, 'quietWindow'>,
): Ms | undefined {
  if (complete.state !== 'complete') return undefined;
  const { at: answer, networkAt } = complete;
  const arrivals = backgroundArrivals(timeline, verdicts);
  const until = networkAt + quietWindow;
  const own = changes
    .map(({ at }) => at)
    .filter((at) => at > networkAt && at <= until)
    .filter((at) => !arrivals.some((came) => came <= at && at - came <= FOLLOWS_WITHIN_MS));
  const last = endOfDrawing(own, until);
  return last !== undefined && last - answer > NOTICEABLE_MS ? last : undefined;
}

/** The last of the times; where they go on as one movement to the end of the window (a film that plays), its beginning. */
function endOfDrawing(times: readonly Ms[], until: Ms): Ms | undefined {
  const last = times.at(-1);
  if (last === undefined || last < until - ONE_MOVEMENT_MS) return last;
  const begins = times.findLast((at, i) => at - (times[i - 1] ?? Number.NEGATIVE_INFINITY) > ONE_MOVEMENT_MS);
  return begins ?? last;
}

/** The recording with a mark where the last content was drawn. */
export function withDrawing(recording: Recording, at: Ms | undefined): Recording {
  return at === undefined ? recording : { ...recording, marks: [...recording.marks, { name: 'content-drawn', at }] };
}
