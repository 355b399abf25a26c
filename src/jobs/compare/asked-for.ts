import type { ExperimentPlan } from '../../model/compare/comparison.ts';
import type { ResolvedCompare } from '../../settings/resolved.ts';
import type { NamedBuilds } from './builds.ts';
import type { ResumeConditions } from './compare-state.ts';

/** What must be the same for a comparison to be resumed. */
export function askedFor(
  { builds, loading, lab, design, shard }: Pick<ResolvedCompare, 'builds' | 'loading' | 'lab' | 'design' | 'shard'>,
  plan: ExperimentPlan,
  states: NamedBuilds['states'],
): ResumeConditions {
  const { policy, evidence, ablation, includesLate } = loading;
  const { seed: _drawn, ...planned } = plan;
  const [base, candidate] = 'targets' in builds ? builds.targets : [states?.base, states?.candidate];
  const seed = { seed: design.seed };
  // A shard's looks are others, too: the reason comes before what follows from it.
  return {
    base,
    candidate,
    shard: shard ?? null,
    ...policy,
    ...lab,
    evidence,
    ablation,
    includesLate,
    ...planned,
    ...seed,
  };
}
