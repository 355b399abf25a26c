import type { JoinedRun } from '../core/merge/placed-runs.ts';
import { joined } from './format.ts';

/** From this share of a shard's loads on, its machine is worth a word. Source: docs/statistics.md. */
const MUCH = 0.2;
/** Shards that are named. */
const NAMED = 8;

/**
 * Which shards ran on machines that had much else to do, a sentence; none when none did, or all: the verdict on the host
 * says that. `counted`: runs that count.
 */
export function busyNote(counted: readonly JoinedRun[]): readonly string[] {
  const shards = [...Map.groupBy(counted, ({ shard }) => shard.index)];
  const busy = shards.flatMap(([index, loads]) => {
    const unfit = loads.filter(({ run }) => run.host?.verdict === 'unfit').length;
    return unfit > MUCH * loads.length ? `shard ${index} in ${unfit} of ${loads.length} loads` : [];
  });
  if (busy.length === 0 || busy.length === shards.length) return [];
  return [`On machines that were busy with other work: ${joined(busy, NAMED)}.`];
}
