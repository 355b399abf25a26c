import type { ProfiledFunction } from '../../model/main-thread.ts';
import { nameOfFunction } from './function-name.ts';
import { ANONYMOUS } from './samples.ts';
import { placeKey } from './scripts.ts';

/** A function in both builds; absent where only one has it. */
export interface FunctionPair {
  readonly one?: ProfiledFunction;
  readonly other?: ProfiledFunction;
}

/** A name without what is put around it when code moves: of `helpers.measureText`, `_measureText` and `measureText2` the same. */
const plainName = (each: ProfiledFunction): string => nameOfFunction(each).replace(/^(?:.*\.)?[_$]*|[_$]*\d*$/g, '');

/** Names that minifiers give: in the next build another function has them. */
const MINIFIED = /^[\w$]{1,2}$/;

/**
 * The functions of a script of two builds in pairs, as far as it is sure who is who. Those at the same place with the same
 * name are the same. Of the rest, so are those of one name and file, then those of one name and package (files of a package
 * move with its version), then those whose names are alike, in their order, where both builds have equally many. A name
 * that only one build has is a function that only one build has. One that moved and has no name, or one from a minifier,
 * is in no pair.
 */
export function functionPairs(
  before: readonly ProfiledFunction[],
  after: readonly ProfiledFunction[],
): readonly FunctionPair[] {
  const same = pairsBy(before, after, (each) => `${placeKey(each)} ${each.source?.file}`);
  const named = (all: readonly ProfiledFunction[]): readonly ProfiledFunction[] =>
    all.filter((each) => each.source?.name !== undefined || !(each.name === ANONYMOUS || MINIFIED.test(each.name)));
  const inFile = pairsBy(named(same.gone), named(same.added), (each) => `${nameOfFunction(each)} ${each.source?.file}`);
  const inPackage = pairsBy(inFile.gone, inFile.added, (each) => `${nameOfFunction(each)} ${each.source?.package}`);
  const alike = pairsBy(inPackage.gone, inPackage.added, (each) => `${plainName(each)} ${each.source?.package}`);
  const [names, otherNames] = [before, after].map((all) => new Set(all.map(plainName)));
  return [
    ...[same, inFile, inPackage, alike].flatMap(({ pairs }) => pairs),
    ...alike.gone.filter((each) => !otherNames?.has(plainName(each))).map((one) => ({ one })),
    ...alike.added.filter((each) => !names?.has(plainName(each))).map((other) => ({ other })),
  ];
}

/** Pairs of one key in their order, where both have equally many of it; what is left. */
function pairsBy(
  before: readonly ProfiledFunction[],
  after: readonly ProfiledFunction[],
  keyOf: (each: ProfiledFunction) => string,
): {
  readonly pairs: readonly FunctionPair[];
  readonly gone: readonly ProfiledFunction[];
  readonly added: readonly ProfiledFunction[];
} {
  const [was, is] = [Map.groupBy(before, keyOf), Map.groupBy(after, keyOf)];
  const isPaired = (key: string): boolean => was.has(key) && was.get(key)?.length === is.get(key)?.length;
  return {
    pairs: [...was]
      .filter(([key]) => isPaired(key))
      .flatMap(([key, functions]) => functions.map((one, i) => ({ one, other: is.get(key)?.[i] }))),
    gone: before.filter((each) => !isPaired(keyOf(each))),
    added: after.filter((each) => !isPaired(keyOf(each))),
  };
}
