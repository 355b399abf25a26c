import type { LighthouseComparison, LighthouseRun } from '../../model/lighthouse/lighthouse.ts';
import type { Unit } from '../../model/units.ts';
import { estimateShift } from '../experiment/hodges-lehmann.ts';
import { normalQuantile } from '../experiment/normal.ts';
import { estimateMedian } from '../time/median.ts';
import { LIGHTHOUSE_METRICS } from './summary.ts';

/** Coverage of the intervals: each by itself, for nothing is decided by them. */
const LEVEL = 0.95;

/**
 * Every score and metric of two builds, each pair of runs a block: the n-th run of either is loaded beside the other's.
 *
 * @param machineOf the number of the machine on which the n-th runs were made; all on one when absent
 */
export function compareLighthouse(
  base: readonly LighthouseRun[],
  candidate: readonly LighthouseRun[],
  machineOf: (index: number) => number = () => 1,
): readonly LighthouseComparison[] {
  const comparisonOf = (name: string, unit: Unit, read: Read) =>
    compared({ name, unit, read, base, candidate, machineOf });
  const categories = [...new Set([...base, ...candidate].flatMap((run) => Object.keys(run.categories)))];
  return [
    ...categories.map((name) => comparisonOf(`lighthouse:${name}`, 'score', (run) => run.categories[name])),
    ...LIGHTHOUSE_METRICS.map(({ name, unit }) => comparisonOf(`lighthouse:${name}`, unit, (run) => run.metrics[name])),
  ].filter((each) => each.base !== undefined || each.candidate !== undefined);
}

type Read = (run: LighthouseRun) => number | undefined;

function compared({
  name,
  unit,
  read,
  base,
  candidate,
  machineOf,
}: {
  readonly name: string;
  readonly unit: Unit;
  readonly read: Read;
  readonly base: readonly LighthouseRun[];
  readonly candidate: readonly LighthouseRun[];
  readonly machineOf: (index: number) => number;
}): LighthouseComparison {
  const values = (runs: readonly LighthouseRun[]) => runs.flatMap((run) => (run.ok ? (read(run) ?? []) : []));
  const [a, b] = [estimateMedian(values(base)), estimateMedian(values(candidate))];
  const indices = [...new Set([...base, ...candidate].map(({ index }) => index))];
  const shift = estimateShift(
    indices.map((index) => ({
      base: values(base.filter((run) => run.index === index)),
      candidate: values(candidate.filter((run) => run.index === index)),
      stratum: machineOf(index),
    })),
  );
  const interval = shift && indices.length > 1 ? shift.interval(normalQuantile((1 + LEVEL) / 2)) : {};
  return {
    name,
    unit,
    base: a?.median,
    candidate: b?.median,
    ...(shift && { difference: shift.estimate, ...interval, level: LEVEL }),
  };
}
