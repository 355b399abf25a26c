import { BUILDS, type Build } from '../../../model/compare/build.ts';
import type { SideState } from '../compare-state.ts';
import { type Comparison, comparisonOfStep } from '../comparison.ts';

/** Makes a comparison of each step that the untimed loads of either build had, in the order of the script. */
export function openSteps(comparison: Comparison, found: ReadonlyMap<Build, ReadonlyMap<string, SideState>>): void {
  const names = inOrder(BUILDS.map((build) => [...(found.get(build)?.keys() ?? [])]));
  for (const name of names) {
    const sides: Comparison['sides'] = {};
    for (const build of BUILDS) {
      const side = found.get(build)?.get(name);
      if (side) sides[build] = side;
    }
    comparison.steps.set(name, comparisonOfStep(name, comparison, sides));
  }
}

/** The names of all lists, each once; one that is new comes behind the one that it follows in its own list. */
function inOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const all: string[] = [];
  for (const names of lists) {
    for (const [i, name] of names.entries()) {
      if (all.includes(name)) continue;
      const before = names[i - 1];
      all.splice(before === undefined ? 0 : all.indexOf(before) + 1, 0, name);
    }
  }
  return all;
}
