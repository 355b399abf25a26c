import type { ShardHeader } from './shard-mismatch.ts';

type Placed = Pick<ShardHeader, 'place'>;

/** How many machines there were. A shard whose machine has no name counts as one. */
export function countMachines(shards: readonly Placed[]): number {
  return new Set(shards.map(({ place: { machine, index } }) => machine ?? index)).size;
}

/**
 * The numbers of the machines, from 1, in the order of the shards. Shards of one machine that judged by different `rules`
 * count as machines of their own, and so does a shard whose machine has no name: figures are compared within machines,
 * and must not be compared where that may mislead.
 */
export function machinesOf(shards: readonly (Placed & { readonly rules: string })[]): readonly number[] {
  const known = new Map<string, number>();
  return shards.map(({ place: { machine, index }, rules }) => {
    const key = JSON.stringify(machine === undefined ? [index] : [machine, rules]);
    const number = known.get(key) ?? known.size + 1;
    known.set(key, number);
    return number;
  });
}
