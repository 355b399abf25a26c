import { randomInt } from 'node:crypto';
import { PAIRS_PER_BLOCK } from '../../core/experiment/blocks.ts';
import { planExperiment } from '../../core/experiment/plan.ts';
import { shardOf } from '../../core/shards.ts';
import type { ExperimentPlan } from '../../model/compare/comparison.ts';
import type { Shard } from '../../model/shards/shard.ts';
import type { ResolvedCompare } from '../../settings/resolved.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { PLAN_OPTIONS, planProblemInWords, tooFewBlocks } from '../../wording/messages/plan-problems.ts';
import { commonSeed, shardPlaceOf } from '../engine/shard-place.ts';
import { blockIndex, type Share } from './comparison.ts';

/**
 * The design of the experiment, fixed before the first load. Shards are looked at once, at the end.
 *
 * @throws QuiesceError for a plan that cannot be
 */
export function planFor({
  design,
  builds,
  shard,
}: Pick<ResolvedCompare, 'design' | 'builds' | 'shard'>): ExperimentPlan {
  const named = 'refs' in builds ? builds.refs.baseRef : builds.targets;
  const gates = design.gates.map(({ metric }) => metric);
  const seed = design.seed ?? (shard ? commonSeed([named, gates]) : randomInt(2 ** 32));
  const plan = planExperiment({ ...design, gates, seed });
  if ('problem' in plan) {
    const { problem } = plan;
    throw new QuiesceError('option-invalid', {
      option: PLAN_OPTIONS[problem.option],
      detail: planProblemInWords(problem),
    });
  }
  return shard ? { ...plan, looks: plan.looks.slice(-1) } : plan;
}

/**
 * A shard's part of all blocks.
 *
 * @throws QuiesceError `option-invalid` when there are fewer blocks than shards
 */
export function shareOfPlan(plan: ExperimentPlan, shard: Shard, browserWs: string | undefined): Share {
  const pairs = plan.looks.at(-1) ?? 0;
  const all = Array.from({ length: pairs / PAIRS_PER_BLOCK }, (_, n) => blockIndex(n));
  const own = shardOf(all, shard);
  // Also for the shards that would have something to do: one that fails fails the whole comparison.
  if (all.length < shard.of) {
    throw new QuiesceError('option-invalid', {
      option: '--shard',
      detail: tooFewBlocks(pairs, all.length, shard.of),
    });
  }
  return { place: shardPlaceOf(shard, plan, all.length, browserWs), pairs: own.length * PAIRS_PER_BLOCK };
}
