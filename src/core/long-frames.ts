import type { BlockingScript, TaskName } from '../model/main-thread.ts';
import type { LongFrame, LongTask } from '../model/metrics.ts';
import type { Visit } from '../model/visit.ts';
import { overlapOf, stretchOf } from './overlap.ts';
import { toMicroseconds } from './time.ts';

/** Scripts of a run, or of a frame, that are listed. */
const LISTED = 20;

/**
 * Which scripts ran in the long frames of a load until page complete; undefined where the browser does not tell (Long
 * Animation Frames: Chrome 123), or the page was never complete.
 */
export function blockingScripts({ recording: { page }, complete }: Visit): readonly BlockingScript[] | undefined {
  const frames = page?.longFrames;
  if (!frames || complete.state !== 'complete') return undefined;
  const found = new Map<string, { ms: number; blocking: number; forced: number }>();
  for (const { at, blocking, scripts } of frames.filter((frame) => frame.at < complete.at)) {
    const inFrame = scripts.reduce((sum, { duration }) => sum + duration, 0);
    for (const { url, duration, forced } of scripts) {
      const known = found.get(url) ?? { ms: 0, blocking: 0, forced: 0 };
      found.set(url, known);
      known.ms += Math.min(duration, complete.at - at);
      known.forced += forced;
      // What a frame blocks, its scripts block by their shares: the browser says no more.
      known.blocking += inFrame > 0 ? (blocking * duration) / inFrame : 0;
    }
  }
  return [...found]
    .map(([url, { ms, blocking, forced }]) => ({
      url,
      ms: toMicroseconds(ms),
      blocking: toMicroseconds(blocking),
      forced: toMicroseconds(forced),
    }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, LISTED);
}

/**
 * The longest of the long frames of a load or a step until page complete, with its scripts, the longest first. An
 * interaction may be painted when its step is complete already: frames until then belong to it. That frame need not be the
 * one that the interaction waited for, which may well be shorter: what it waited for is among the interaction's own
 * scripts. Undefined where there was none, where the browser does not tell, and where the page was never complete.
 */
export function longestFrame({ recording: { page }, complete }: Visit): LongFrame | undefined {
  if (complete.state !== 'complete') return undefined;
  const until = Math.max(complete.at, ...(page?.interactions ?? []).map(({ at, duration }) => at + duration));
  const frames = (page?.longFrames ?? []).filter(({ at }) => at < until);
  const [longest] = frames.toSorted((a, b) => b.duration - a.duration);
  if (!longest) return undefined;
  const { at, duration, blocking, scripts } = longest;
  return {
    at,
    duration: toMicroseconds(duration),
    blocking: toMicroseconds(blocking),
    scripts: scripts
      .toSorted((a, b) => b.duration - a.duration)
      .slice(0, LISTED)
      .map((script) => ({
        ...script,
        duration: toMicroseconds(script.duration),
        forced: toMicroseconds(script.forced),
      })),
  };
}

/** Who ran a long task: the script of the long frames around it that took most of it; undefined where it was no script, or nobody tells. */
export function nameOfTask(task: LongTask, frames: readonly LongFrame[] | undefined): TaskName | undefined {
  const scripts = (frames ?? [])
    .flatMap((frame) => frame.scripts)
    .map((script) => ({ script, ms: overlapOf(stretchOf(task), stretchOf(script)) }))
    .filter(({ ms }) => ms > 0)
    .toSorted((a, b) => b.ms - a.ms);
  const [first] = scripts;
  if (!first) return undefined;
  const { url, name, invoker } = first.script;
  return {
    url,
    ms: toMicroseconds(first.ms),
    ...(name !== undefined && { function: name }),
    ...(invoker !== undefined && { invoker }),
  };
}
