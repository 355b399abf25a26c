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
  const timed = runs.filter(isMeasuredRun);
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

/** Does a run count? Timed, measured, and not taken out with its block. */
export function isMeasuredRun({ role, ok, excluded }: RunResult): boolean {
  return role === 'timed' && ok && excluded === undefined;
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

/**
 * Each endpoint once: its cost as the timed run with the most of its requests has it, its reason as the evidence run
 * saw it, which watched longest. What only the evidence run met (a slow poll) is listed too.
 */
export function agreedBackground(runs: readonly RunResult[]): readonly BackgroundEndpoint[] {
  const timed = endpointsOf(runs, 'timed');
  const filmed = endpointsOf(runs, 'evidence');
  const agreed = new Map([...filmed, ...timed]);
  for (const [key, endpoint] of timed) {
    const seen = filmed.get(key);
    if (seen && seen.because !== endpoint.because) {
      agreed.set(key, { ...endpoint, because: `${seen.because} (in the evidence run)` });
    }
  }
  return [...agreed.values()].sort((a, b) => a.firstStartedAt - b.firstStartedAt);
}

function endpointsOf(runs: readonly RunResult[], role: RunResult['role']): Map<string, BackgroundEndpoint> {
  const endpoints = new Map<string, BackgroundEndpoint>();
  for (const run of runs) {
    if (run.role !== role || !run.ok) continue;
    for (const endpoint of run.background ?? []) {
      const key = `${endpoint.kind} ${endpoint.endpoint}`;
      const known = endpoints.get(key);
      if (!known || endpoint.requests > known.requests) endpoints.set(key, endpoint);
    }
  }
  return endpoints;
}
