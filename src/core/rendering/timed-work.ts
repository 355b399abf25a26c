import type { KnownCause } from '../../model/completion/causes.ts';
import type { MainThread, NamedPlace, StepPlace, Work } from '../../model/main-thread.ts';
import type { LongFrameScript, TimingEntries } from '../../model/metrics/metrics.ts';
import type { KnownOfPage } from '../../model/network/visit.ts';
import { defined } from '../text/defined.ts';
import { type Stretch, stretchOf } from '../time/overlap.ts';

/**
 * What the main thread of a timed load did, in order of time, as far as the page's own timeline tells: the scripts of its
 * long frames, their style and layout, and what is left of long tasks. Shorter tasks are in nobody's timeline.
 *
 * @param places functions that take long, by their script, where an untimed load was traced
 */
export function workInTimings(
  { longTasks = [], longFrames = [] }: TimingEntries,
  places: readonly StepPlace[] = [],
): readonly Work[] {
  const scripts = longFrames
    .flatMap((frame) => frame.scripts)
    .filter(({ url, duration }) => url !== '' && duration > 0);
  const ofScripts = scripts.map((script): Work => {
    const { from, to } = stretchOf(script);
    const category = script.forced * 2 > script.duration ? 'styleLayout' : 'scriptEvaluation';
    return { at: from, until: to, ms: script.duration, category, place: placeOf(script, places) };
  });
  const ofStyles = longFrames.flatMap(({ at, duration, styleFrom }): readonly Work[] => {
    const until = at + duration;
    return styleFrom === undefined || styleFrom >= until
      ? []
      : [{ at: styleFrom, until, ms: until - styleFrom, category: 'styleLayout' }];
  });
  const named = [...ofScripts, ...ofStyles];
  const unnamed = longTasks.flatMap((task) => leftOf(stretchOf(task), named));
  return [...named, ...unnamed].toSorted((a, b) => a.at - b.at);
}

/** The pieces of a task that nothing named covers; `named` in any order. */
function leftOf({ from, to }: Stretch, named: readonly Work[]): readonly Work[] {
  const left: Work[] = [];
  let at = from;
  for (const each of named.toSorted((a, b) => a.at - b.at)) {
    if (each.until <= at) continue;
    if (each.at >= to) break;
    if (each.at > at) left.push({ at, until: each.at, ms: each.at - at });
    at = each.until;
  }
  return at < to ? [...left, { at, until: to, ms: to - at }] : left;
}

/** The browser names what it called; where that is a whole file, the untimed load knows which function in it takes long. */
function placeOf({ url, name, place }: LongFrameScript, places: readonly StepPlace[]): StepPlace {
  if (name !== undefined || place !== undefined) return { url, ...place, ...defined({ function: name }) };
  return places.find((each) => each.url === url) ?? { url };
}

/** What every load of a page is told of it, out of what its untimed load showed. */
export function knownOf({ mainThread, causes }: UntimedKnowledge): KnownOfPage | undefined {
  if (mainThread === undefined && causes === undefined) return undefined;
  return { ...(mainThread && { places: longPlacesOf(mainThread) }), ...defined({ causes }) };
}

/** What an untimed load has shown. */
interface UntimedKnowledge {
  readonly mainThread?: MainThread | undefined;
  readonly causes?: readonly KnownCause[] | undefined;
}

/** The function of each script that took longest in a traced load: first in its long tasks, and else of all. */
function longPlacesOf({ longTasks, byScript }: Pick<MainThread, 'longTasks' | 'byScript'>): readonly StepPlace[] {
  const places = new Map<string, StepPlace>();
  for (const { url, function: called } of longTasks.toSorted((a, b) => b.duration - a.duration)) {
    if (url === undefined || called === undefined || places.has(url)) continue;
    places.set(url, { url, ...positionOf(called) });
  }
  for (const { url, functions } of byScript) {
    const [longest] = functions;
    if (longest && !places.has(url)) places.set(url, { url, ...positionOf(longest) });
  }
  return [...places.values()];
}

function positionOf({ name, line, column, source }: NamedPlace): Omit<StepPlace, 'url'> {
  return { line, column, function: name, ...(source && { source }) };
}
