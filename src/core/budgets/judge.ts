import type { Budget, BudgetResult, BudgetState } from '../../model/budgets.ts';
import type { MetricSummary, RunResult, TargetResult } from '../../model/result/result.ts';
import type { Unit } from '../../model/units.ts';
import { isCounted } from '../counted-runs.ts';
import { MORE_PRECISE } from '../experiment/basis.ts';
import { isDisturbed } from '../path/stolen-time.ts';
import { estimateMedian } from '../time/median.ts';

/**
 * Runs whose range covers the median in less than 9 of 10 cases (fewer than five) say little of how far the next one may
 * be: the median is then taken to be this uncertain at least. Times: the share up to which runs merely vary (CONTRACT).
 * Counts and bytes are mostly the same in each run.
 */
const LEAST_LEVEL = 0.9;
const MARGIN: Readonly<Record<Unit, number>> = { ms: 0.1, bytes: 0, count: 0, score: 0.1 };
/**
 * How far Lighthouse's performance score may be from its next run, as a difference. No source gives a figure that holds
 * for every page: 5 points is an assumption. Its other scores come from the page alone.
 */
const PERFORMANCE_MARGIN = 0.05;

/** What is judged of a page. */
export type Judged = Pick<TargetResult, 'runs' | 'summary' | 'lighthouse'>;

/** A budget, judged on the interval of its figure over the runs that count, or over Lighthouse's. */
export function judgeBudget(budget: Budget, target: Judged): Omit<BudgetResult, 'sentence'> {
  const { metric, title, unit, bound, limit, severity } = budget;
  const base = { metric, title, unit, bound, limit, severity };
  const summary = summaryFor(budget, target);
  if (!summary) return { ...base, state: 'unknown' };
  const measured = { value: summary.median, ...intervalOf(budget, summary) };
  const { low, high } = measured;
  const { undisturbed } = summary;
  const other = undisturbed && { value: undisturbed.median, ...intervalOf(budget, undisturbed) };
  if (!other || !isBetterKnown(other, measured))
    return { ...base, ...measured, state: stateOf(bound, limit, low, high) };
  const state = stateOf(bound, limit, other.low, other.high);
  return { ...base, ...other, basis: 'undisturbed', measured, state };
}

/** A figure with its interval. */
interface Figure {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Does what the machine took matter: for how large the figure is, or for how exact? */
function isBetterKnown(undisturbed: Figure, measured: Figure): boolean {
  const width = ({ low, high }: Figure): number => high - low;
  return isDisturbed(measured.value, undisturbed.value) || width(undisturbed) < MORE_PRECISE * width(measured);
}

function stateOf(bound: Budget['bound'], limit: number, low: number, high: number): BudgetState {
  if (bound === 'max') return high <= limit ? 'pass' : low > limit ? 'fail' : 'undecided';
  return low >= limit ? 'pass' : high < limit ? 'fail' : 'undecided';
}

function intervalOf(
  { unit, source }: Budget,
  { median, low = median, high = median, level = 0 }: Pick<MetricSummary, 'median' | 'low' | 'high' | 'level'>,
) {
  if (level >= LEAST_LEVEL) return { low, high };
  const isScore = source.kind === 'lighthouse-category';
  const margin = isScore ? (source.name === 'performance' ? PERFORMANCE_MARGIN : 0) : MARGIN[unit] * Math.abs(median);
  const top = isScore ? 1 : Number.POSITIVE_INFINITY;
  return { low: Math.min(low, Math.max(0, median - margin)), high: Math.max(high, Math.min(top, median + margin)) };
}

function summaryFor({ source, unit }: Budget, { runs, summary, lighthouse }: Judged): MetricSummary | undefined {
  switch (source.kind) {
    case 'metric':
      return summary[source.metric];
    case 'requests':
    case 'transfer-size': {
      const read = ({ byType }: RunResult): number | undefined => {
        // A page that has none of a type has 0 of them.
        const totals = byType && (Object.entries(byType).find(([type]) => type === source.type)?.[1] ?? NOTHING);
        return source.kind === 'requests' ? totals?.requests : totals?.transferSize;
      };
      const estimate = estimateMedian(runs.filter(isCounted).flatMap((run) => read(run) ?? []));
      return estimate && { unit, ...estimate };
    }
    case 'lighthouse-category':
      return lighthouse?.categories[source.name];
    case 'lighthouse-metric':
      return lighthouse?.metrics[source.name];
  }
}

const NOTHING = { requests: 0, transferSize: 0 };
