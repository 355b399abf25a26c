import type { Build, PlacedRun } from '../../model/comparison.ts';
import type {
  CodeChange,
  CodeChangesFacts,
  FunctionTime,
  MainThread,
  MainThreadCategory,
  NamedPlace,
  ScriptTime,
  TimedChange,
  UnreadMap,
} from '../../model/main-thread.ts';
import type { Ms } from '../../model/units.ts';
import { type NameOf, settledAddresses } from '../changes/settled-addresses.ts';
import { defined } from '../defined.ts';
import { estimateShift } from '../experiment/hodges-lehmann.ts';
import { normalQuantile } from '../experiment/normal.ts';
import { pairedValues, valuesOf } from '../experiment/paired-values.ts';
import { estimateMedian } from '../median.ts';
import { toMicroseconds } from '../time.ts';
import { ANONYMOUS } from './samples.ts';

/** Coverage of the intervals. */
const LEVEL = 0.95;
/** Scripts, packages that are listed; changes that are smaller than this are noise of one load, ms. */
const LISTED = 20;
const SMALLEST_MS = 1;
/** A function stands for its script's change when it has this share of it. */
const MAIN_SHARE = 0.5;

/** A build as it was traced and timed. */
interface TracedBuild {
  readonly mainThread?: MainThread;
  readonly url: string;
  readonly finalUrl?: string;
}

/**
 * Which code of two builds took longer or shorter, from the traces of their evidence runs: one load each, so it is
 * information and decides nothing. Where every timed run has the figure, the change has an interval. Undefined unless
 * both builds were traced.
 *
 * @param runs timed runs that count
 */
export function codeChanges(
  base: TracedBuild,
  candidate: TracedBuild,
  runs: readonly PlacedRun[],
): CodeChangesFacts | undefined {
  if (!base.mainThread || !candidate.mainThread) return undefined;
  const [before, after] = scriptsByName(base, candidate, runs);
  const names = [...new Set([...before.scripts.keys(), ...after.scripts.keys()])];
  const byScript = names
    .map((name) =>
      scriptChange(
        name,
        before.scripts.get(name) ?? [],
        after.scripts.get(name) ?? [],
        timedChange(runs, (run, url) => (run.build === 'base' ? before : after).nameOf(url) === name),
      ),
    )
    .filter((change) => isChange(change) || change.timed !== undefined)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, LISTED);
  const timed = timedMainThread(runs);
  const unreadMaps = unreadMapsOf([
    [before, base],
    [after, candidate],
  ]).filter(({ name }) => byScript.some((change) => change.name === name));
  return {
    base: base.mainThread.ms,
    candidate: candidate.mainThread.ms,
    ...(timed && { timed }),
    byCategory: categoryChanges(base.mainThread, candidate.mainThread),
    byScript,
    byPackage: packageChanges(before.scripts, after.scripts),
    ...(unreadMaps.length > 0 && { unreadMaps: unreadMaps.map(({ map }) => map) }),
  };
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
const isChange = (figures: Figures): boolean => sizeOf(figures) >= SMALLEST_MS;

// --- Names ---------------------------------------------------------------------------------------------------------

interface NamedScripts {
  /** Files that differ in nothing but a hash are one. */
  readonly scripts: ReadonlyMap<string, readonly ScriptTime[]>;
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
      ...runs
        .filter((run) => run.build === of)
        .flatMap(({ blockingScripts = [] }) => blockingScripts.map(({ url }) => url)),
    ],
    pageUrl: build.finalUrl ?? build.url,
  });
  const [baseNames, candidateNames] = settledAddresses(addressesOf(base, 'base'), addressesOf(candidate, 'candidate'));
  const named = (build: TracedBuild, nameOf: NameOf): NamedScripts => ({
    nameOf,
    scripts: Map.groupBy(build.mainThread?.byScript ?? [], ({ url }) => nameOf(url)),
  });
  return [named(base, baseNames), named(candidate, candidateNames)];
}

// --- Scripts -------------------------------------------------------------------------------------------------------

function scriptChange(
  name: string,
  before: readonly ScriptTime[],
  after: readonly ScriptTime[],
  timed: TimedChange | undefined,
): CodeChange {
  const figures = { base: msOf(before), candidate: msOf(after) };
  const category = isChange(figures) ? mostChanged(before, after, figures) : undefined;
  const changed = isChange(figures) ? functionChange(before, after, figures) : undefined;
  return {
    name,
    url: (after[0] ?? before[0])?.url ?? name,
    ...figures,
    ...(category && { category }),
    ...(changed && { function: changed }),
    ...(timed && { timed }),
  };
}

function msOf(scripts: readonly { readonly ms: Ms }[]): Ms {
  return toMicroseconds(scripts.reduce((sum, { ms }) => sum + ms, 0));
}

/** The kind of work that changed most in the script's direction. */
function mostChanged(
  before: readonly ScriptTime[],
  after: readonly ScriptTime[],
  { base, candidate }: Figures,
): MainThreadCategory | undefined {
  const direction = Math.sign(candidate - base);
  const sums = new Map<string, number>();
  const add = (scripts: readonly ScriptTime[], sign: number): void => {
    for (const { byCategory } of scripts) {
      for (const [category, ms] of Object.entries(byCategory))
        sums.set(category, (sums.get(category) ?? 0) + sign * ms);
    }
  };
  add(after, direction);
  add(before, -direction);
  const [most] = [...sums].toSorted(([, a], [, b]) => b - a);
  return most?.[0] as MainThreadCategory | undefined;
}

/** What a function is called, before it was minified where that is known. */
const nameOfFunction = ({ name, source }: FunctionTime): string => source?.name ?? name;

/** A function in both builds; absent where only one has it. */
interface FunctionPair {
  readonly one?: FunctionTime;
  readonly other?: FunctionTime;
}

/**
 * The functions of two builds in pairs. Lines move, names mostly stay: those of one name and file are the same. Of what is
 * left, so are those of one name in one package: files of a package move with its version.
 */
function functionPairs(before: readonly ScriptTime[], after: readonly ScriptTime[]): readonly FunctionPair[] {
  const inFile = pairsBy(
    functionsOf(before),
    functionsOf(after),
    (each) => `${nameOfFunction(each)} ${each.source?.file}`,
  );
  const [whole, gone, added] = [
    inFile.filter(({ one, other }) => one && other),
    inFile.flatMap(({ one, other }) => (one && !other ? one : [])),
    inFile.flatMap(({ one, other }) => (other && !one ? other : [])),
  ];
  return [...whole, ...pairsBy(gone, added, (each) => `${nameOfFunction(each)} ${each.source?.package}`)];
}

function functionsOf(scripts: readonly ScriptTime[]): readonly FunctionTime[] {
  return scripts.flatMap(({ functions }) => functions);
}

/** A build whose maps were not found calls the same functions otherwise. */
function isComparable(before: readonly ScriptTime[], after: readonly ScriptTime[]): boolean {
  return before.length === 0 || after.length === 0 || isMapped(before) === isMapped(after);
}

function isMapped(scripts: readonly ScriptTime[]): boolean {
  return functionsOf(scripts).some(({ source }) => source !== undefined);
}

/** Of several with one key the longest stands for all. */
function pairsBy(
  before: readonly FunctionTime[],
  after: readonly FunctionTime[],
  keyOf: (each: FunctionTime) => string,
): readonly FunctionPair[] {
  const byKey = (functions: readonly FunctionTime[]): ReadonlyMap<string, FunctionTime> =>
    new Map(functions.toSorted((a, b) => a.withCalled - b.withCalled).map((each) => [keyOf(each), each]));
  const [was, is] = [byKey(before), byKey(after)];
  return [...new Set([...was.keys(), ...is.keys()])].map((key) => defined({ one: was.get(key), other: is.get(key) }));
}

/**
 * The function that changed with its script: by itself; or, where that is spread over many, the innermost that has most
 * of the change with all that it called.
 */
function functionChange(
  before: readonly ScriptTime[],
  after: readonly ScriptTime[],
  { base, candidate }: Figures,
): CodeChange['function'] {
  if (!isComparable(before, after)) return undefined;
  const direction = Math.sign(candidate - base);
  const wanted = sizeOf({ base, candidate }) * MAIN_SHARE;
  const changes = functionPairs(before, after).flatMap(({ one, other }) => {
    const shown = other ?? one;
    if (!shown || nameOfFunction(shown) === ANONYMOUS) return [];
    const own = direction * ((other?.ms ?? 0) - (one?.ms ?? 0));
    const whole = direction * ((other?.withCalled ?? 0) - (one?.withCalled ?? 0));
    return [{ shown, own, whole, one, other }];
  });
  const [first] = changes.filter(({ own }) => own >= wanted).toSorted((a, b) => b.own - a.own);
  if (first) return { ...placeOf(first.shown), base: first.one?.ms ?? 0, candidate: first.other?.ms ?? 0 };
  const [inner] = changes.filter(({ whole }) => whole >= wanted).toSorted((a, b) => a.whole - b.whole);
  return (
    inner && { ...placeOf(inner.shown), base: inner.one?.withCalled ?? 0, candidate: inner.other?.withCalled ?? 0 }
  );
}

function placeOf({ name, line, column, source }: FunctionTime): NamedPlace {
  return { name, line, column, ...(source && { source }) };
}

// --- Timed runs ----------------------------------------------------------------------------------------------------

/** How long scripts ran in long frames of the timed runs; undefined unless every run tells, or where there were none. */
function timedChange(
  runs: readonly PlacedRun[],
  isIt: (run: PlacedRun, url: string) => boolean,
): TimedChange | undefined {
  if (runs.some(({ blockingScripts }) => blockingScripts === undefined)) return undefined;
  const read = (run: PlacedRun): number => msOf((run.blockingScripts ?? []).filter(({ url }) => isIt(run, url)));
  return runs.every((run) => read(run) === 0) ? undefined : changeOver(runs, read);
}

/** How long the main thread was busy in the timed runs; undefined unless every run tells. */
function timedMainThread(runs: readonly PlacedRun[]): TimedChange | undefined {
  const read = ({ metrics }: PlacedRun): number | undefined => metrics?.mainThreadTime;
  return runs.length === 0 || runs.some((run) => read(run) === undefined) ? undefined : changeOver(runs, read);
}

function changeOver(runs: readonly PlacedRun[], read: (run: PlacedRun) => number | undefined): TimedChange {
  const shift = estimateShift(pairedValues(runs, read));
  const { low, high } = shift?.interval(normalQuantile((1 + LEVEL) / 2)) ?? {};
  return {
    base: toMicroseconds(estimateMedian(valuesOf('base', runs, read))?.median ?? 0),
    candidate: toMicroseconds(estimateMedian(valuesOf('candidate', runs, read))?.median ?? 0),
    ...(shift && { difference: toMicroseconds(shift.estimate) }),
    ...(low !== undefined && { low: toMicroseconds(low) }),
    ...(high !== undefined && { high: toMicroseconds(high) }),
    level: LEVEL,
  };
}

// --- Categories and packages ---------------------------------------------------------------------------------------

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

/** Leaves out scripts of which only one build has a map: what the other spent in packages nobody knows. */
function packageChanges(
  before: NamedScripts['scripts'],
  after: NamedScripts['scripts'],
): CodeChangesFacts['byPackage'] {
  const isKnown = (name: string): boolean => isComparable(before.get(name) ?? [], after.get(name) ?? []);
  const [was, is] = [packagesOf(before, isKnown), packagesOf(after, isKnown)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((name) => ({ package: name, base: was.get(name) ?? 0, candidate: is.get(name) ?? 0 }))
    .filter(isChange)
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .slice(0, LISTED);
}

function packagesOf(scripts: NamedScripts['scripts'], isKnown: (name: string) => boolean): ReadonlyMap<string, Ms> {
  const sums = new Map<string, Ms>();
  for (const [name, each] of scripts) {
    for (const { package: owner, ms } of isKnown(name) ? each.flatMap(({ byPackage = [] }) => byPackage) : []) {
      sums.set(owner, toMicroseconds((sums.get(owner) ?? 0) + ms));
    }
  }
  return sums;
}
