import type { Build, PlacedRun } from '../../model/comparison.ts';
import type { BlockValues } from './shift.ts';

/**
 * What `read` finds in each run, by block and build. A block in which a run has no finite value is left out whole: half
 * of a pair would let the moment of the load into the difference.
 */
export function pairedValues(
  runs: readonly PlacedRun[],
  read: (run: PlacedRun) => number | undefined,
): readonly BlockValues[] {
  return [...Map.groupBy(runs, (run) => run.block).values()]
    .filter((block) => block.every((run) => Number.isFinite(read(run))))
    .map((block) => ({ base: valuesOf('base', block, read), candidate: valuesOf('candidate', block, read) }))
    .filter(({ base, candidate }) => base.length > 0 && candidate.length > 0);
}

/** What `read` finds in the runs of a build, in their order. */
export function valuesOf(
  build: Build,
  runs: readonly PlacedRun[],
  read: (run: PlacedRun) => number | undefined,
): readonly number[] {
  return runs
    .filter((run) => run.build === build)
    .flatMap((run) => read(run) ?? [])
    .filter(Number.isFinite);
}
