import type { Ms } from '../../model/units.ts';
import type { Mask } from './mask.ts';
import { isSame, type Sketch, stillSquares, unlikeSquares } from './progress.ts';

/** A film of which few frames are to be shown. */
export interface Reel {
  /** Every frame, in order of time. */
  readonly sketches: readonly Sketch[];
  /** When what is seen changed, moving parts left out. */
  readonly changedAt: readonly Ms[];
  readonly moving?: Mask;
}

/** A frame that differs from those shown beside it in less than this share of all that was drawn tells nothing new. */
const NOTABLE = 0.03;

/** So many of the frames may be of the time after page complete; the load itself is what a filmstrip is read for. */
const MOST_AFTERWARDS = 2;

/**
 * The times of at most `most` frames that show how the page came about, in order: the first, what was seen at each of
 * the moments, and of the others those that differ most from what is shown before and after them, first of all up to
 * `completeAt`. Two in a row never look the same, moving parts left out.
 */
export function keyFrames(reel: Reel, moments: readonly Ms[], completeAt: Ms, most: number): readonly Ms[] {
  const changed = new Set(reel.changedAt);
  const candidates = reel.sketches.filter(({ at }, i) => i === 0 || changed.has(at));
  const [first] = candidates;
  if (!first) return [];
  const still = stillSquares(first, reel.moving);
  const early = candidates.filter(({ at }) => at <= completeAt);
  const notable = Math.max(1, NOTABLE * unlikeSquares(first, early.at(-1) ?? first, still));
  const news = createNews(still);
  const shown = new Set([first, ...moments.map((moment) => candidates.findLast(({ at }) => at <= moment) ?? first)]);
  const addFrom = (others: readonly Sketch[], limit: number): void => {
    while (shown.size < limit) {
      const so = inOrder(shown);
      const ranked = others.filter((each) => !shown.has(each)).map((sketch) => ({ sketch, news: news(sketch, so) }));
      const best = ranked.reduce<(typeof ranked)[number] | undefined>(
        (a, b) => (a && a.news >= b.news ? a : b),
        undefined,
      );
      if (!best || best.news < notable) return;
      shown.add(best.sketch);
    }
  };
  addFrom(early, most);
  addFrom(candidates.slice(early.length), Math.min(most, shown.size + MOST_AFTERWARDS));
  const distinct: Sketch[] = [];
  for (const sketch of inOrder(shown)) {
    const before = distinct.at(-1);
    if (!before || !isSame(before, sketch, still)) distinct.push(sketch);
  }
  return distinct.slice(0, most).map(({ at }) => at);
}

/** In how many squares a sketch differs from the one shown before it and from the one after it, the smaller number. */
function createNews(still: readonly number[]): (sketch: Sketch, shown: readonly Sketch[]) => number {
  // A frame that is added changes the neighbours of few others.
  const known = new Map<Sketch, Map<Sketch, number>>();
  const unlike = (sketch: Sketch, other: Sketch): number => {
    const numbers = known.get(sketch) ?? new Map<Sketch, number>();
    known.set(sketch, numbers);
    const number = numbers.get(other) ?? unlikeSquares(sketch, other, still);
    numbers.set(other, number);
    return number;
  };
  return (sketch, shown) => {
    const neighbours = [shown.findLast(({ at }) => at <= sketch.at), shown.find(({ at }) => at > sketch.at)];
    return Math.min(...neighbours.flatMap((each) => (each ? [unlike(sketch, each)] : [])));
  };
}

function inOrder(sketches: Iterable<Sketch>): readonly Sketch[] {
  return [...sketches].sort((a, b) => a.at - b.at);
}
