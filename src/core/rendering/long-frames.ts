import type { BlockingScript, CalledTime, TaskName } from '../../model/main-thread.ts';
import type { LongFrame, LongTask } from '../../model/metrics/metrics.ts';
import type { Visit } from '../../model/network/visit.ts';
import { ownershipOf } from '../requests/party.ts';
import { defined } from '../text/defined.ts';
import { overlapOf, stretchOf } from '../time/overlap.ts';
import { toMicroseconds } from '../time/time.ts';

/** Scripts of a run, or of a frame, that are listed. */
const MAX_SCRIPTS = 20;

/**
 * Which scripts ran in the long frames of a load until page complete; undefined where the browser does not tell (Long
 * Animation Frames: Chrome 123), or the page was never complete.
 */
export function blockingScripts({ recording: { page }, complete }: Visit): readonly BlockingScript[] | undefined {
  const frames = page?.longFrames;
  if (!frames || complete.state !== 'complete') return undefined;
  const pageUrl = page.finalUrl;
  const found = new Map<string, ScriptSum>();
  for (const { at, blocking, scripts } of frames.filter((frame) => frame.at < complete.at)) {
    const inFrame = scripts.reduce((sum, { duration }) => sum + duration, 0);
    for (const { url, duration, forced, name, invoker, position, place } of scripts) {
      const known = found.get(url) ?? { ms: 0, blocking: 0, forced: 0, calls: new Map<string, CalledTime>() };
      found.set(url, known);
      const ms = Math.min(duration, complete.at - at);
      known.ms += ms;
      known.forced += forced;
      const call = `${position} ${name ?? invoker}`;
      known.calls.set(call, { ...defined({ name, invoker, place }), ms: ms + (known.calls.get(call)?.ms ?? 0) });
      // What a frame blocks, its scripts block by their shares: the browser says no more.
      known.blocking += inFrame > 0 ? (blocking * duration) / inFrame : 0;
    }
  }
  return [...found]
    .map(([url, { ms, blocking, forced, calls }]) => ({
      url,
      ...ownershipOf(pageUrl, url),
      ms: toMicroseconds(ms),
      blocking: toMicroseconds(blocking),
      forced: toMicroseconds(forced),
      ...longestOf([...calls.values()]),
    }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, MAX_SCRIPTS);
}

interface ScriptSum {
  ms: number;
  blocking: number;
  forced: number;
  /** By what was called. */
  readonly calls: Map<string, CalledTime>;
}

function longestOf(calls: readonly CalledTime[]): Pick<BlockingScript, 'longest'> {
  const [longest] = calls
    .filter(({ name, invoker }) => name !== undefined || invoker !== undefined)
    .toSorted((a, b) => b.ms - a.ms);
  return longest ? { longest: { ...longest, ms: toMicroseconds(longest.ms) } } : {};
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
      .slice(0, MAX_SCRIPTS)
      .map((script) => ({
        ...script,
        duration: toMicroseconds(script.duration),
        forced: toMicroseconds(script.forced),
      })),
  };
}

/** Who ran a long task: the script of the long frames around it that took most of it; undefined where it was no script, or it is not known. */
export function nameOfTask(task: LongTask, frames: readonly LongFrame[] | undefined): TaskName | undefined {
  const scripts = (frames ?? [])
    .flatMap((frame) => frame.scripts)
    .map((script) => ({ script, ms: overlapOf(stretchOf(task), stretchOf(script)) }))
    .filter(({ ms }) => ms > 0)
    .toSorted((a, b) => b.ms - a.ms);
  const [first] = scripts;
  if (!first) return undefined;
  const { url, name, invoker, place } = first.script;
  return { url, ms: toMicroseconds(first.ms), ...defined({ function: name, invoker, place }) };
}
