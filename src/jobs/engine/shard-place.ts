import { createHash } from 'node:crypto';
import type { Shard, ShardPlace } from '../../model/shards/shard.ts';
import { machineId } from '../../shell/host/machine.ts';

/** Letters of a hash that identify a job. */
const LETTERS = 16;

/** What the result of a share says of the whole. `work` is the same for all its shards, and for nothing else. */
export function shardPlaceOf(shard: Shard, work: unknown, total: number, browserWs: string | undefined): ShardPlace {
  return {
    ...shard,
    work: hashOf(work).toString('hex').slice(0, LETTERS),
    total,
    // Behind one address any number of browsers may be handed out, each on a machine of its own.
    ...(browserWs === undefined && { machine: machineId() }),
  };
}

/** A seed that all shards of one comparison draw alike. */
export function commonSeed(work: unknown): number {
  return hashOf(work).readUInt32BE();
}

function hashOf(work: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(work)).digest();
}
