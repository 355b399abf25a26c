import type { CodeProfile, ProfiledFunction, ScriptTime } from '../../model/main-thread.ts';
import type { RecordedProfile } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { createSampleReader, type StackFrame, samplesOfProfile } from './samples.ts';
import { createScriptSum, placeKey } from './scripts.ts';
import { type SourceLookup, sourceOfFunction } from './source-map.ts';

/** Functions that took less, with all that they called, in the mean of all loads are not kept, ms: no change of one matters. */
const KEPT_MS = 0.5;

/** Which part of a profile is read. */
export interface ProfileScope {
  /** Until when, ms: page complete. */
  readonly until: Ms;
  readonly pageUrl: string;
  /** Source maps by the address of their script. */
  readonly sources?: ReadonlyMap<string, SourceLookup>;
}

/** What all functions of a page's scripts took in one profiled load, without garbage and compiling. */
export function readCodeProfile(
  { profile, zero }: RecordedProfile,
  { until, pageUrl, sources }: ProfileScope,
): readonly ScriptTime[] {
  const samples = samplesOfProfile(profile);
  // What ran before the first sample and after the last one is not known.
  const from = Math.round(Math.max(zero, samples[0]?.at ?? zero));
  const to = Math.round(Math.min(zero + until * 1000, samples.at(-1)?.at ?? zero));
  const pieces = createSampleReader(samples)(from, to);
  const scripts = createScriptSum();
  for (const [i, { at, frame }] of pieces.entries()) {
    const ends = Math.min(to, pieces[i + 1]?.at ?? to);
    if (frame) scripts.add(frame.url, frame, 'scriptEvaluation', (ends - at) / 1000);
  }
  const sourceOf = (frame: StackFrame) => sourceOfFunction(sources?.get(frame.url), frame);
  return scripts.whole(pageUrl, sourceOf);
}

/** What the same build took in several loads: 0 in a load in which something was not seen. */
export function joinProfiles(loads: readonly (readonly ScriptTime[])[]): CodeProfile {
  const urls = [...new Set(loads.flatMap((scripts) => scripts.map(({ url }) => url)))];
  return {
    loads: loads.length,
    scripts: urls.map((url) => {
      const inLoads = loads.map((scripts) => scripts.find((each) => each.url === url));
      return { url, ms: inLoads.map((script) => script?.ms ?? 0), functions: functionsOf(inLoads) };
    }),
  };
}

function functionsOf(inLoads: readonly (ScriptTime | undefined)[]): readonly ProfiledFunction[] {
  const byPlace = inLoads.map((script) => new Map((script?.functions ?? []).map((each) => [placeKey(each), each])));
  const all = new Map(byPlace.flatMap((functions) => [...functions]));
  return [...all]
    .map(([key, { name, line, column, source }]) => ({
      name,
      line,
      column,
      source,
      ms: byPlace.map((functions) => functions.get(key)?.ms ?? 0),
      withCalled: byPlace.map((functions) => functions.get(key)?.withCalled ?? 0),
    }))
    .filter(({ withCalled }) => withCalled.reduce((sum, ms) => sum + ms, 0) >= KEPT_MS * inLoads.length)
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
}
