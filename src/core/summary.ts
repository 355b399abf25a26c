import type { BackgroundEndpoint, MetricSummary, RunResult } from '../model/result.ts';
import type { Unit } from '../model/units.ts';
import { estimateMedian } from './experiment/median.ts';
import { metrics } from './metrics/index.ts';

/** Half an interval's width against its median, up to which runs agree. Source: CONTRACT of result.json. */
const STABLE = 0.05;
const VARIES = 0.1;

/** Differences below these are noise of the clock and the scheduler, whatever share of a small median they are. */
const FLOOR: Readonly<Record<Unit, number>> = { ms: 4, bytes: 64, count: 0.5, score: 0.005 };

/** Every metric over the timed runs that measured it. */
export function summarize(runs: readonly RunResult[]): Readonly<Record<string, MetricSummary>> {
  const timed = runs.filter((run) => run.role === 'timed' && run.ok);
  const summary: Record<string, MetricSummary> = {};
  for (const { name, unit } of metrics) {
    const values = timed.flatMap((run) => run.metrics?.[name] ?? []);
    const estimate = estimateMedian(values);
    if (!estimate) continue;
    const agreement = agreementOf(estimate, unit);
    summary[name] = { unit, ...estimate, ...(agreement && { agreement }) };
  }
  return summary;
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

/** Each endpoint once: as the run with the most of its requests saw it. */
export function agreedBackground(runs: readonly RunResult[]): readonly BackgroundEndpoint[] {
  const agreed = new Map<string, BackgroundEndpoint>();
  for (const run of runs) {
    if (run.role !== 'timed' || !run.ok) continue;
    for (const endpoint of run.background ?? []) {
      const key = `${endpoint.kind} ${endpoint.endpoint}`;
      const known = agreed.get(key);
      if (!known || endpoint.requests > known.requests) agreed.set(key, endpoint);
    }
  }
  return [...agreed.values()].sort((a, b) => a.firstStartedAt - b.firstStartedAt);
}
