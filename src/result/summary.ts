import { isCounted } from '../core/counted-runs.ts';
import { figureOf } from '../core/metrics/figure.ts';
import { metricsWith } from '../core/metrics/own/index.ts';
import { estimateMedian } from '../core/time/median.ts';
import type { OwnMetric } from '../model/metrics/metrics.ts';
import type { MetricSummary, RunResult } from '../model/result/result.ts';
import type { Unit } from '../model/units.ts';
import { filmDoubt } from './doubt/film-doubt.ts';

/** Half an interval's width against its median, up to which runs agree. Source: CONTRACT of result.json. */
const STABLE = 0.05;
const VARIES = 0.1;

/** Differences below these are noise of the clock and the scheduler, whatever share of a small median they are. */
const FLOOR: Readonly<Record<Unit, number>> = { ms: 4, bytes: 64, count: 0.5, score: 0.005 };

/** Every metric over the runs that count and have it. */
export function summarize(
  runs: readonly RunResult[],
  own?: readonly OwnMetric[],
): Readonly<Record<string, MetricSummary>> {
  const counted = runs.filter(isCounted);
  const summary: Record<string, MetricSummary> = {};
  for (const { name, unit } of metricsWith(own)) {
    const values = counted.flatMap((run) => figureOf(run.metrics, name) ?? []);
    const estimate = estimateMedian(values);
    if (!estimate) continue;
    summary[name] = {
      unit,
      ...estimate,
      agreement: name === 'pageComplete' && filmDoubt(runs) ? 'disagrees' : agreementOf(estimate, unit),
      undisturbed: undisturbedOf(name, unit, counted),
    };
  }
  return summary;
}

/** A moment without what the machine took: only where it is known of each run, or the two would not be of the same runs. */
function undisturbedOf(name: string, unit: Unit, counted: readonly RunResult[]): MetricSummary['undisturbed'] {
  const having = counted.filter((run) => figureOf(run.metrics, name) !== undefined);
  const values = having.flatMap((run) => figureOf(run.undisturbed, name) ?? []);
  const estimate = values.length === having.length ? estimateMedian(values) : undefined;
  if (!estimate) return undefined;
  const { n: _, ...interval } = estimate;
  return { ...interval, agreement: agreementOf(interval, unit) };
}

function agreementOf(
  { median, low, high }: { readonly median: number; readonly low?: number; readonly high?: number },
  unit: Unit,
): MetricSummary['agreement'] {
  if (low === undefined || high === undefined) return undefined;
  const half = (high - low) / 2;
  if (half <= Math.max(FLOOR[unit], STABLE * Math.abs(median))) return 'stable';
  return half <= VARIES * Math.abs(median) ? 'varies' : 'disagrees';
}
