import type { Build, PlacedRun } from '../../model/compare/comparison.ts';
import type { BlockValues } from './hodges-lehmann.ts';

/**
 * What `read` finds in each run, by block and build, blocks by number: what comes of them is the same to the last bit
 * whoever brought which first. Machines are strata. A block in which a run has no finite value is
 * left out whole: half of a pair would let the moment of the load into the difference.
 */
export function pairedValues(
  runs: readonly PlacedRun[],
  read: (run: PlacedRun) => number | undefined,
): readonly BlockValues[] {
  return pairedBlocks(runs, (run) => finite(read(run)));
}

/** What `read` finds in each run, whatever it is: blocks as in `pairedValues`, left out where a run has nothing. */
export function pairedBlocks<T>(
  runs: readonly PlacedRun[],
  read: (run: PlacedRun) => T | undefined,
): readonly { readonly base: readonly T[]; readonly candidate: readonly T[]; readonly stratum?: number }[] {
  return [...Map.groupBy(runs, (run) => run.block)]
    .sort(([one], [other]) => one - other)
    .map(([, block]) => block)
    .filter((block) => block.every((run) => read(run) !== undefined))
    .map((block) => {
      // A block is loaded on one machine.
      const machine = block[0]?.machine;
      const of = (build: Build): readonly T[] =>
        block.filter((run) => run.build === build).flatMap((run) => read(run) ?? []);
      const values = { base: of('base'), candidate: of('candidate') };
      return machine === undefined ? values : { ...values, stratum: machine };
    })
    .filter(({ base, candidate }) => base.length > 0 && candidate.length > 0);
}

/** The same blocks with every value on another scale. */
export function onAxis(blocks: readonly BlockValues[], axis: (value: number) => number): readonly BlockValues[] {
  return blocks.map((block) => ({ ...block, base: block.base.map(axis), candidate: block.candidate.map(axis) }));
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

function finite(value: number | undefined): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
