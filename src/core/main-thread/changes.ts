import type { Build, Decision, PlacedRun } from '../../model/compare/comparison.ts';
import type {
  ChangeOverLoads,
  CodeChange,
  CodeChangesFacts,
  CodeProfile,
  MainThread,
  MainThreadCategory,
  ScriptTime,
  UnreadMap,
} from '../../model/main-thread.ts';
import type { Ms } from '../../model/units.ts';
import { type NameOf, settledAddresses } from '../changes/settled-addresses.ts';
import { estimateShift } from '../experiment/hodges-lehmann.ts';
import { normalQuantile } from '../experiment/normal.ts';
import { pairedValues, valuesOf } from '../experiment/paired-values.ts';
import { defined } from '../text/defined.ts';
import { estimateMedian } from '../time/median.ts';
import { toMicroseconds } from '../time/time.ts';
import { profileChanges } from './profile-changes.ts';
import { PROVEN_LEVEL } from './proven.ts';
import { isWorthNaming } from './worth-naming.ts';

/** Coverage of the intervals. */
const LEVEL = 0.95;
/** Of those that decide whether to look more closely: that proves nothing yet, and must not miss much. */
const LOOK_LEVEL = 0.9;
/** What a main thread did in a timed run: by the wall's clock, and by the processor's, which other programs disturb less. */
const METRICS = ['mainThreadTime', 'cpuTime'] as const;
/** What a closer look finds: the timed runs say that there is no such change, or they say nothing. Ms, and a share of the base. */
const FOUND_MS = 20;
const FOUND_SHARE = 0.05;
/** Coverage where fewer profiled loads than planned are looked at, and the share of the timed change that they must find. */
export const EARLY_LEVEL = 0.99;
const FOUND_EARLY_SHARE = 0.7;
/** Scripts that are listed; changes that are smaller than this are noise of one load, ms. */
const MAX_SCRIPTS = 20;
const SMALLEST_MS = 1;

/** What a profile counts for a function: what it ran, and the layouts that it forced. */
const PROFILED: readonly MainThreadCategory[] = ['scriptEvaluation', 'styleLayout'];

/** A build as it was traced, profiled and timed. */
interface TracedBuild {
  readonly mainThread?: MainThread;
  readonly codeProfile?: CodeProfile;
  readonly url: string;
  readonly finalUrl?: string;
  /** The step of a script that it is; no step is traced. */
  readonly step?: string;
}

/**
 * Which code of two builds took longer or shorter. What has an interval is over the timed or the profiled loads; the rest
 * is from one traced load of each. It is information and decides nothing. Undefined of loads that were not traced.
 *
 * @param runs timed runs that count
 * @param level coverage of the intervals over the profiled loads
 */
export function codeChanges(
  base: TracedBuild,
  candidate: TracedBuild,
  runs: readonly PlacedRun[],
  level = PROVEN_LEVEL,
): CodeChangesFacts | undefined {
  const traced =
    base.mainThread && candidate.mainThread ? ([base.mainThread, candidate.mainThread] as const) : undefined;
  if (traced === undefined && candidate.step === undefined) return undefined;
  const [before, after] = scriptsByName(base, candidate, runs);
  const profiled =
    base.codeProfile && candidate.codeProfile
      ? profileChanges(
          { profile: base.codeProfile, nameOf: before.nameOf },
          { profile: candidate.codeProfile, nameOf: after.nameOf },
          level,
        )
      : undefined;
  const names = [...new Set([...before.scripts.keys(), ...after.scripts.keys(), ...(profiled?.scripts.keys() ?? [])])];
  const byScript = names
    .map((name): CodeChange => {
      const [was, is] = [before.scripts.get(name) ?? [], after.scripts.get(name) ?? []];
      const figures = { base: msOf(was), candidate: msOf(is) };
      const inProfile = profiled?.scripts.get(name);
      const timed = timedChange(runs, (run, url) => (run.build === 'base' ? before : after).nameOf(url) === name);
      const direction = Math.sign(inProfile?.profiled.difference ?? figures.candidate - figures.base);
      return {
        name,
        url: after.urls.get(name) ?? before.urls.get(name) ?? name,
        ...figures,
        ...defined({ category: mostChanged(was, is, direction, inProfile && PROFILED), ...inProfile, timed }),
      };
    })
    .filter((change) => sizeOf(change) >= SMALLEST_MS || provenSize(change) > 0 || change.timed !== undefined)
    .toSorted((a, b) => provenSize(b) - provenSize(a) || sizeOf(b) - sizeOf(a))
    .slice(0, MAX_SCRIPTS);
  const timed = timedMetric(runs, 'mainThreadTime');
  const unreadMaps = unreadMapsOf([
    [before, base],
    [after, candidate],
  ]).filter(({ name }) => byScript.some((change) => change.name === name));
  return {
    ...(traced && { base: traced[0].ms, candidate: traced[1].ms }),
    timed,
    profiledLoads: profiled && base.codeProfile?.loads,
    byCategory: traced ? categoryChanges(...traced) : [],
    byScript,
    byPackage: profiled?.packages ?? [],
    ...(unreadMaps.length > 0 && { unreadMaps: unreadMaps.map(({ map }) => map) }),
  };
}

/**
 * Is there something to be looked at more closely? Not where nothing in the timed runs seems to have changed, and they show
 * either that the builds are the same, or that the main thread was as busy, or took as much of a processor, as before.
 *
 * @param decision what the gate metrics say together
 */
export function mayHaveChanged(
  { byScript }: CodeChangesFacts,
  runs: readonly PlacedRun[],
  decision: Decision,
): boolean {
  const whole = METRICS.map((name) => timedMetric(runs, name, LOOK_LEVEL));
  if ([...whole, ...byScript.map(({ timed }) => timed)].some(isWorthNaming)) return true;
  return decision !== 'same' && !whole.some(isSame);
}

/**
 * Have fewer profiled loads than planned found it already? A function is named that has most of what changed in the timed
 * runs. To be asked of changes at `EARLY_LEVEL`: who asks more than once is wrong more often.
 */
export function isFound({ timed, byScript }: CodeChangesFacts): boolean {
  const { difference: whole = 0 } = timed ?? {};
  const named = byScript.flatMap(({ functions = [] }) => functions.map(({ difference = 0 }) => difference));
  return whole !== 0 && named.some((each) => each / whole >= FOUND_EARLY_SHARE);
}

function isSame(change: ChangeOverLoads | undefined): boolean {
  const { base = 0, low, high } = change ?? {};
  const found = Math.max(FOUND_MS, FOUND_SHARE * base);
  return low !== undefined && high !== undefined && low > -found && high < found;
}

/** How much of a script's change is proven in the profiled loads: of all of it, or of its functions. */
function provenSize({ profiled, functions = [] }: CodeChange): Ms {
  const proven = [profiled, ...functions].filter(isWorthNaming);
  return Math.max(0, ...proven.map((each) => Math.abs(each?.difference ?? 0)));
}

/** Maps of both builds; what neither could read, once. */
function unreadMapsOf(
  builds: readonly (readonly [NamedScripts, TracedBuild])[],
): readonly { readonly name: string; readonly map: UnreadMap }[] {
  const all = builds.flatMap(([{ nameOf }, { mainThread }]) =>
    (mainThread?.unreadMaps ?? []).map((map) => ({ name: nameOf(map.url), map })),
  );
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

interface Figures {
  readonly base: Ms;
  readonly candidate: Ms;
}

const sizeOf = ({ base, candidate }: Figures): Ms => Math.abs(candidate - base);

// --- Names ---------------------------------------------------------------------------------------------------------

interface NamedScripts {
  /** Files that differ in nothing but a hash are one. */
  readonly scripts: ReadonlyMap<string, readonly ScriptTime[]>;
  /** Their addresses by their names. */
  readonly urls: ReadonlyMap<string, string>;
  readonly nameOf: NameOf;
}

/** Scripts of both builds under the names that they have in both: without hashes and the page's own origin. */
function scriptsByName(
  base: TracedBuild,
  candidate: TracedBuild,
  runs: readonly PlacedRun[],
): readonly [NamedScripts, NamedScripts] {
  const addressesOf = (build: TracedBuild, of: Build) => ({
    urls: [
      ...(build.mainThread?.byScript ?? []).map(({ url }) => url),
      ...(build.codeProfile?.scripts ?? []).map(({ url }) => url),
      ...runs
        .filter((run) => run.build === of)
        .flatMap(({ blockingScripts = [] }) => blockingScripts.map(({ url }) => url)),
    ],
    pageUrl: build.finalUrl ?? build.url,
  });
  const addresses = { base: addressesOf(base, 'base'), candidate: addressesOf(candidate, 'candidate') };
  const [baseNames, candidateNames] = settledAddresses(addresses.base, addresses.candidate);
  const named = (build: TracedBuild, urls: readonly string[], nameOf: NameOf): NamedScripts => ({
    nameOf,
    urls: new Map(urls.toReversed().map((url) => [nameOf(url), url])),
    scripts: Map.groupBy(build.mainThread?.byScript ?? [], ({ url }) => nameOf(url)),
  });
  return [named(base, addresses.base.urls, baseNames), named(candidate, addresses.candidate.urls, candidateNames)];
}

// --- Scripts -------------------------------------------------------------------------------------------------------

function msOf(scripts: readonly { readonly ms: Ms }[]): Ms {
  return toMicroseconds(scripts.reduce((sum, { ms }) => sum + ms, 0));
}

/** The kind of work that changed most in a direction, of all kinds or of some. */
function mostChanged(
  before: readonly ScriptTime[],
  after: readonly ScriptTime[],
  direction: number,
  of?: readonly string[],
): MainThreadCategory | undefined {
  const sums = new Map<string, number>();
  const add = (scripts: readonly ScriptTime[], sign: number): void => {
    for (const { byCategory } of scripts) {
      for (const [category, ms] of Object.entries(byCategory))
        sums.set(category, (sums.get(category) ?? 0) + sign * ms);
    }
  };
  add(after, direction);
  add(before, -direction);
  const [most] = [...sums].filter(([category]) => of?.includes(category) ?? true).toSorted(([, a], [, b]) => b - a);
  return most && most[1] >= SMALLEST_MS ? (most[0] as MainThreadCategory) : undefined;
}

// --- Timed runs ----------------------------------------------------------------------------------------------------

/** How long scripts ran in long frames of the timed runs; undefined unless every run tells, or where there were none. */
function timedChange(
  runs: readonly PlacedRun[],
  isIt: (run: PlacedRun, url: string) => boolean,
): ChangeOverLoads | undefined {
  if (runs.some(({ blockingScripts }) => blockingScripts === undefined)) return undefined;
  const read = (run: PlacedRun): number => msOf((run.blockingScripts ?? []).filter(({ url }) => isIt(run, url)));
  return runs.every((run) => read(run) === 0) ? undefined : changeOver(runs, read);
}

/** A figure of the timed runs; undefined unless every run tells. */
function timedMetric(
  runs: readonly PlacedRun[],
  name: (typeof METRICS)[number],
  level = LEVEL,
): ChangeOverLoads | undefined {
  const read = ({ metrics }: PlacedRun): number | undefined => metrics?.[name];
  return runs.length === 0 || runs.some((run) => read(run) === undefined) ? undefined : changeOver(runs, read, level);
}

function changeOver(
  runs: readonly PlacedRun[],
  read: (run: PlacedRun) => number | undefined,
  level = LEVEL,
): ChangeOverLoads {
  const shift = estimateShift(pairedValues(runs, read));
  const { low, high } = shift?.interval(normalQuantile((1 + level) / 2)) ?? {};
  return {
    base: toMicroseconds(estimateMedian(valuesOf('base', runs, read))?.median ?? 0),
    candidate: toMicroseconds(estimateMedian(valuesOf('candidate', runs, read))?.median ?? 0),
    ...(shift && { difference: toMicroseconds(shift.estimate) }),
    ...(low !== undefined && { low: toMicroseconds(low) }),
    ...(high !== undefined && { high: toMicroseconds(high) }),
    level,
  };
}

// --- Categories --------------------------------------------------------------------------------------------------------

function categoryChanges(base: MainThread, candidate: MainThread): CodeChangesFacts['byCategory'] {
  const categories = new Set([...Object.keys(base.byCategory), ...Object.keys(candidate.byCategory)]);
  return ([...categories] as MainThreadCategory[])
    .map((category) => ({
      category,
      base: base.byCategory[category] ?? 0,
      candidate: candidate.byCategory[category] ?? 0,
    }))
    .toSorted((a, b) => sizeOf(b) - sizeOf(a));
}
