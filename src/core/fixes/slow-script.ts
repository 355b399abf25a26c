import type { FixFact } from '../../model/fix.ts';
import type { LongFrameScript } from '../../model/metrics.ts';
import { defined } from '../defined.ts';
import { stretchOf, union } from '../overlap.ts';
import { toMicroseconds } from '../time.ts';
import { type Fix, isWorthIt } from './fix.ts';
import { savingOf } from './replay.ts';

/**
 * Scripts whose work the page waits for: shortened, split or deferred, they would not hold up what comes after them. Known
 * from the browser's long frames (Chrome 123); a script counts for all that it calls in other files.
 */
export const slowScript: Fix = (load) => {
  const ran = (load.visit.recording.page?.longFrames ?? [])
    .flatMap(({ scripts }) => scripts)
    .filter(({ url, at }) => url !== '' && at < load.completeAt);
  return [...Map.groupBy(ran, ({ url }) => url)].flatMap(([url, scripts]): readonly FixFact[] => {
    const idle = union(scripts.map((script) => stretchOf(script)));
    const savesMs = savingOf(load, { idle });
    if (!isWorthIt(load, savesMs)) return [];
    const ms = idle.reduce((sum, { from, to }) => sum + Math.min(to, load.completeAt) - from, 0);
    return [
      {
        code: 'slow-script',
        urls: [url],
        savesMs,
        facts: { url, ms: toMicroseconds(ms), ...longestOf(scripts) },
      },
    ];
  });
};

/** What the browser called in it for longest, where it says. */
function longestOf(scripts: readonly LongFrameScript[]) {
  const [longest] = scripts.toSorted((a, b) => b.duration - a.duration);
  return longest === undefined ? {} : defined({ function: longest.name, place: longest.place });
}
