import type { FixFact } from '../../model/fixes.ts';
import type { Work } from '../../model/main-thread.ts';
import { workOf } from '../path/path-work.ts';
import { union } from '../time/overlap.ts';
import { toMicroseconds } from '../time/time.ts';
import { type Fix, isWorthIt } from './fix.ts';
import type { Load } from './replay/load.ts';
import { savingOf } from './replay/replay.ts';

/**
 * Scripts whose work the page waits for: shortened, split or deferred, they would not hold up what comes after them. A script
 * counts for all that it calls in other files.
 */
export const slowScript: Fix = (load) => {
  const ran = workOf(load.visit).filter(({ place, at }) => place !== undefined && at < load.completeAt);
  return [...Map.groupBy(ran, ({ place }) => place?.url ?? '')].flatMap(([url, work]): readonly FixFact[] => {
    const { savesMs, ms } = without(work, load);
    return isWorthIt(load, savesMs)
      ? [{ code: 'slow-script', urls: [url], savesMs, facts: { url, ms, ...longestOf(work) } }]
      : [];
  });
};

/** Style and layout that no script forced, and the page waits for. */
export const slowLayout: Fix = (load) => {
  const done = workOf(load.visit).filter(
    ({ place, category, at }) => place === undefined && category === 'styleLayout' && at < load.completeAt,
  );
  const { savesMs, ms } = without(done, load);
  return isWorthIt(load, savesMs)
    ? [{ code: 'slow-layout', urls: [load.document.request.url], savesMs, facts: { ms } }]
    : [];
};

/** What a page without this work would save, and how long the work takes before page complete, ms. */
function without(work: readonly Work[], load: Load) {
  const idle = union(work.map(({ at, until }) => ({ from: at, to: Math.min(until, load.completeAt) })));
  const ms = idle.reduce((sum, { from, to }) => sum + to - from, 0);
  return { savesMs: savingOf(load, { idle }), ms: toMicroseconds(ms) };
}

/** The function that ran longest in one piece, where it is known. */
function longestOf(work: readonly Work[]) {
  const [longest] = work.toSorted((a, b) => b.ms - a.ms);
  const { function: called, line, column, source } = longest?.place ?? {};
  const place = line === undefined || column === undefined ? undefined : { line, column, source };
  return { function: called, place };
}
