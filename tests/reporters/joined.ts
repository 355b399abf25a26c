import type { MergedShards, ShardPlace } from '../../src/model/shards/shard.ts';

/** Three of four shards of a job, one of them ended early. */
export function joinedShards(over: Partial<MergedShards> = {}): MergedShards {
  const shard = (index: number, brought: number) => ({
    index,
    startedAt: `2026-03-01T10:2${index}:30.000Z`,
    browser: 'Chrome/156.0.8078.79',
    machine: index,
    brought,
    share: 5,
  });
  return {
    of: 4,
    total: 20,
    shards: [shard(1, 5), { ...shard(2, 3), interrupted: true }, shard(4, 5)],
    missing: [3],
    machines: 3,
    sentence:
      'Joined from 3 of 4 shards on 3 machines: shard 3 is missing, shard 2 was stopped early with 3 of its 5 blocks, so 13 of 20 blocks are there.',
    notes: ['The shards ran in different browsers: Chrome/156 (shards 1 and 4), Chrome/155 (shard 2).'],
    ...over,
  };
}

/** All four of them. */
export const WHOLE: MergedShards = joinedShards({
  shards: [1, 2, 3, 4].map((index) => ({
    index,
    startedAt: '2026-03-01T10:20:30.000Z',
    browser: 'Chrome/156.0.8078.79',
    machine: index,
    brought: 5,
    share: 5,
  })),
  missing: [],
  machines: 4,
  sentence: 'Joined from 4 shards on 4 machines.',
  notes: [],
});

export const PART: ShardPlace = { index: 2, of: 4, total: 20, work: '0123456789abcdef' };
