import type { CriticalPath, CriticalStep } from '../model/result/result.ts';
import { calledOf } from './critical-path.ts';

/** Chains are laid beside each other up to this many requests; the work grows with the square. */
const MOST_STEPS = 400;

/** A request in the chain of either build, or of both. */
export interface PathPair {
  readonly base?: CriticalStep;
  readonly candidate?: CriticalStep;
  readonly name: string;
}

/** What makes a step the same in both builds: hashes, ids and values differ from build to build. */
const sameness = (step: CriticalStep): string =>
  step.cause === 'work'
    ? `work ${step.place === undefined ? step.category : withoutValues(step.place.url)}`
    : `${step.method} ${step.type} ${withoutValues(step.url)}`;

const withoutValues = (url: string): string =>
  url
    .replace(/^[a-z][\w+.-]*:\/\/[^/?#]+/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/[-.](?=\w*\d)\w{4,}(?=\.\w+$)/, '')
    .replace(/\d+/g, '0');

/** Both chains in one, in order: the longest sequence that both have in common stands side by side. */
export function pairPaths(base: CriticalPath, candidate: CriticalPath): readonly PathPair[] {
  const [a, b] = [base.steps.slice(-MOST_STEPS), candidate.steps.slice(-MOST_STEPS)];
  const [keysA, keysB] = [a.map(sameness), b.map(sameness)];
  // common[i][j]: how many of a from i on and of b from j on are the same.
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = common[i];
      if (row) row[j] = keysA[i] === keysB[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: PathPair[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left && right && keysA[i] === keysB[j]) {
      pairs.push({ base: left, candidate: right, name: calledOf(b, j) });
      i += 1;
      j += 1;
    } else if (left && (!right || at(i + 1, j) >= at(i, j + 1))) {
      pairs.push({ base: left, name: calledOf(a, i) });
      i += 1;
    } else if (right) {
      pairs.push({ candidate: right, name: calledOf(b, j) });
      j += 1;
    }
  }
  return pairs;
}
