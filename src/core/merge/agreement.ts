import type { ComparedFigures, PlacedRun } from '../../model/compare/comparison.ts';
import type { Changed, Disagreement } from '../../model/shards/merge-note.ts';
import { type BlockValues, estimateShift } from '../experiment/hodges-lehmann.ts';
import { normalCdf } from '../experiment/normal.ts';
import { onAxis, pairedValues } from '../experiment/paired-values.ts';
import { figureOf } from '../metrics/figure.ts';

/** How often machines that agree are said not to. Source: docs/internals/statistics.md. */
const ALPHA = 0.01;

/**
 * Where the candidate changes the metrics that decide by more on one machine than on another. What machines differ in
 * cancels; what they do to the difference between the builds does not.
 *
 * @param runs those that count
 */
export function disagreements(
  comparisons: readonly ComparedFigures[],
  runs: readonly PlacedRun[],
): readonly Disagreement[] {
  return comparisons
    .filter(({ gate, difference }) => gate && difference !== undefined)
    .flatMap(({ metric, scale, unit }) => {
      const values = pairedValues(runs, (run) => figureOf(run.metrics, metric));
      const machines = machinesApart(scale === 'ratio' ? onAxis(values, Math.log) : values);
      const [least, most] = [machines.at(0), machines.at(-1)];
      return least === undefined || most === undefined ? [] : [{ metric, unit, scale, least, most }];
    });
}

/**
 * The machines, by what the candidate changes on them, when that is not the same; none when it may be. Once the common
 * shift is taken off, the candidate's rank sums within machines are as without any: the sum of their squares, each by
 * its variance, is that of a χ² with one degree of freedom less than there are machines.
 */
export function machinesApart(blocks: readonly BlockValues[]): readonly Changed[] {
  const common = estimateShift(blocks)?.estimate;
  if (common === undefined) return [];
  let sum = 0;
  const machines = [...Map.groupBy(blocks, ({ stratum }) => stratum)].flatMap(([machine = 0, own]): Changed[] => {
    const off = own.map((block) => ({ ...block, candidate: block.candidate.map((value) => value - common) }));
    const { observed = 0, expected = 0, deviation = 0 } = estimateShift(off)?.rankSum ?? {};
    if (deviation === 0) return [];
    sum += ((observed - expected) / deviation) ** 2;
    return [{ machine, change: estimateShift(own)?.estimate ?? common }];
  });
  if (machines.length < 2 || chiSquareTail(sum, machines.length - 1) >= ALPHA) return [];
  return machines.sort((a, b) => a.change - b.change);
}

/** How often χ² is larger. Source: Wilson and Hilferty, PNAS 17 (1931); to three digits where it decides. */
function chiSquareTail(value: number, freedom: number): number {
  const spread = 2 / (9 * freedom);
  return normalCdf(-((value / freedom) ** (1 / 3) - (1 - spread)) / Math.sqrt(spread));
}
