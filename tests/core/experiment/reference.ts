import type { BlockValues } from '../../../src/core/experiment/hodges-lehmann.ts';
import type { PlacedRun } from '../../../src/model/compare/comparison.ts';

/** The reference comparison of docs/internals/statistics.md: milliseconds in order of loading; 1 is the candidate. */
const TIMES = [
  [1502, 1498, 1571, 1560],
  [1489, 1555, 1512, 1566],
  [2140, 1580, 1507, 1520],
  [1549, 1503, 1497, 1588],
  [1530, 1541, 1602, 1594],
] as const;
const CANDIDATE = ['0011', '0101', '0101', '1001', '0011'] as const;

/** The reference as values by block, ms. */
export const referenceBlocks: readonly BlockValues[] = TIMES.map((times, i) => ({
  base: times.filter((_, j) => CANDIDATE[i]?.[j] === '0'),
  candidate: times.filter((_, j) => CANDIDATE[i]?.[j] === '1'),
}));

/** The same on the scale of ratios. */
export const logBlocks: readonly BlockValues[] = onLogScale(referenceBlocks);

export function onLogScale(blocks: readonly BlockValues[]): readonly BlockValues[] {
  return blocks.map(({ base, candidate }) => ({ base: base.map(Math.log), candidate: candidate.map(Math.log) }));
}

/** Swaps the builds. */
export function swapped(blocks: readonly BlockValues[]): readonly BlockValues[] {
  return blocks.map(({ base, candidate }) => ({ base: candidate, candidate: base }));
}

/** Runs that measured one metric; a run of `undefined` measured nothing of it. */
export function runsOf(
  metric: string,
  blocks: readonly {
    readonly base: readonly (number | undefined)[];
    readonly candidate: readonly (number | undefined)[];
  }[],
): readonly PlacedRun[] {
  return blocks.flatMap(({ base, candidate }, i) =>
    (['base', 'candidate'] as const).flatMap((build) =>
      (build === 'base' ? base : candidate).map((value, j): PlacedRun => {
        const order = (build === 'base' ? 0 : base.length) + j;
        return {
          index: i * 4 + order + 1,
          role: 'timed',
          ok: true,
          build,
          block: i + 1,
          order,
          metrics: value === undefined ? {} : { [metric]: value },
        };
      }),
    ),
  );
}

/** Joins what the same loads measured. */
export function joined(...all: readonly (readonly PlacedRun[])[]): readonly PlacedRun[] {
  const [first = [], ...others] = all;
  return first.map((run, i) => ({
    ...run,
    metrics: Object.assign({}, run.metrics, ...others.map((runs) => runs[i]?.metrics)),
  }));
}
