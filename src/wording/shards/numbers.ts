import type { Shard } from '../../model/shards/shard.ts';
import { joined } from '../text/format.ts';

/** Shards that are named one by one. */
const MAX_SHARDS = 8;

/** "shard 2", "shards 2 and 4", "shards 2 to 9 and 11"; runs of numbers as such. */
export function numbered(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else runs.push([number, number]);
  }
  const shown = runs.flatMap(([from, to]) =>
    to === from + 1 ? [`${from}`, `${to}`] : [from === to ? `${from}` : `${from} to ${to}`],
  );
  return `${numbers.length === 1 ? 'shard' : 'shards'} ${joined(shown, MAX_SHARDS)}`;
}

/** Which share this machine does, and which variable says so. */
export function shardOrigin({ index, of }: Shard, variable: string): string {
  return `Shard ${index} of ${of}, as ${variable} says; --shard 1/1 does all the work.`;
}
