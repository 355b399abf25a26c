import { describe, expect, it } from 'vitest';
import { functionPairs } from '../../../src/core/main-thread/function-pairs.ts';
import type { ProfiledFunction } from '../../../src/model/main-thread.ts';

/** A function "name:line", or "name:line file" with a source map that knows its name, or "name:line file?" that does not. */
function functions(...all: readonly string[]): readonly ProfiledFunction[] {
  return all.map((each) => {
    const [, name = '', line, file, unnamed] = /^(\S+):(\d+)(?: (\S+?)(\?)?)?$/.exec(each) ?? [];
    const source = file !== undefined && {
      file,
      line: Number(line),
      ...(unnamed === undefined && { name: `src${name}` }),
    };
    return { name, line: Number(line), column: 1, ...(source && { source }), ms: [1], withCalled: [1] };
  });
}

const pairsOf = (before: readonly ProfiledFunction[], after: readonly ProfiledFunction[]): readonly string[] =>
  functionPairs(before, after).map(({ one, other }) => `${one?.line ?? '–'} ${other?.line ?? '–'}`);

describe('functionPairs', () => {
  it('pairs what stayed in its place, also without a name', () => {
    expect(pairsOf(functions('(anonymous):3', 'e:4'), functions('(anonymous):3', 'e:4'))).toEqual(['3 3', '4 4']);
  });

  it('pairs moved functions of one name in their order', () => {
    expect(
      pairsOf(functions('update:3', 'update:9', 'init:20'), functions('update:5', 'update:12', 'init:29')),
    ).toEqual(['3 5', '9 12', '20 29']);
  });

  it('pairs none of a name that one build has more often: who grew and who is new cannot be told', () => {
    expect(pairsOf(functions('update:3', 'update:9'), functions('update:5', 'update:8', 'update:14'))).toEqual([]);
  });

  it('does not take a moved function with a name from a minifier, or without one, for anybody', () => {
    expect(pairsOf(functions('e:3', '(anonymous):7', 'tn:9'), functions('e:5', '(anonymous):8', 'tn:12'))).toEqual([]);
    expect(pairsOf(functions('e:3 a.ts?'), functions('e:5 a.ts?'))).toEqual([]);
  });

  it('goes by the names in the source where a map knows them', () => {
    expect(pairsOf(functions('e:3 a.ts'), functions('e:5 a.ts'))).toEqual(['3 5']);
  });

  it('pairs names that are alike, as they become when code moves', () => {
    expect(pairsOf(functions('helpers$1.measureText:3'), functions('_measureText:9'))).toEqual(['3 9']);
    expect(pairsOf(functions('update:3', 'draw2:5'), functions('update2:4', 'draw:8'))).toEqual(['3 4', '5 8']);
  });

  it('says of a name that only one build has that the function is gone, or new', () => {
    expect(pairsOf(functions('drawAll:3'), functions('drawRows:3'))).toEqual(['3 –', '– 3']);
  });
});
