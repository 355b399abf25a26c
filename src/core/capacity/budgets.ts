import type { CapacityBudget, CapacityBudgetFacts, CapacityFigures } from '../../model/capacity.ts';
import { timeAtRate } from './at-rate.ts';
import { usableLevels } from './knee.ts';

/** Judges the budgets of a server: on the whole interval, so that noise neither fails nor passes one. */
export function judgeBudgets(
  budgets: readonly CapacityBudget[],
  figures: Pick<CapacityFigures, 'levels' | 'max' | 'within'>,
): readonly CapacityBudgetFacts[] {
  const usable = usableLevels(figures.levels);
  return budgets.map((budget) => {
    const { metric, figure, bound, limit, severity } = budget;
    const unit = figure.kind === 'capacity' ? ('1/s' as const) : ('ms' as const);
    const base = { metric, unit, bound, limit, severity };
    if (figure.kind === 'capacity') {
      const within = figures.within;
      const found =
        within === undefined
          ? figures.max
          : within.throughput === undefined
            ? undefined
            : { throughput: within.throughput };
      if (found === undefined) return { ...base, state: 'unknown', because: 'nothing-measured' };
      const { throughput: value, low, high } = { low: undefined, high: undefined, ...found };
      return { ...base, value, low, high, state: stateOf(value, low, high, bound, limit) };
    }
    const found = timeAtRate(usable, figure.rate, figure.percentile);
    if (found === undefined) {
      // A server that cannot be asked that often does not answer in time, either.
      const isMeasured = usable.length > 0;
      return {
        ...base,
        state: isMeasured ? 'fail' : 'unknown',
        because: isMeasured ? 'rate-not-reached' : 'nothing-measured',
      };
    }
    return { ...base, ...found, state: stateOf(found.value, found.low, found.high, bound, limit) };
  });
}

function stateOf(
  value: number,
  low: number | undefined,
  high: number | undefined,
  bound: CapacityBudget['bound'],
  limit: number,
): CapacityBudgetFacts['state'] {
  const keeps = (each: number) => (bound === 'max' ? each <= limit : each >= limit);
  const ends = [low ?? value, high ?? value];
  if (ends.every(keeps)) return 'pass';
  return ends.some(keeps) ? 'undecided' : 'fail';
}
