import type { CapacityFigures, CapacityResult } from '../../model/capacity.ts';
import type { Measurement, NotComparable } from '../../model/trend.ts';
import { isLowerBound } from '../capacity/compare.ts';
import { defined } from '../text/defined.ts';
import { settingsThatCount } from './conditions.ts';
import type { Place } from './measurements.ts';
import { pageNameOf } from './page-name.ts';
import type { TrendMetric } from './trend-metric.ts';

/** What is followed of a server over time. */
export const capacityMetrics: readonly TrendMetric[] = [
  { name: 'throughput', title: 'Highest throughput', unit: '1/s', better: 'higher' },
  { name: 'knee', title: 'Connections at the knee', unit: 'count', better: 'higher' },
];

/** Fewer connections at the knee are no fault by themselves: a server that answers sooner needs fewer of them. */
export const INFORMATIONAL: ReadonlySet<string> = new Set(['knee']);

/** Whether the highest throughput of a result is the most that its server could do. */
export function whyNotComparable({ load, interrupted, candidate, ...base }: CapacityResult): NotComparable | undefined {
  if (interrupted === true) return 'interrupted';
  if (load === 'open') return 'open-load';
  const measured = [base, ...(candidate ? [candidate] : [])].filter(({ max }) => max !== undefined);
  return measured.length > 0 && measured.every(isLowerBound) ? 'not-reached' : undefined;
}

/** What a result says of its server, or of each of its two; nothing where none was measured. */
export function capacityMeasurements(result: CapacityResult, place: Place): readonly Measurement[] {
  const { url, candidate, startedAt, source } = result;
  return [{ ...result, url }, ...(candidate ? [candidate] : [])].flatMap((server): readonly Measurement[] => {
    const { max, knee, levels } = server;
    if (max === undefined || isLowerBound(server)) return [];
    const intervals = defined({
      // Levels are compared by their ratio, and an interval that begins at 0 has none.
      throughput: max.low && max.high !== undefined ? { low: max.low, high: max.high } : undefined,
      knee: knee && around(knee.concurrency, levels),
    });
    return [
      defined({
        kind: 'capacity' as const,
        at: startedAt,
        target: server.url,
        url: server.url,
        page: `${pageNameOf(server.url, server.url)} (capacity)`,
        source,
        conditions: conditionsOf(result, server),
        runs: [defined({ throughput: max.throughput, knee: knee?.concurrency })],
        failed: 0,
        intervals,
        ...place,
      }),
    ];
  });
}

/** The knee lies between the levels that were measured below and above it. */
function around(knee: number, levels: CapacityFigures['levels']) {
  const measured = levels.map(({ concurrency }) => concurrency);
  return {
    low: Math.max(1, ...measured.filter((each) => each < knee)),
    high: Math.min(...measured.filter((each) => each > knee), 2 * knee),
  };
}

/** Findings that say that the machine did something else, too. */
const DISTURBED = ['others-busy', 'stolen-time'];

function conditionsOf(result: CapacityResult, { limit, findings }: CapacityFigures) {
  const isBusy = findings.some(({ code }) => DISTURBED.includes(code));
  return {
    tool: result.tool.version,
    engine: result.engine,
    shared: result.shared,
    limit,
    machine: isBusy ? 'busy' : 'free',
    ...settingsThatCount(result.settings),
  };
}
