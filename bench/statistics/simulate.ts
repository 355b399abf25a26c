import { robbedNoises } from './contention.ts';
import { noises, severalMachines } from './noise.ts';
import { randomFor } from './random.ts';
import { robbedRules } from './robbed.ts';
import { rules } from './rules.ts';
import { shardRules } from './shards.ts';

/** All that can be simulated. A scenario's place in the list is part of its random numbers: append. */
const scenarios = [...noises, severalMachines, ...robbedNoises];
const allRules = [...rules, ...shardRules];

/** One rule on one scenario with one true change, `from` up to `to` of the comparisons. */
export interface Task {
  readonly noise: string;
  readonly rule: string;
  /** True change as a share: 0 for identical builds. */
  readonly change: number;
  readonly from: number;
  readonly to: number;
  readonly seed: number;
}

/** What came out, counted. */
export interface Tally {
  readonly comparisons: number;
  readonly slower: number;
  readonly faster: number;
  readonly decided: number;
  readonly covers: number;
  readonly pairs: number;
  /** Of the intervals, as a share of the base, added up. */
  readonly width: number;
  /** Of the estimates, as logarithms, added up. */
  readonly error: number;
}

/** Runs a task. The same comparison comes out the same however the work is divided; all rules meet the same noise. */
export function simulate({ noise: noiseName, rule: ruleName, change, from, to, seed }: Task): Tally {
  const noise = scenarios.findIndex(({ name }) => name === noiseName);
  const { begin, gates } = scenarios[noise] ?? missing(noiseName);
  const robbed = robbedNoises.some(({ name }) => name === noiseName);
  const rule = (robbed ? robbedRules : allRules).find(({ name }) => name === ruleName) ?? missing(ruleName);
  let [slower, faster, decided, covers, pairs, width, error] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = from; i < to; i += 1) {
    const session = begin(randomFor(seed, noise, Math.round(change * 1000), i));
    const outcome = rule.compare(session, 1 + change, seed + i, gates);
    if (outcome.called === 'slower') slower += 1;
    if (outcome.called === 'faster') faster += 1;
    if (outcome.decided) decided += 1;
    if (outcome.covers) covers += 1;
    pairs += outcome.pairs;
    width += outcome.width;
    error += outcome.error ?? 0;
  }
  return { comparisons: to - from, slower, faster, decided, covers, pairs, width, error };
}

/** Adds up tallies of the same rule, scenario and change. */
export function total(tallies: readonly Tally[]): Tally {
  const sum = (key: keyof Tally): number => tallies.reduce((all, tally) => all + tally[key], 0);
  return {
    comparisons: sum('comparisons'),
    slower: sum('slower'),
    faster: sum('faster'),
    decided: sum('decided'),
    covers: sum('covers'),
    pairs: sum('pairs'),
    width: sum('width'),
    error: sum('error'),
  };
}

function missing(name: string): never {
  throw new Error(`nothing is called "${name}"`);
}
