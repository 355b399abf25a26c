import { nameOfFunction } from '../core/main-thread/function-name.ts';
import { isWorthNaming } from '../core/main-thread/worth-naming.ts';
import type {
  BlockingScript,
  CalledTime,
  CategoryTimes,
  ChangeOverLoads,
  CodeChange,
  CodeChanges,
  CodeChangesFacts,
  CodePlace,
  FunctionChange,
  MainThreadCategory,
  NamedPlace,
  NamedTask,
  TaskName,
  UnreadMap,
} from '../model/main-thread.ts';
import type { LongFrameScript } from '../model/metrics/metrics.ts';
import type { MainThreadFact } from '../model/result/finding.ts';
import type { RunResult } from '../model/result/result.ts';
import { formatCount, formatInterval, formatLevel, formatValue, joined } from './text/format.ts';
import { elide, shortName, shortNameOfOwn } from './text/text.ts';

/** What kinds of work are called, in the order in which they are shown. */
const CATEGORIES: Readonly<Record<MainThreadCategory, string>> = {
  scriptEvaluation: 'running scripts',
  scriptCompile: 'compiling scripts',
  parseHtml: 'parsing HTML and CSS',
  styleLayout: 'style and layout',
  paint: 'painting',
  garbageCollection: 'garbage collection',
  other: 'other tasks',
};

/** What a kind of work is called within a sentence; what a stored result names otherwise stands as it is. */
export function categoryInWords(category: string): string {
  return Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category as MainThreadCategory] : category;
}

/** A kind of work with its time. */
export interface CategoryShare {
  readonly category: MainThreadCategory;
  readonly title: string;
  readonly ms: number;
}

/** Times by category, in the order in which they are always shown. */
export function categoriesOf(times: CategoryTimes): readonly CategoryShare[] {
  const all = Object.entries(CATEGORIES) as readonly (readonly [MainThreadCategory, string])[];
  return all.flatMap(([category, title]) => {
    const ms = times[category];
    return ms === undefined || ms <= 0 ? [] : [{ category, title, ms }];
  });
}

/** Below this a part of a list only makes it longer, ms. */
const WORTH_LISTING_MS = 1;

/** Times by category as a list: "120 ms running scripts, 40 ms style and layout". */
export function categoryList(times: CategoryTimes, most?: number): string {
  const parts = categoriesOf(times)
    .filter(({ ms }) => ms >= WORTH_LISTING_MS)
    .toSorted((a, b) => b.ms - a.ms)
    .map(({ title, ms }) => `${formatValue(ms, 'ms')} ${title}`);
  return joined(parts, most, 'kind');
}

/** Where a function is, as everybody writes it: "src/chart.ts:120", or "vendor.js:2:15" of one line that holds all. */
export function placeInWords(url: string, { line, column, source }: CodePlace): string {
  if (source) return `${source.file}:${source.line}`;
  return `${shortName(url)}:${line}${line === 1 && column > 1 ? `:${column}` : ''}`;
}

/** A function with its place: "renderWidget (vendor.js:2)". */
export function functionInWords(url: string, each: NamedPlace): string {
  return `${nameOfFunction(each)} (${placeInWords(url, each)})`;
}

/** The owner of a third-party script. */
export function partyInWords({ party, thirdParty }: { readonly party: string; readonly thirdParty: boolean }): string {
  return thirdParty ? party : 'this site';
}

/** A long task in one line: "120 ms, 110 ms of it in vendor.js, most in renderWidget (vendor.js:2)". */
export function taskInWords({ duration, category, url, scriptMs, function: called }: NamedTask): string {
  const long = formatValue(duration, 'ms');
  if (url === undefined) return `${long}, mostly ${categoryInWords(category)}`;
  const share =
    scriptMs === undefined || duration - scriptMs < WORTH_LISTING_MS ? '' : `${formatValue(scriptMs, 'ms')} of it `;
  const most = called === undefined ? '' : `, most in ${functionInWords(url, called)}`;
  return `${long}, ${share}in ${shortName(url)}${most}`;
}

/** Who ran a long task of a timed run, as far as the browser tells: "renderWidget in vendor.js (110 ms)". */
export function taskNameInWords({ url, ms, function: name, invoker, place }: TaskName): string {
  return `${calledInWords({ url, name, invoker, place })} (${formatValue(ms, 'ms')})`;
}

/**
 * What the browser called in a long frame: "renderWidget in vendor.js", "BUTTON#buy.onclick in app.js"; where its place is
 * known "renderWidget (vendor.js:2)", and "sumPrices (src/app.ts:4) in app.min.js" of a source.
 */
export function calledInWords({
  url,
  name,
  invoker,
  place,
}: Pick<LongFrameScript, 'url' | 'name' | 'invoker' | 'place'>): string {
  const script = url === '' ? 'a script without an address' : shortName(url);
  const via = invoker === undefined || invoker === url ? undefined : invoker;
  const what = place?.source?.name ?? name ?? via;
  if (what === undefined) return script;
  if (!place) return `${what} in ${script}`;
  return `${what} (${placeInWords(url, place)})${place.source ? ` in ${script}` : ''}`;
}

/** Scripts that a sentence about blocked input names. */
const NAMED_BLOCKERS = 3;
/** Scripts that blocked input for less are not worth a word, ms. */
const WORTH_BLOCKING_MS = 1;

/** The scripts that kept input waiting, those that did so longest first. */
export function blockersOf(run: Pick<RunResult, 'blockingScripts'> | undefined): readonly BlockingScript[] {
  return (run?.blockingScripts ?? [])
    .filter(({ blocking }) => blocking >= WORTH_BLOCKING_MS)
    .toSorted((a, b) => b.blocking - a.blocking);
}

/** "In the timed run shown, scripts blocked input for 60 ms: vendor.js 50 ms (renderWidget in vendor.js) and app.js 10 ms." */
export function blockingSentence(blockers: readonly BlockingScript[]): string {
  const all = blockers.reduce((sum, { blocking }) => sum + blocking, 0);
  const named = blockers.map(({ url, blocking, longest }) => {
    const script = url === '' ? 'a script without an address' : shortName(url);
    const called = longest && longestCallInWords(url, longest);
    return `${script} ${formatValue(blocking, 'ms')}${called === undefined || called === script ? '' : ` (${called})`}`;
  });
  return `In the timed run that is shown, scripts blocked input for ${formatValue(all, 'ms')}: ${joined(named, NAMED_BLOCKERS)}.`;
}

/** What the browser called in a script for longest: "renderWidget (vendor.js:2)". */
export function longestCallInWords(url: string, { name, invoker, place }: CalledTime): string {
  if (url === '') return name ?? invoker ?? '';
  return calledInWords({ url, name, invoker, place });
}

/** Scripts that a sentence about unread maps names. */
const NAMED_MAPS = 3;

/** Why functions stand under the names of a minifier, and what to do; a sentence for all scripts together. */
export function unreadMapsSentences(maps: readonly UnreadMap[]): readonly string[] {
  const asked = maps.filter(({ reason }) => reason.code !== 'not-asked');
  const open = maps.filter(({ reason }) => reason.code === 'not-asked');
  const names = (of: readonly UnreadMap[], name: (each: UnreadMap) => string): string =>
    joined(of.map(name), NAMED_MAPS);
  return [
    ...(open.length > 0
      ? [
          `${names(open, ({ url }) => shortName(url))} ${open.length === 1 ? 'names a source map' : 'name source maps'}: with --source-maps, functions have the names and lines of the source.`,
        ]
      : []),
    ...(asked.length > 0
      ? [
          `${formatCount(asked.length, 'source map')} could not be read: ${names(asked, unreadInWords)}. So these functions have the names and lines of the built script. Serve each map where the script names it, at least for measuring.`,
        ]
      : []),
  ];
}

/** "app.js.map of app.js (status 404)". */
function unreadInWords({ url, map, reason }: UnreadMap): string {
  const named = map.startsWith('data:') ? 'the map' : elide(map, LONGEST_MAP_NAME);
  return `${named} of ${shortName(url)} (${unreadBecause(reason)})`;
}

/** Longest name of a map in a sentence. */
const LONGEST_MAP_NAME = 80;

function unreadBecause(reason: UnreadMap['reason']): string {
  switch (reason.code) {
    case 'status':
      return `status ${reason.status}`;
    case 'elsewhere':
      return 'on another origin than the script, so Quiesce does not read it';
    case 'no-map':
      return 'not a source map';
    case 'no-answer':
      return 'no answer';
    case 'not-asked':
      return 'not requested';
  }
}

/** A difference with its sign: "+61 ms". */
export const signed = (ms: number): string => `${ms > 0 ? '+' : ''}${formatValue(ms, 'ms')}`;

/** Scripts that a sentence about two builds names. */
const MAX_SCRIPTS = 3;

/** Functions of a script that a sentence names. */
const NAMED_FUNCTIONS = 2;

/**
 * What surely changed in a script in the profiled loads: "vendor.js +61 ms (running scripts), including +44 ms in init
 * (src/chart.ts:120)", or "app.js: +20 ms in sumUp (app.js:12)" where the whole may be noise.
 */
function codeChangeInWords({ name, url, profiled, category, functions = [] }: CodeChange): string {
  const file = shortNameOfOwn(name);
  const inside = functions
    .slice(0, functions[0]?.withCalled ? 1 : NAMED_FUNCTIONS)
    .map((each) => `${signed(each.difference ?? 0)} in ${changedFunctionInWords(url, each)}`);
  if (!profiled || !isWorthNaming(profiled)) return `${file}: ${joined(inside)}`;
  const kind = category === undefined ? '' : ` (${categoryInWords(category)})`;
  // A function may have grown by more than its script, where others shrank.
  const isPart = Math.abs(functions[0]?.difference ?? 0) <= Math.abs(profiled.difference ?? 0);
  const of = inside.length === 0 ? '' : `, ${isPart ? 'including' : 'with'} ${joined(inside)}`;
  return `${file} ${signed(profiled.difference ?? 0)}${kind}${of}`;
}

/** A function that changed: "init (src/chart.ts:120), with what it called", "drawRows (app.js:12), which only the candidate ran". */
export function changedFunctionInWords(url: string, each: FunctionChange): string {
  const only = each.only === undefined ? '' : `, which only the ${each.only} ran`;
  return `${functionInWords(url, each)}${only}${each.withCalled ? ', with what it called' : ''}`;
}

/** Did anything of a script surely change, in the profiled loads or in the timed runs? */
export function isChangedScript(change: CodeChange): boolean {
  return isProvenScript(change) || isWorthNaming(change.timed);
}

function isProvenScript({ profiled, functions }: CodeChange): boolean {
  return functions !== undefined || isWorthNaming(profiled);
}

/** Do the traced loads differ as the timed runs do? One load of each may well not, and what it says of kinds of work is noise then. */
export function isLikeTimed({ base, candidate, timed }: CodeChangesFacts): boolean {
  const { low, high } = timed ?? {};
  if (base === undefined || candidate === undefined || low === undefined || high === undefined) return false;
  return candidate - base >= low && candidate - base <= high;
}

/** A change over several loads: "+44 ms (95%: 41–48 ms)". */
export function changeOverLoadsInWords({ difference, low, high, level }: ChangeOverLoads): string {
  return `${signed(difference ?? 0)}${intervalInWords(low, high, level)}`;
}

/** What the timed runs say of a script: "+58 ms with what it called, in long frames of the timed runs (95%: 41–70 ms)". */
export function timedChangeInWords({ difference, low, high, level }: ChangeOverLoads): string {
  return `${signed(difference ?? 0)} with what it called, in long frames of the timed runs${intervalInWords(low, high, level)}`;
}

function intervalInWords(low: number | undefined, high: number | undefined, level: number): string {
  return low === undefined || high === undefined ? '' : ` (${formatLevel(level)}: ${formatInterval(low, high, 'ms')})`;
}

/** The change of the main thread with its sentence. */
export function codeChangesInWords(facts: CodeChangesFacts): CodeChanges {
  const sentence = [changesSentence(facts), ...unreadMapsSentences(facts.unreadMaps ?? [])].join(' ');
  return { ...facts, sentence };
}

function changesSentence({ timed, profiledLoads, byScript }: CodeChangesFacts): string {
  const whole = timed === undefined ? 'Main thread' : `Main thread ${changeOverLoadsInWords(timed)} in the timed runs`;
  if (profiledLoads !== undefined) {
    const scripts = byScript.filter(isProvenScript);
    return scripts.length > 0
      ? `${whole}: ${scripts.slice(0, MAX_SCRIPTS).map(codeChangeInWords).join('; ')}.`
      : `${whole}. ${profiledLoads} loads of each build with a CPU profile show no script and no function that surely changed by 5 ms or more.`;
  }
  const called = byScript.filter((each) => isWorthNaming(each.timed)).slice(0, MAX_SCRIPTS);
  if (called.length > 0)
    return `${whole}: ${called.map(({ name, timed: each }) => `${shortNameOfOwn(name)} ${each && timedChangeInWords(each)}`).join('; ')}.`;
  if (timed === undefined) return 'Not every timed run shows how long the main thread was busy, so no code is named.';
  return isWorthNaming(timed)
    ? `${whole}. Quiesce did not look for the code.`
    : `${whole}: no change beyond noise, so no code is named.`;
}

/** What a finding about the main thread says. */
export function mainThreadFinding({ code, facts }: MainThreadFact): string {
  const place = 'place' in facts && facts.place ? ` ${functionInWords(facts.place.url, facts.place)}` : '';
  switch (code) {
    case 'layout-thrashing':
      return (
        `Scripts forced ${formatCount(facts.layouts, 'layout')} (${formatValue(facts.ms, 'ms')})${place === '' ? '' : `, mostly in${place}`}` +
        ': after a change, reading a size computes the layout at once. Read all sizes first, then change.'
      );
    case 'long-style-recalculation': {
      const of = facts.elements === undefined ? '' : ` of ${formatCount(facts.elements, 'element')}`;
      const asked = place === '' ? '' : `, requested by${place}`;
      return `Computing the style${of} took ${formatValue(facts.ms, 'ms')} at once${asked}. ${place === '' ? 'Use fewer elements and simpler selectors' : 'Change classes close to the elements that they affect, and use simpler selectors'}.`;
    }
    case 'large-document-parse': {
      const lines = facts.lines === undefined ? '' : ` of ${formatCount(facts.lines, 'line')}`;
      return `The browser parsed a piece${lines} of the document at once, in ${formatValue(facts.ms, 'ms')}. Send less HTML, or load the part below the fold later.`;
    }
  }
}
