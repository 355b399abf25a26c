import type {
  FunctionTime,
  MainThread,
  MainThreadCategory,
  NamedPlace,
  ScriptTime,
  SourcePlace,
  SpentTime,
} from '../../model/main-thread.ts';
import { ownershipOf } from '../requests/party.ts';
import { toMicroseconds } from '../time/time.ts';
import { type CategorySum, createCategorySum } from './categories.ts';
import type { StackFrame } from './samples.ts';

/** Scripts and functions of each that are listed; what is left is summed up. A page of thousands must not fill the result. */
const SCRIPTS = 60;
const FUNCTIONS = 12;

type SourceOf = (frame: StackFrame) => SourcePlace | undefined;
type Listing = (functions: readonly FunctionTime[]) => readonly FunctionTime[];

/** Adds up which script ran for how long. */
export interface ScriptSum {
  /**
   * @param url the script; undefined where it was none
   * @param frame its innermost function
   */
  add(url: string | undefined, frame: StackFrame | undefined, category: MainThreadCategory, ms: number): void;
  result(pageUrl: string, sourceOf: SourceOf): Pick<MainThread, 'byScript' | 'otherScripts' | 'noScript' | 'byParty'>;
  /** All scripts with all functions. */
  whole(pageUrl: string, sourceOf: SourceOf): readonly ScriptTime[];
}

interface FunctionSum {
  readonly frame: StackFrame;
  ms: number;
  withCalled: number;
}

interface OneScript {
  readonly time: CategorySum;
  readonly functions: Map<string, FunctionSum>;
}

/** Nothing yet. */
export function createScriptSum(): ScriptSum {
  const scripts = new Map<string, OneScript>();
  const none = createCategorySum();

  const scriptAt = (url: string): OneScript => {
    const known = scripts.get(url) ?? { time: createCategorySum(), functions: new Map() };
    scripts.set(url, known);
    return known;
  };
  const functionAt = (frame: StackFrame): FunctionSum => {
    const { functions } = scriptAt(frame.url);
    const key = placeKey(frame);
    const known = functions.get(key) ?? { frame, ms: 0, withCalled: 0 };
    functions.set(key, known);
    return known;
  };

  const scriptTimes = (pageUrl: string, sourceOf: SourceOf, listed: Listing): readonly ScriptTime[] =>
    [...scripts]
      .filter(([, { time }]) => time.ms > 0)
      .map(([url, script]) => scriptTime(url, script, pageUrl, sourceOf, listed))
      .toSorted((a, b) => b.ms - a.ms);

  return {
    add(url, frame, category, ms) {
      if (ms <= 0) return;
      if (url === undefined) {
        none.add(category, ms);
        return;
      }
      scriptAt(url).time.add(category, ms);
      if (frame?.url !== url) return;
      functionAt(frame).ms += ms;
      const counted = new Set<FunctionSum>();
      for (let each: StackFrame | undefined = frame; each; each = each.caller) {
        const sum = functionAt(each);
        // Of a function that calls itself the time counts once.
        if (!counted.has(sum)) sum.withCalled += ms;
        counted.add(sum);
      }
    },
    whole: (pageUrl, sourceOf) => scriptTimes(pageUrl, sourceOf, (functions) => functions),
    result(pageUrl, sourceOf) {
      const all = scriptTimes(pageUrl, sourceOf, listedOf);
      const rest = all.slice(SCRIPTS);
      return {
        byScript: all.slice(0, SCRIPTS),
        ...(rest.length > 0 && { otherScripts: { count: rest.length, ...together(rest) } }),
        noScript: spent(none),
        byParty: partiesOf(all),
      };
    },
  };
}

/** Where a function is in its script, in this build alone. */
export function placeKey({ name, line, column }: Pick<NamedPlace, 'name' | 'line' | 'column'>): string {
  return `${line}:${column} ${name}`;
}

/** A sum as it is written. */
export function spent(sum: Pick<CategorySum, 'ms' | 'byCategory'>): SpentTime {
  const times = Object.entries(sum.byCategory).map(([category, ms]) => [category, toMicroseconds(ms)] as const);
  const byCategory = Object.fromEntries(times.filter(([, ms]) => ms > 0));
  // Of the rounded parts: they add up to the whole as they stand there.
  return { ms: sumOf(times.map(([, ms]) => ms)), byCategory };
}

function sumOf(times: readonly number[]): number {
  return toMicroseconds(times.reduce((sum, ms) => sum + ms, 0));
}

/** Several as one. */
export function together(times: readonly SpentTime[]): SpentTime {
  const sum = createCategorySum();
  for (const { byCategory } of times) {
    for (const [category, ms] of Object.entries(byCategory)) sum.add(category as MainThreadCategory, ms);
  }
  return spent(sum);
}

function scriptTime(
  url: string,
  { time, functions }: OneScript,
  pageUrl: string,
  sourceOf: SourceOf,
  listing: Listing,
): ScriptTime {
  const whole = spent(time);
  const all = [...functions.values()]
    .map(({ frame, ms, withCalled }): FunctionTime => {
      const { name, line, column } = frame;
      const source = sourceOf(frame);
      return {
        name,
        line,
        column,
        ms: toMicroseconds(ms),
        withCalled: toMicroseconds(withCalled),
        source,
      };
    })
    .toSorted((a, b) => b.ms - a.ms || b.withCalled - a.withCalled);
  const listed = listing(all);
  return {
    url,
    ...ownershipOf(pageUrl, url),
    ...whole,
    functions: listed,
    ...packagesOf(all),
    restMs: Math.max(0, toMicroseconds(whole.ms - sumOf(listed.map(({ ms }) => ms)))),
  };
}

/** Those that took longest themselves, and those in which most was called: a library's entry does little itself. */
function listedOf(functions: readonly FunctionTime[]): readonly FunctionTime[] {
  const half = FUNCTIONS / 2;
  const outer = functions.toSorted((a, b) => b.withCalled - a.withCalled).slice(0, half);
  const listed = new Set([...functions.slice(0, half), ...outer]);
  return functions.filter((each) => listed.has(each) && each.withCalled > 0);
}

function packagesOf(functions: readonly FunctionTime[]): Pick<ScriptTime, 'byPackage'> {
  const owned = functions.filter(({ source }) => source?.package !== undefined);
  if (owned.length === 0) return {};
  const byPackage = [...Map.groupBy(owned, ({ source }) => source?.package ?? '')]
    .map(([name, of]) => ({ package: name, ms: sumOf(of.map(({ ms }) => ms)) }))
    .toSorted((a, b) => b.ms - a.ms);
  return { byPackage };
}

function partiesOf(scripts: readonly ScriptTime[]): MainThread['byParty'] {
  return [...Map.groupBy(scripts, ({ party }) => party)]
    .map(([party, of]) => ({
      party,
      thirdParty: of.some(({ thirdParty }) => thirdParty),
      ms: sumOf(of.map(({ ms }) => ms)),
    }))
    .toSorted((a, b) => b.ms - a.ms);
}
