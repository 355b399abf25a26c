import type { CapacityFigures, CapacityFindingFacts, CapacityLevel, WithinBound } from '../../model/capacity.ts';
import type { Ms } from '../../model/units.ts';
import { findingsOf } from './findings.ts';
import type { CapacityContext } from './judge-context.ts';
import { highest, kneeOf, usableLevels } from './knee.ts';
import { limitOf, limitOfOpen } from './limit.ts';
import { fitUsl } from './usl.ts';

/** Everything that is said of one server, but for words. */
export type JudgedCapacity = Omit<CapacityFigures, 'findings'> & { readonly findings: readonly CapacityFindingFacts[] };

/** Judges the levels of one server. The same levels give the same answer, measured here or elsewhere. */
export function judgeCapacity(levels: readonly CapacityLevel[], context: CapacityContext): JudgedCapacity {
  const sorted = levels.toSorted((a, b) => a.concurrency - b.concurrency || (a.rate ?? 0) - (b.rate ?? 0));
  const isOpen = context.load === 'open';
  const usable = usableLevels(sorted);
  const best = highest(usable);
  const fitted = isOpen ? undefined : fitUsl(usable, context.seed);
  const { limit, facts } = isOpen ? limitOfOpen(sorted, context) : limitOf(sorted, fitted, context);
  // Without a level below the plateau nobody knows where the knee is, nor how throughput grew.
  const isKnown = !isOpen && limit !== 'already-saturated';
  const knee = isKnown ? kneeOf(usable) : undefined;
  const usl = isKnown ? fitted : undefined;
  const judged = {
    levels: sorted,
    knee,
    max: best && {
      throughput: best.throughput,
      low: best.throughputLow,
      high: best.throughputHigh,
      concurrency: best.concurrency,
    },
    within: context.p90 === undefined ? undefined : withinBound(usable, context.p90),
    usl,
    limit,
    limitFacts: facts,
  };
  return { ...judged, findings: findingsOf(judged, context) };
}

/** The level with the highest throughput whose 90th percentile is within the bound. */
function withinBound(usable: readonly CapacityLevel[], bound: Ms): WithinBound {
  const inside = usable.filter(({ p90 }) => p90 !== undefined && p90 <= bound);
  const best = highest(inside);
  return {
    percentile: 'p90' as const,
    bound,
    throughput: best?.throughput,
    concurrency: best?.concurrency,
    p90: best?.p90,
    all: usable.length > 0 && inside.length === usable.length ? true : undefined,
  };
}
