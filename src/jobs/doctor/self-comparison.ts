import { pairsNeeded, resolutionOf } from '../../core/experiment/resolution.ts';
import type { CompareResult } from '../../model/compare/comparison.ts';
import type { SelfComparison } from '../../model/host/doctor.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { NO_REASON } from '../../wording/result/failure.ts';
import { compareWithItself } from '../compare/compare.ts';
import type { CompareWithItself } from './doctor.ts';

/** The change for which the number of pairs is given: the smallest effect of interest of comparisons. */
const FIVE_PERCENT = 0.05;

/** Compares a page with itself as `quiesce compare` would compare two builds, and says what differences can be seen here. */
export const compareItself: CompareWithItself = async (settings, hooks) => {
  const { result, problems, out } = await compareWithItself(settings, hooks);
  const url = result.base.target;
  if (result.design.pairs === 0)
    throw new QuiesceError('self-comparison-failed', { url, detail: problems[0]?.message ?? NO_REASON });
  const { decision, sentence, design } = result;
  return { url, decision, sentence, pairs: design.pairs, ...resolvable(result), out };
};

/** Of the gate metrics the coarsest: a comparison is as good as the worse of them. */
function resolvable({
  comparisons,
  design,
}: CompareResult): Pick<SelfComparison, 'smallestChange' | 'pairsForFivePercent'> {
  const criticalValue = design.looksTaken.at(-1)?.criticalValue;
  if (criticalValue === undefined) return {};
  const gates = comparisons.filter(({ gate }) => gate);
  const plan = { alpha: design.alpha, gates: gates.map(({ metric }) => metric) };
  const changes = gates.flatMap(
    (comparison) => resolutionOf({ comparison, criticalValue, plan }, design.pairs)?.relative ?? [],
  );
  const pairs = gates.flatMap((comparison) => pairsNeeded({ comparison, criticalValue, plan }, FIVE_PERCENT) ?? []);
  return {
    ...(changes.length > 0 && { smallestChange: Math.max(...changes) }),
    ...(pairs.length > 0 && { pairsForFivePercent: Math.max(...pairs) }),
  };
}
