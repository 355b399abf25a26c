import type { Policy } from '../../model/background/verdict.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { VisualChange } from '../../model/recording/picture.ts';
import type { DomChange } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../text/defined.ts';
import { AT_ONCE_MS, DRAWN_WITHIN_MS, HABIT, LONGEST_PAUSE_MS, ONE_MOMENT_MS, PATIENCE } from '../time/lags.ts';
import { overlapOf, stretchOf } from '../time/overlap.ts';
import { follows } from '../visual/impact.ts';
import { backgroundArrivals } from './foreground.ts';

// Measured with 71 pages that a tester wrote.

/** What was painted is in the film after so long at the latest, ms: three frames, and the wait for its next picture. */
const FILMED_WITHIN_MS = AT_ONCE_MS + ONE_MOMENT_MS;
/** The longest wait for the next refresh of a screen with 60 of them in a second, ms. */
const REFRESH_MS = 17;

type AtOnce = Pick<Drawing, 'within' | 'ticking' | 'restless'>;

/**
 * How a page draws its last response, where it does so at once. A film's pictures are too far apart to date that, and begin
 * too late in timed runs; changes of the document do, and every load can tell them. Without `within` where the film shows
 * nothing of it, or the document goes on changing. What takes longer is dated so where it ends when the film says so.
 *
 * @param visit an untimed run whose document was watched
 * @param own the changes of the picture by content, after the network
 * @param filmedAt when the last of them was finished
 */
export function drawingAtOnce(
  visit: Visit,
  own: readonly VisualChange[],
  { quietWindow }: Pick<Policy, 'quietWindow'>,
  filmedAt: Ms | undefined,
): AtOnce {
  const { complete } = visit;
  if (complete.state !== 'complete') return {};
  const { networkAt } = complete;
  const ofPage = changesOfPage(visit);
  const ticking = tickingIn(ofPage, networkAt, quietWindow);
  const ticks = ticking.length > 0 ? { ticking } : {};
  const changes = changesAfterNetwork(ofPage, networkAt, { within: quietWindow, ...ticks });
  const idle = idleIn(visit);
  const pause = (i: number, all: readonly DomChange[]): Ms =>
    idle(all[i - 1]?.at ?? networkAt, all[i]?.at ?? networkAt);
  // As much counts as the film shows.
  const reached = changes.findIndex((_change, i) => pause(i, changes) > DRAWN_WITHIN_MS);
  const last = changes
    .slice(0, reached < 0 ? undefined : reached)
    .findLastIndex((change, i) => isSeen(change, changes[i + 1], own));
  // What follows the drawing so soon that another load could not tell it apart belongs to it. Long frames do not count.
  const drawn = changes[last];
  const next = changes.findIndex(({ at }, i) => drawn && at > drawn.at && pause(i, changes) > AT_ONCE_MS);
  const [end, others] = [changes.at(next < 0 ? -1 : next - 1), next < 0 ? [] : changes.slice(next)];
  const endsUnseen = drawn && end ? end.at - drawn.at : 0;
  if (others.length > HABIT || endsUnseen > DRAWN_WITHIN_MS) return { ...ticks, restless: true };
  if (!drawn || !end) return ticks;
  const untilNext = others[0] ? (end.at + others[0].at) / 2 - networkAt : Number.POSITIVE_INFINITY;
  const within = Math.min(untilNext, PATIENCE.factor * Math.max(0, end.at - networkAt) + DRAWN_WITHIN_MS);
  const noted = endOfDrawing(ofPage, networkAt, { within, ...ticks });
  const isFilmed = filmedAt !== undefined && noted !== undefined && isSameDrawing(filmedAt, noted);
  return isFilmed || drawn.at - networkAt <= LONGEST_PAUSE_MS ? { within, ...ticks } : ticks;
}

/** Does the film show a change before it can show the next one? */
function isSeen({ at, paintedAt }: DomChange, next: DomChange | undefined, own: readonly VisualChange[]): boolean {
  const nextPaint = next && next.paintedAt > paintedAt ? next.paintedAt : Number.POSITIVE_INFINITY;
  // Films give the time of the refresh, which may be that of the frame's beginning.
  const [from, to] = [Math.max(at, paintedAt - REFRESH_MS), Math.min(paintedAt + FILMED_WITHIN_MS, nextPaint)];
  return own.some((seen) => seen.at >= from && seen.at <= to);
}

/**
 * When the page had drawn its last response, where it does so at once: the last change of the document, with style, layout
 * and paint. The wait for the screen's next refresh is no part of it: it is chance. Where the wait was longer, a task was in
 * the way.
 */
export function drawnAtOnceAt(visit: Visit, drawing: AtOnce): Ms | undefined {
  const { complete } = visit;
  if (complete.state !== 'complete' || drawing.within === undefined) return undefined;
  return endOfDrawing(changesOfPage(visit), complete.networkAt, { ...drawing, within: drawing.within });
}

function endOfDrawing(
  ofPage: readonly DomChange[],
  networkAt: Ms,
  { within, ticking }: AtOnce & { readonly within: Ms },
): Ms | undefined {
  const ends = changesAfterNetwork(ofPage, networkAt, defined({ within, ticking })).map(drawnAt);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/**
 * When a step after the load had drawn: the end of the first series of changes after its last response. What changes
 * attributes alone may be the effect of a click. Undefined where nothing changes then, or goes on for as long as a movement.
 */
export function stepDrawnAt(visit: Visit, { ticking }: Pick<Drawing, 'ticking'>): Ms | undefined {
  const { complete } = visit;
  if (complete.state !== 'complete') return undefined;
  const { networkAt } = complete;
  const idle = idleIn(visit);
  const series = { within: 2 * LONGEST_PAUSE_MS, ...defined({ ticking }) };
  const changes = changesAfterNetwork(changesOfPage(visit), networkAt, series).filter(({ attributes }) => !attributes);
  const pause = changes.findIndex(({ at }, i) => {
    const before = changes[i - 1];
    return before ? idle(before.at, at) > AT_ONCE_MS : idle(networkAt, at) > ONE_MOMENT_MS;
  });
  const first = changes.slice(0, pause < 0 ? undefined : pause);
  const last = first.at(-1);
  return last && last.at - networkAt <= LONGEST_PAUSE_MS ? Math.max(...first.map(drawnAt)) : undefined;
}

/**
 * When the last of the content was drawn, by the film and by the document: what both show the document dates better.
 * Undefined where neither shows any.
 */
export function drawnLast(filmedAt: Ms | undefined, noted: Ms | undefined): Ms | undefined {
  if (filmedAt === undefined || noted === undefined) return filmedAt ?? noted;
  return filmedAt > noted && !isSameDrawing(filmedAt, noted) ? filmedAt : noted;
}

const isSameDrawing = (one: Ms, other: Ms): boolean => Math.abs(one - other) <= ONE_MOMENT_MS;

const drawnAt = ({ at, rendering, paintedAt }: DomChange): Ms => Math.max(at + rendering, paintedAt - REFRESH_MS);

/** How long the page was idle between two moments, ms, as far as long frames tell. */
function idleIn({ recording: { page } }: Visit): (from: Ms, to: Ms) => Ms {
  const frames = page?.longFrames?.map(stretchOf) ?? [];
  return (from, to) => frames.reduce((left, frame) => left - overlapOf({ from, to }, frame), to - from);
}

/** Paths of the elements that the page goes on changing when all has long been drawn. */
function tickingIn(ofPage: readonly DomChange[], networkAt: Ms, quietWindow: Ms): readonly string[] {
  const late = ofPage.flatMap(({ at, targets = [] }) =>
    at > networkAt + LONGEST_PAUSE_MS ? targets.map((target) => ({ at, target })) : [],
  );
  return [...Map.groupBy(late, ({ target }) => target)].flatMap(([target, times]) =>
    times.length >= HABIT && times.some(({ at }) => at > networkAt + quietWindow) ? [target] : [],
  );
}

/** What changed in the document after its network, where the page does not go on with that. */
function changesAfterNetwork(
  ofPage: readonly DomChange[],
  networkAt: Ms,
  { within, ticking = [] }: { readonly within: Ms; readonly ticking?: readonly string[] },
): readonly DomChange[] {
  const left = new Set(ticking);
  return ofPage.filter(
    (each) =>
      drawnAt(each) > networkAt &&
      each.at <= networkAt + within &&
      each.targets?.every((target) => left.has(target)) !== true,
  );
}

/** The changes of the document that no background traffic may have made. */
function changesOfPage({ recording: { domChanges = [] }, timeline, verdicts }: Visit): readonly DomChange[] {
  const arrivals = backgroundArrivals(timeline, verdicts);
  return domChanges.filter(({ at }) => !follows(at, arrivals, ONE_MOMENT_MS));
}
