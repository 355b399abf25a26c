import type { CapacityLevel } from '../../model/capacity.ts';
import type { Ms } from '../../model/units.ts';

/** A response time at a rate, with its interval where levels have one. */
export interface TimeAtRate {
  readonly value: Ms;
  readonly low?: Ms;
  readonly high?: Ms;
}

/** How far above the highest throughput a rate still is that throughput. */
const TOLERANCE = 1.02;

/**
 * The response time at a rate: between the two levels around it, on the rising part of the curve; undefined above the highest
 * throughput. Below the lowest level a server is not slower than there.
 */
export function timeAtRate(
  usable: readonly CapacityLevel[],
  rate: number,
  which: 'mean' | 'p50' | 'p90' | 'p95' | 'p99',
): TimeAtRate | undefined {
  const rising: CapacityLevel[] = [];
  for (const level of usable) {
    if (level.throughput > (rising.at(-1)?.throughput ?? 0) && level[which] !== undefined) rising.push(level);
  }
  const at = rising.findIndex(({ throughput }) => throughput >= rate);
  const high = rising[at] ?? (rate <= TOLERANCE * (rising.at(-1)?.throughput ?? 0) ? rising.at(-1) : undefined);
  if (high === undefined) return undefined;
  const low = at > 0 ? rising[at - 1] : undefined;
  const part = low === undefined ? 1 : (rate - low.throughput) / (high.throughput - low.throughput);
  const read = (level: CapacityLevel) => level[which] ?? 0;
  const value = low === undefined ? read(high) : read(low) + part * (read(high) - read(low));
  const spread =
    which === 'p90' ? relative(high.p90Low, high.p90High, high.p90) : relative(high.meanLow, high.meanHigh, high.mean);
  return spread === undefined ? { value } : { value, low: value * (1 - spread), high: value * (1 + spread) };
}

function relative(low: number | undefined, high: number | undefined, of: number | undefined): number | undefined {
  return low === undefined || high === undefined || !of ? undefined : (high - low) / 2 / of;
}
