import { createHash } from 'node:crypto';
import { UsageError } from '../core/messages.ts';
import { shardIn } from '../core/shards.ts';
import type { LoadSettings } from '../model/settings.ts';
import type { Shard, ShardPlace } from '../model/shard.ts';
import { machineName } from '../shell/host/machine.ts';

/** Letters of a hash that tell one job from another. */
const LETTERS = 16;

/**
 * Which share of the work this machine does; undefined for all of it.
 *
 * @throws UsageError `option-invalid` when that cannot be known, or would leave nothing to be merged.
 */
export function shareOf(
  { shard: typed, format }: Pick<LoadSettings, 'shard' | 'format'>,
  note: (sentence: string) => void,
): Shard | undefined {
  const known = shardIn(typed, process.env);
  if (known.problem !== undefined) throw new UsageError('option-invalid', { option: '--shard', detail: known.problem });
  if (known.shard && !format.includes('json')) {
    throw new UsageError('option-invalid', {
      option: '--shard',
      detail: '"quiesce merge" reads result.json: put json into --format',
    });
  }
  if (known.note !== undefined) note(known.note);
  return known.shard;
}

/** What the result of a share says of the whole. `work` is the same for all its shards, and for nothing else. */
export function placeOf(
  shard: Shard,
  work: unknown,
  total: number,
  { browserWs }: Pick<LoadSettings, 'browserWs'>,
): ShardPlace {
  return {
    ...shard,
    work: hashOf(work).toString('hex').slice(0, LETTERS),
    total,
    // Behind one address any number of browsers may be handed out, each on a machine of its own.
    ...(browserWs === undefined && { machine: machineName() }),
  };
}

/** A seed that all shards of one comparison draw alike. */
export function commonSeed(work: unknown): number {
  return hashOf(work).readUInt32BE();
}

function hashOf(work: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(work)).digest();
}
