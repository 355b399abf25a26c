import type { Drawing } from '../model/drawing.ts';
import type { VisualChange } from '../model/picture.ts';
import type { DomChange } from '../model/recording.ts';
import type { Ms } from '../model/units.ts';
import type { Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { backgroundArrivals } from './foreground.ts';
import { overlapOf, stretchOf } from './overlap.ts';

/** A script begins to draw an answer, and goes on with it, so soon at the latest, ms, long frames not counted. */
const GOES_ON_WITHIN_MS = 500;
/** Changes of the document that follow each other sooner than this, ms, long frames not counted, are one. */
const ONE_CHANGE_MS = 50;
/** What takes longer than this, ms, is a movement: the film dates it. */
const LONGEST_DRAWING_MS = 1_000;
/** What was painted is in the film after so long at the latest, ms. */
const FILMED_WITHIN_MS = 150;
/** How long the screen's next refresh may have to be waited for, ms. */
const REFRESH_MS = 17;
/** What the film shows so soon after a change of the document was painted, ms, is that change: a frame or two, and its picture. */
const SAME_DRAWING_MS = 50;
/** Background traffic that came so long before a change of the document, ms, may have made it. */
const FOLLOWS_WITHIN_MS = 100;
/** Elements that change so often when all has long been drawn go on changing. */
const TICKS = 3;
/** More of them than this are not told apart. */
const MOST_TICKING = 50;
/** A document that changes more often than this after its last answer was drawn changes by itself. */
const MOST_OTHERS = 3;

/**
 * How a page draws its last answer, where it does so at once. A film's pictures are too far apart to date that, and begin too
 * late in timed runs; changes of the document do, and every load can tell them. Undefined where the film shows nothing of
 * it, or the document changes by itself.
 *
 * @param visit an untimed run whose document was watched
 * @param changes of the picture, without what moves by itself
 * @param filmedAt when the film shows that the page had drawn, where that is late
 */
export function drawingAtOnce(
  visit: Visit,
  changes: readonly VisualChange[],
  { quietWindow }: Pick<Policy, 'quietWindow'>,
  filmedAt?: Ms,
): AtOnce | undefined {
  const { complete, recording } = visit;
  if (complete.state !== 'complete') return undefined;
  const { networkAt } = complete;
  const idle = idleIn(visit);
  const ticking = tickingIn(recording.domChanges ?? [], networkAt + LONGEST_DRAWING_MS);
  const groups = groupsOf(changesAfterNetwork(visit, networkAt, quietWindow, ticking), idle);
  const isSeen = ({ from, paintedAt }: Group, next?: Group): boolean => {
    const until = Math.min(paintedAt + FILMED_WITHIN_MS, next?.from ?? Number.POSITIVE_INFINITY);
    return changes.some(({ at }) => at >= from && at <= until);
  };
  const others = groups.findIndex((group, i) => {
    const goesOn = idle(groups[i - 1]?.to ?? networkAt, group.from) <= GOES_ON_WITHIN_MS;
    return !goesOn || !isSeen(group, groups[i + 1]);
  });
  const count = others < 0 ? groups.length : others;
  const [drawn, next] = [groups[count - 1], groups[count]];
  if (!drawn || drawn.to - networkAt > LONGEST_DRAWING_MS || groups.length - count > MOST_OTHERS) return undefined;
  const within = (drawn.to + (next?.from ?? networkAt + quietWindow)) / 2 - networkAt;
  const atOnce = { within, ...(ticking.size > 0 && { ticking: [...ticking].slice(0, MOST_TICKING) }) };
  const animated = { ...atOnce, animates: true as const };
  const isAnimated = filmedAt !== undefined && isSameDrawing(filmedAt, drawnAtOnceAt(visit, animated) ?? 0);
  return isAnimated && !isSameDrawing(filmedAt, drawnAtOnceAt(visit, atOnce) ?? 0) ? animated : atOnce;
}

type AtOnce = Pick<Drawing, 'within' | 'ticking' | 'animates'>;

/**
 * When the page had drawn its last answer, where it does so at once: the last change of the document, with style, layout and
 * paint. The wait for the screen's next refresh is no part of it: it is chance. Where it took longer, a task was in the way.
 */
export function drawnAtOnceAt(visit: Visit, { within, ticking, animates }: AtOnce): Ms | undefined {
  const { complete } = visit;
  if (complete.state !== 'complete' || within === undefined) return undefined;
  const drawn = changesAfterNetwork(visit, complete.networkAt, within, new Set(ticking));
  return drawn.length === 0
    ? undefined
    : Math.max(...drawn.map(drawnAt), ...(animates ? drawn.map(({ animatedUntil = 0 }) => animatedUntil) : []));
}

/** What a step draws at once begins so soon after the last that it needed, ms, long frames not counted: no film shows whether it is seen. */
const STEP_DRAWS_WITHIN_MS = 100;

/**
 * The same of a step after the load: when the document had changed that began to change as soon as all had come. Undefined
 * where it did not, or went on for as long as an animation.
 *
 * @param ticking what goes on changing in the page
 */
export function stepDrawnAt(visit: Visit, { ticking }: Pick<Drawing, 'ticking'>): Ms | undefined {
  const { complete } = visit;
  if (complete.state !== 'complete') return undefined;
  const { networkAt } = complete;
  const idle = idleIn(visit);
  const changes = changesAfterNetwork(visit, networkAt, 2 * LONGEST_DRAWING_MS, new Set(ticking));
  const [first] = groupsOf(changes, idle);
  if (!first || idle(networkAt, first.from) > STEP_DRAWS_WITHIN_MS) return undefined;
  if (first.to - networkAt > LONGEST_DRAWING_MS) return undefined;
  return Math.max(...changes.filter(({ at }) => at <= first.to).map(drawnAt));
}

/**
 * When the last of the content was drawn, by the film and by the document: what both show the document dates better.
 * Undefined where neither shows any.
 */
export function drawnLast(filmedAt: Ms | undefined, noted: Ms | undefined): Ms | undefined {
  if (filmedAt === undefined || noted === undefined) return filmedAt ?? noted;
  return filmedAt > noted && !isSameDrawing(filmedAt, noted) ? filmedAt : noted;
}

const isSameDrawing = (one: Ms, other: Ms): boolean => Math.abs(one - other) <= SAME_DRAWING_MS;

const drawnAt = ({ at, rendering, paintedAt }: DomChange): Ms => Math.max(at + rendering, paintedAt - REFRESH_MS);

/** How long the page was idle between two moments, ms, as far as long frames tell. */
function idleIn({ recording: { page } }: Visit): (from: Ms, to: Ms) => Ms {
  const frames = page?.longFrames?.map(stretchOf) ?? [];
  return (from, to) => frames.reduce((left, frame) => left - overlapOf({ from, to }, frame), to - from);
}

/** Changes of the document that are one. */
interface Group {
  readonly from: Ms;
  readonly to: Ms;
  /** When the last of them was painted. */
  readonly paintedAt: Ms;
}

/** @param idle how long the page was idle between two moments, ms */
function groupsOf(domChanges: readonly DomChange[], idle: (from: Ms, to: Ms) => Ms): readonly Group[] {
  const groups: Group[] = [];
  for (const { at, paintedAt } of domChanges) {
    const last = groups.at(-1);
    if (last && idle(last.to, at) <= ONE_CHANGE_MS) groups[groups.length - 1] = { from: last.from, to: at, paintedAt };
    else groups.push({ from: at, to: at, paintedAt });
  }
  return groups;
}

/** Which elements go on changing when all has long been drawn. */
function tickingIn(domChanges: readonly DomChange[], from: Ms): ReadonlySet<string> {
  const late = domChanges.filter(({ at }) => at > from).flatMap(({ targets = [] }) => targets);
  const times = Map.groupBy(late, (target) => target);
  return new Set([...times].flatMap(([target, { length }]) => (length >= TICKS ? [target] : [])));
}

/** What changed in the document after its network, where neither background traffic did that nor the page by itself. */
function changesAfterNetwork(
  { recording: { domChanges = [] }, timeline, verdicts }: Visit,
  networkAt: Ms,
  within: Ms,
  ticking: ReadonlySet<string>,
): readonly DomChange[] {
  const arrivals = backgroundArrivals(timeline, verdicts);
  return domChanges.filter(
    (change) =>
      drawnAt(change) > networkAt &&
      change.at <= networkAt + within &&
      change.targets?.every((target) => ticking.has(target)) !== true &&
      !arrivals.some((came) => came <= change.at && change.at - came <= FOLLOWS_WITHIN_MS),
  );
}
