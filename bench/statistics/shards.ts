import { blockOrder } from '../../src/core/experiment/blocks.ts';
import { DEFAULT_MIN_EFFECT } from '../../src/core/experiment/effect.ts';
import { evaluate } from '../../src/core/experiment/evaluate.ts';
import type { PlacedRun } from '../../src/model/compare/comparison.ts';
import { MACHINES, type Session } from './noise.ts';
import { holds, LEVEL, MAX_PAIRS, type Outcome, type Rule, welch } from './rules.ts';

const METRIC = 'pageComplete';
/** Blocks that fall to each of four machines: ten pairs. */
const SHARE = MAX_PAIRS / 2 / MACHINES;
const WHOLE: readonly number[] = Array.from({ length: MACHINES }, () => SHARE);

/** Shards are joined when all are over: machines are strata, and there is one look. `blocks`: how many each machine has. */
function merged(name: string, blocks: readonly number[]): Rule {
  return {
    name,
    compare: (session, factor, seed) => judged(loadShards(session, factor, seed, blocks), factor),
  };
}

/** How several machines may share a comparison of one metric; what Quiesce does comes first. */
export const ourShards: readonly Rule[] = [
  merged('four shards', WHOLE),
  merged('one shard lost', [SHARE, SHARE, SHARE]),
  // Ten, ten, ten and four pairs.
  merged('unequal shards', [SHARE, SHARE, SHARE, 2]),
];

/** Those, and what else could be done with the machines. */
export const shardRules: readonly Rule[] = [
  ...ourShards,
  {
    name: 'four shards, pooled',
    compare: (session, factor, seed) => {
      const runs = loadShards(session, factor, seed, WHOLE);
      return judged(
        runs.map(({ machine: _, ...run }) => run),
        factor,
      );
    },
  },
  {
    name: 'merged at half, and again',
    compare: (session, factor, seed) => {
      const runs = loadShards(session, factor, seed, WHOLE);
      // Two of four shards are over: whoever looks now believes what they see, and else waits for the others.
      const half = judged(
        runs.filter(({ machine = 0 }) => machine <= MACHINES / 2),
        factor,
      );
      return half.called ? half : judged(runs, factor);
    },
  },
  merged('one machine alone', [MACHINES * SHARE]),
  welch('a machine for each build', (build, n) => ({
    machine: build === 'base' ? 0 : 1,
    load: n,
    second: n % 2 === 1,
  })),
];

/** Loads every machine's blocks, numbered as shards number them: i, i + 4, i + 8 … */
function loadShards(session: Session, factor: number, seed: number, blocks: readonly number[]): readonly PlacedRun[] {
  return blocks.flatMap((count, machine) =>
    Array.from({ length: count }, (_, n) => {
      const block = machine + 1 + n * blocks.length;
      return blockOrder(seed, block).map((build, order): PlacedRun => {
        const place = { machine, load: 4 * n + order, second: order % 2 === 1 };
        const [time = Number.NaN] = session(place, build === 'base' ? 1 : factor);
        const metrics = { [METRIC]: time };
        return {
          index: 4 * block + order,
          role: 'timed',
          ok: true,
          build,
          block,
          order,
          machine: machine + 1,
          metrics,
        };
      });
    }).flat(),
  );
}

/** One look at all that there is, with the code that joins shards. */
function judged(runs: readonly PlacedRun[], factor: number): Outcome {
  const pairs = runs.length / 2;
  const { comparisons, decided } = evaluate({
    runs,
    plan: { seed: 0, looks: [pairs], alpha: LEVEL, minEffect: DEFAULT_MIN_EFFECT, gates: [METRIC], strict: false },
    metrics: [{ name: METRIC, unit: 'ms' }],
    looksTaken: [pairs],
  });
  const decision = comparisons[0]?.decision;
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = comparisons[0]?.difference ?? {};
  return {
    called: decision === 'slower' || decision === 'faster' ? decision : undefined,
    decided,
    pairs,
    covers: holds({ low, high }, factor - 1),
    width: high - low,
  };
}
