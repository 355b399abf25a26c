import { DEFAULT_POLICY } from '../core/complete.ts';
import { pairsNeeded, resolutionOf } from '../core/experiment/resolution.ts';
import { UsageError } from '../core/messages.ts';
import type { CompareResult } from '../model/comparison.ts';
import type { SelfComparison } from '../model/doctor.ts';
import { compareWithItself } from './compare.ts';
import type { CompareWithItself } from './doctor.ts';

/** The change whose price in pairs is told: the smallest effect of interest of comparisons. */
const FIVE_PERCENT = 0.05;

/** Compares a page with itself as `quiesce compare` would compare two builds, and says what can be told apart here. */
export const compareItself: CompareWithItself = async (url, settings, hooks) => {
  const { aa: _aa, ...browser } = settings;
  const { result, problems, out } = await compareWithItself(
    {
      ...DEFAULT_POLICY,
      ...browser,
      targets: [url, url],
      evidence: true,
      ablation: true,
      format: ['html', 'json'],
      harContent: false,
      harSecrets: false,
      minEffect: '5%',
      alpha: 0.05,
      gate: ['pageComplete', 'largestContentfulPaint'],
      strict: false,
      resume: false,
    },
    {
      ...(hooks.signal && { signal: hooks.signal }),
      onProgress: (event) => hooks.onProgress?.(event),
      ...(hooks.openLab && { openLab: () => hooks.openLab?.(settings) ?? Promise.reject(new Error('no lab')) }),
    },
  );
  if (result.design.pairs === 0)
    throw new UsageError('self-comparison-failed', { url, detail: problems[0] ?? 'no reason given' });
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
