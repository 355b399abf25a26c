import type { DecodedFrame, VisualChange } from '../../model/recording/picture.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../text/defined.ts';
import { HABIT, MARGIN, SMALL_PART } from '../time/lags.ts';
import { coveredShare } from './covered.ts';
import { type Difference, differenceOf, visiblePixels } from './difference.ts';
import { GRID, inCells } from './grid.ts';
import { leftOut, type Mask } from './mask.ts';
import { type CellPrints, cellPrints, showsSame, showsSameIn } from './same-again.ts';

/** From one frame of a film to the next. */
export interface Step {
  /** When the later frame was drawn. */
  readonly at: Ms;
  /** When the frame before it was drawn; absent where nobody noted it. */
  readonly since?: Ms;
  readonly difference: Difference;
  /** How much of it had shown something before, 0 to 1; absent where nobody asked. */
  readonly covered?: number;
  /** What each cell showed just before it, and shows just before the next one; absent where nobody asked. */
  readonly prints?: { readonly before: CellPrints; readonly after: CellPrints };
}

/** All that a film's pictures tell: what is judged by them takes this. */
export interface FilmSteps {
  /** When its first frame was drawn, ms; absent where there was none. */
  readonly from?: Ms;
  /** In order of time. */
  readonly steps: readonly Step[];
}

/** What else is wanted of a film on the way. */
export interface FilmWishes {
  /** Is shown each picture. */
  readonly look?: (at: Ms, picture: DecodedFrame['picture']) => void;
  /**
   * How much of each change had shown something before, and whether a picture was there before: that takes as long again as
   * to find the changes.
   */
  readonly covered?: boolean;
}

/**
 * What differs from each frame to the next, without the steps in which nothing does. Each frame's picture is asked for
 * once and in order, so a film may decode its pictures as they are asked for. A film is long work: it is interrupted after
 * each frame.
 */
export function* stepsOf(
  frames: readonly DecodedFrame[],
  { look, covered = false }: FilmWishes = {},
): Generator<undefined, readonly Step[]> {
  const steps: Step[] = [];
  /** What each cell showed before each step. */
  const befores: CellPrints[] = [];
  let before: DecodedFrame['picture'] | undefined;
  let previous: DecodedFrame['picture'] | undefined;
  let since: Ms = 0;
  for (const frame of frames) {
    const { picture } = frame;
    look?.(frame.at, picture);
    const difference = before && picture !== previous ? differenceOf(before, picture, true) : undefined;
    const isSeen = difference !== undefined && (difference.outside > 0 || difference.changed.includes(1));
    if (before && isSeen) {
      const step = { at: frame.at, since, difference };
      if (covered) {
        // The last steps of a fade are too small to be seen, and are over by now.
        befores.push(cellPrints(previous ?? before));
        steps.push({ ...step, covered: coveredShare(before, picture, difference) });
      } else steps.push(step);
    }
    // What fades slowly differs too little from one frame to the next: it is compared with the last that was told apart.
    if (before === undefined || isSeen) before = picture;
    previous = picture;
    since = frame.at;
    yield;
  }
  if (!covered || !previous) return steps;
  const atLast = cellPrints(previous);
  return steps.map((step, i) => {
    const [was, is = atLast] = befores.slice(i, i + 2);
    return was ? { ...step, prints: { before: was, after: is } } : step;
  });
}

/**
 * The times at which what is seen changed, and the share of the picture that did, 0 to 1, moving parts left out.
 *
 * @param places what moves, with the places that it moves in: what moves in these is left out, what fills them is not
 */
export function visibleChanges(steps: readonly Step[], moving?: Mask, places?: Mask): readonly VisualChange[] {
  const allThatMoves = places ?? moving;
  const out = allThatMoves && inCells(allThatMoves).bits;
  return steps.flatMap(({ at, since, difference, covered, prints }, i) => {
    const ignore = covered !== undefined && covered >= EMPTY_BELOW ? allThatMoves : moving;
    const seen = visiblePixels(difference, ignore);
    if (seen === 0) return [];
    const undone =
      prints && steps.slice(0, i).find((step) => step.prints && showsSame(step.prints.before, prints.after, out));
    const cells = changedCells(difference, ignore);
    const shows = (step: Step): boolean =>
      prints !== undefined && step.prints !== undefined && showsSameIn(cells, step.prints.before, prints.after);
    const share = seen / (difference.viewWidth * difference.viewHeight);
    const shownUntil = steps.slice(0, i).findLast(shows)?.at;
    return [{ at, share, cells, ...defined({ since, covered, undoneFrom: undone?.at, shownUntil }) }];
  });
}

/** The cells in which a pixel differs, what is left out taken away. */
function changedCells(difference: Difference, ignore: Mask | undefined): ReadonlySet<number> {
  const { left, top, width, viewWidth, viewHeight, changed } = difference;
  const isOut = leftOut(ignore, viewWidth, viewHeight);
  const cells = new Set<number>();
  for (let i = changed.indexOf(1); i >= 0; i = changed.indexOf(1, i + 1)) {
    const x = left + (i % width);
    const y = top + Math.floor(i / width);
    if (isOut(x, y)) continue;
    const row = Math.floor((y * GRID.rows) / viewHeight);
    cells.add(row * GRID.columns + Math.floor((x * GRID.columns) / viewWidth));
  }
  return cells;
}

/**
 * A place that shows less than this share of what it shows later is filled, not painted anew. What moves uncovers as much as
 * it covers: about a half of it had shown something before.
 */
export const EMPTY_BELOW = SMALL_PART;

/**
 * Did a change paint a place for the first time: for the most part where none of the changes before it, from `since` on,
 * had painted?
 */
export function paintsNewPlace(at: Ms, since: Ms, changes: readonly VisualChange[]): boolean {
  const own = changes.find((change) => change.at === at)?.cells;
  if (!own || own.size === 0) return false;
  const before = changes.filter((change) => change.at >= since && change.at < at);
  const fresh = [...own].filter((cell) => !before.some(({ cells }) => cells?.has(cell)));
  return fresh.length * 2 > own.size;
}

/** Did the place that a change paints show next to nothing before? Where that was not read, it may have. */
export function fillsEmpty({ covered = 0 }: Pick<VisualChange, 'covered'>): boolean {
  return covered < EMPTY_BELOW;
}

/** Did a change fill an empty place that none of the changes before it, from `since` on, had painted? */
export function fillsPlace(at: Ms, since: Ms, changes: readonly VisualChange[]): boolean {
  return (
    fillsEmpty(changes.find((change) => change.at === at) ?? {}) && (at === since || paintsNewPlace(at, since, changes))
  );
}

/** Do the first changes of those with one cause fill no empty place, and are they no larger than the later ones, of which enough are known? */
export function repaintsLikeLater(first: readonly VisualChange[], later: readonly VisualChange[]): boolean {
  if (later.length < HABIT) return false;
  const largest = Math.max(...later.map(({ share }) => share));
  return first.every((change) => !fillsEmpty(change) && change.share <= MARGIN * largest);
}
