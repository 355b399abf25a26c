import type {
  ChangeOverLoads,
  CodeChange,
  CodeProfile,
  FunctionChange,
  NamedPlace,
  ProfiledFunction,
} from '../../model/main-thread.ts';
import type { Ms } from '../../model/units.ts';
import type { NameOf } from '../changes/settled-addresses.ts';
import { defined } from '../text/defined.ts';
import { nameOfFunction } from './function-name.ts';
import { functionPairs } from './function-pairs.ts';
import { type Loads, PROVEN_LEVEL, provenChanges } from './proven.ts';
import { ANONYMOUS } from './samples.ts';
import { isProven, isWorthNaming, WORTH_NAMING_MS } from './worth-naming.ts';

/** Functions stand for what changed when they have this share of it. */
const MAIN_SHARE = 0.5;
/** Functions of a script that are named. */
const MAX_FUNCTIONS = 5;

/** A build in its profiled loads, its scripts under the names that they have in both builds. */
export interface ProfiledBuild {
  readonly profile: CodeProfile;
  readonly nameOf: NameOf;
}

/** What the profiled loads of two builds prove. */
export interface ProfileChanges {
  /** By the names of scripts. */
  readonly scripts: ReadonlyMap<string, Required<Pick<CodeChange, 'profiled'>> & Pick<CodeChange, 'functions'>>;
  readonly packages: readonly ({ readonly package: string } & ChangeOverLoads)[];
}

/** A script of both builds. */
interface ScriptLoads extends Loads {
  readonly name: string;
  /** Of each build, unless only one has a source map. */
  readonly before: readonly ProfiledFunction[];
  readonly after: readonly ProfiledFunction[];
  /** Those of which it is known who they are in the other build. */
  readonly functions: readonly FunctionLoads[];
}

interface FunctionLoads {
  readonly shown: ProfiledFunction;
  readonly only?: FunctionChange['only'];
  readonly own: Loads;
  readonly whole: Loads;
}

/** Which scripts, functions and packages took longer or shorter in the profiled loads, as far as these prove it. */
export function profileChanges(base: ProfiledBuild, candidate: ProfiledBuild, level = PROVEN_LEVEL): ProfileChanges {
  const [before, after] = [scriptsIn(base), scriptsIn(candidate)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const none = { base: zeros(base.profile), candidate: zeros(candidate.profile) };
  const scripts = names.map((name) => scriptLoads(name, before.get(name), after.get(name), none));
  const changes = provenChanges(scripts.filter(isLarge), level);
  const functions = scripts.flatMap((each) => each.functions);
  const owns = provenChanges(functions.map(({ own }) => own).filter(isLarge), level);
  const wholes = provenChanges(functions.map(({ whole }) => whole).filter(isLarge), level);
  const packages = provenChanges(packageLoads(scripts, none).filter(isLarge), level);
  return {
    scripts: new Map(
      [...changes].map(([{ name, functions: inside }, profiled]) => [
        name,
        { profiled, ...functionChanges(profiled, inside, owns, wholes) },
      ]),
    ),
    packages: [...packages]
      .filter(([, change]) => isWorthNaming(change))
      .map(([{ package: name }, change]) => ({ package: name, ...change }))
      .toSorted((a, b) => sizeOf(b) - sizeOf(a)),
  };
}

const sizeOf = ({ difference = 0 }: ChangeOverLoads): Ms => Math.abs(difference);
const zeros = ({ loads }: CodeProfile): readonly Ms[] => Array.from({ length: loads }, () => 0);
const sumOf = (values: readonly Ms[]): Ms => values.reduce((sum, value) => sum + value, 0);

/** Both builds together, so that what is looked at does not depend on how they differ. */
function isLarge({ base, candidate }: Loads): boolean {
  return 2 * (sumOf(base) + sumOf(candidate)) >= WORTH_NAMING_MS * (base.length + candidate.length);
}

/** Files that differ in nothing but a hash are one. */
function scriptsIn({ profile, nameOf }: ProfiledBuild): ReadonlyMap<string, CodeProfile['scripts']> {
  return Map.groupBy(profile.scripts, ({ url }) => nameOf(url));
}

/** The time of all of them, in each load. */
function added(all: readonly { readonly ms: readonly Ms[] }[], none: readonly Ms[]): readonly Ms[] {
  return none.map((_, i) => sumOf(all.map(({ ms }) => ms[i] ?? 0)));
}

function scriptLoads(
  name: string,
  scriptsBefore: CodeProfile['scripts'] = [],
  scriptsAfter: CodeProfile['scripts'] = [],
  none: Loads,
): ScriptLoads {
  const functionsIn = (scripts: CodeProfile['scripts']) => scripts.flatMap(({ functions }) => functions);
  const all = [functionsIn(scriptsBefore), functionsIn(scriptsAfter)] as const;
  const [before, after] = isComparable(...all) ? all : [[], []];
  return {
    name,
    base: added(scriptsBefore, none.base),
    candidate: added(scriptsAfter, none.candidate),
    before,
    after,
    functions: functionPairs(before, after).flatMap(({ one, other }) => {
      const shown = other ?? one;
      if (!shown) return [];
      const loadsOf = (key: 'ms' | 'withCalled'): Loads => ({
        base: one?.[key] ?? none.base,
        candidate: other?.[key] ?? none.candidate,
      });
      const only = one && other ? undefined : other ? 'candidate' : 'base';
      return [{ shown, only, own: loadsOf('ms'), whole: loadsOf('withCalled') }];
    }),
  };
}

/** A build whose maps were not found calls the same functions otherwise. */
function isComparable(before: readonly ProfiledFunction[], after: readonly ProfiledFunction[]): boolean {
  const isMapped = (all: readonly ProfiledFunction[]): boolean => all.some(({ source }) => source !== undefined);
  return before.length === 0 || after.length === 0 || isMapped(before) === isMapped(after);
}

function packageLoads(scripts: readonly ScriptLoads[], none: Loads): readonly (Loads & { readonly package: string })[] {
  const byPackage = (functions: readonly ProfiledFunction[]) => Map.groupBy(functions, ({ source }) => source?.package);
  const [was, is] = [
    byPackage(scripts.flatMap(({ before }) => before)),
    byPackage(scripts.flatMap(({ after }) => after)),
  ];
  const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => name !== undefined);
  return names.map((name) => ({
    package: name,
    base: added(was.get(name) ?? [], none.base),
    candidate: added(is.get(name) ?? [], none.candidate),
  }));
}

/**
 * The functions whose own time surely changed, in the direction of their script, those that changed most first; before them,
 * where the change is spread over many, the innermost that surely has most of it with all that it called.
 */
function functionChanges(
  script: ChangeOverLoads,
  functions: readonly FunctionLoads[],
  owns: ReadonlyMap<Loads, ChangeOverLoads>,
  wholes: ReadonlyMap<Loads, ChangeOverLoads>,
): Pick<CodeChange, 'functions'> {
  const proven = (
    changes: ReadonlyMap<Loads, ChangeOverLoads>,
    loadsOf: (each: FunctionLoads) => Loads,
  ): readonly FunctionChange[] =>
    functions
      .flatMap((each) => {
        const change = changes.get(loadsOf(each));
        return change && isWorthNaming(change)
          ? [{ ...namedPlaceOf(each.shown), ...change, ...defined({ only: each.only }) }]
          : [];
      })
      .toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const own = proven(owns, (each) => each.own);
  const whole = proven(wholes, (each) => each.whole);
  const main = isProven(script) ? script : (whole[0] ?? own[0]);
  const sameWay = ({ difference = 0 }: ChangeOverLoads): boolean =>
    Math.sign(difference) === Math.sign(main?.difference ?? 0);
  const [owning, calling] = [own.filter(sameWay), whole.filter(sameWay)];
  const wanted = MAIN_SHARE * Math.max(0, ...calling.map(sizeOf));
  // Who calls takes longer than who is called, whatever the noise.
  const [inner] = calling
    .filter((each) => nameOfFunction(each) !== ANONYMOUS && sizeOf(each) >= wanted)
    .toSorted((a, b) => Math.max(a.base, a.candidate) - Math.max(b.base, b.candidate));
  const isSpread = !owning.some((each) => sizeOf(each) >= wanted);
  const named = [...(isSpread && inner ? [{ ...inner, withCalled: true as const }] : []), ...owning].slice(
    0,
    MAX_FUNCTIONS,
  );
  return named.length > 0 ? { functions: named } : {};
}

function namedPlaceOf({ name, line, column, source }: ProfiledFunction): NamedPlace {
  return { name, line, column, source };
}
