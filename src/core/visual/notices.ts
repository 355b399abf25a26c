import type { VisualChange } from '../../model/recording/picture.ts';
import type { Ms } from '../../model/units.ts';
import { DRAWN_WITHIN_MS, SMALL_PART, USUAL_WINDOW_MS } from '../time/lags.ts';

/** Where and when something came and went again. */
interface Notice {
  readonly from: Ms;
  readonly to: Ms;
  /** All of the picture when absent. */
  readonly cells?: ReadonlySet<number>;
}

/**
 * The changes without what comes and goes again and leaves the page, or a place in it, as it was: a short message, a bar of
 * progress.
 *
 * @param longest what leaves the whole page as it was may have stayed for so long, ms
 */
export function withoutNotices(
  changes: readonly VisualChange[],
  longest: Ms = Number.POSITIVE_INFINITY,
): readonly VisualChange[] {
  const notices = changes.flatMap((end) => [...overAll(end, changes, longest), ...inPlace(end, changes)]);
  return changes.filter((change) => !notices.some((notice) => isPartOf(notice, change)));
}

/** The cells in which something came and went again: what repaints them in another load is the same. */
export function placesOfNotices(changes: readonly VisualChange[]): ReadonlySet<number> {
  return new Set(changes.flatMap((end) => inPlace(end, changes).flatMap(({ cells = [] }) => [...cells])));
}

function isPartOf({ from, to, cells }: Notice, change: VisualChange): boolean {
  return change.at >= from && change.at <= to && (cells === undefined || isWithin(change.cells, cells));
}

function isWithin(cells: ReadonlySet<number> = new Set(), place: ReadonlySet<number>): boolean {
  return cells.size > 0 && [...cells].every((cell) => place.has(cell));
}

/** The notice that a change ends, if the whole picture is as it was before. */
function overAll(
  { at: to, undoneFrom: from }: VisualChange,
  changes: readonly VisualChange[],
  longest: Ms,
): readonly Notice[] {
  if (from === undefined || to - from > longest) return [];
  const all = changes.filter(({ at }) => at >= from && at <= to);
  return all[0]?.at === from && all.every(isSmall) ? [{ from, to }] : [];
}

/** The same of a place that rested before, or had only been painted for the first time, and rests again. */
function inPlace(
  { at: to, shownUntil: from, cells }: VisualChange,
  changes: readonly VisualChange[],
): readonly Notice[] {
  if (from === undefined || to - from > USUAL_WINDOW_MS || !cells) return [];
  const notice: Notice = { from, to, cells };
  const [first] = changes;
  const touches = (since: Ms, until: Ms): boolean =>
    changes.some(
      (each) =>
        each !== first && each.at > since && each.at < until && [...(each.cells ?? [])].some((cell) => cells.has(cell)),
    );
  // A number that counts up shows a digit again sooner.
  if (touches(from - DRAWN_WITHIN_MS, from) || touches(to, to + DRAWN_WITHIN_MS)) return [];
  return changes.every((change) => !isPartOf(notice, change) || isSmall(change)) ? [notice] : [];
}

/** What comes over more of the viewport and goes again, the user waits for: it covers the page. */
const isSmall = ({ share }: VisualChange): boolean => share < SMALL_PART;
