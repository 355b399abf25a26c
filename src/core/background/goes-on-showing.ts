import type { VisualChange } from '../../model/picture.ts';
import type { Request } from '../../model/timeline.ts';
import { DRAWN_WITHIN_MS, HABIT, LONGEST_PAUSE_MS } from '../lags.ts';
import { endOf } from '../timeline/inflight.ts';
import { MOVES_FROM } from '../visual/changes.ts';
import { cellsOf, isMostOf } from '../visual/grid.ts';
import { follows } from '../visual/impact.ts';
import { isSteady, JITTER, PAUSE_SHARE, rhythmOf } from './rhythm.ts';

/** So many pictures that take the place of another one are no chance. */
const MIN_REPLACED = 2;

/**
 * Does a place on the screen, in which things were shown as they came, go on to show them when no more of them are asked for,
 * in the same rhythm? A carousel does that has loaded all its pictures. What is filled in piece by piece, and what waits for a
 * job, does not show the same again, and pictures do not take each other's place.
 *
 * @param heads what was asked for, one for each turn
 * @param drawn all changes of the picture, also of what moves by itself, as a picture does that fades in
 */
export function goesOnShowing(heads: readonly Request[], drawn: readonly VisualChange[]): boolean {
  const [, ...later] = heads;
  const last = later.at(-1);
  const rhythm = rhythmOf(heads);
  const isSeries = heads.length >= HABIT;
  if (!last || (isSeries && !isSteady(rhythm))) return false;
  // The first one fills the place, and others with it. One that was loaded ahead is shown when the next one is asked for.
  const shown = later.map((head) => drawn.filter(({ at }) => follows(at, [head.startedAt, endOf(head)])));
  const place = cellsOf(shown.flat());
  const replaced = shown.filter(
    (own) => own.some(({ covered = 0 }) => covered >= MOVES_FROM) && isMostOf(place, cellsOf(own)),
  );
  // The second may be loaded ahead while the first is shown.
  const areReplaced =
    heads.every(({ type }) => type === 'image') && replaced.length >= Math.max(MIN_REPLACED, shown.length - 1);
  const there = drawn.filter(({ cells = new Set() }) => isMostOf(cells, place));
  // What moves all the time has no turns.
  const turned = there.filter(({ at }, i) => at - (there[i - 1]?.at ?? 0) >= PAUSE_SHARE * rhythm.period);
  const lastShown = endOf(last) + DRAWN_WITHIN_MS;
  const { period } = rhythm;
  let turns = heads.length;
  let from = last.startedAt;
  for (;;) {
    const earliest = Math.max(lastShown, from + period * (1 - JITTER));
    const latest = from + period * (1 + JITTER);
    const restsBy = from + 2 * period;
    const next = turned.find(({ at }) => at >= earliest && at <= latest);
    if (!next) break;
    const turn = there.filter(({ at }) => at >= next.at && at <= next.at + LONGEST_PAUSE_MS);
    const isAgain = there.some(
      (each) =>
        each.shownUntil !== undefined && each.at >= next.at && each.at <= Math.max(next.at + LONGEST_PAUSE_MS, restsBy),
    );
    if (!(isAgain || (areReplaced && isMostOf(place, cellsOf(turn))))) break;
    turns += 1;
    from = next.at;
  }
  return turns > Math.max(heads.length, HABIT);
}
