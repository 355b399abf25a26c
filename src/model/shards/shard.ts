import type { MergeNote } from './merge-note.ts';

/** One machine's share of a job that several machines do together. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  /** How many shards there are. */
  readonly of: number;
}

/** What a shard's result says of the whole, so that `quiesce merge` can tell what belongs together. */
export interface ShardPlace extends Shard {
  /** Names the work: the same for all shards of one job, and for no other job. A hash of the list of pages, or of the plan. */
  readonly work: string;
  /** How much there is to do in all: pages of an audit, blocks of a comparison. */
  readonly total: number;
  /** Names the machine without saying which it is; absent where it is not known, as with a browser elsewhere. */
  readonly machine?: string;
}

/** What a merged result was joined from. */
export interface MergedShards {
  /** How many shards there should be. */
  readonly of: number;
  /** Pages or blocks in all. */
  readonly total: number;
  /** Those that are there, by their number. */
  readonly shards: readonly MergedShard[];
  /** Numbers of those that are not. */
  readonly missing: readonly number[];
  /** How many machines they ran on; each shard whose machine is not known counts as one. */
  readonly machines: number;
  /** What came together and what did not, in plain words. */
  readonly sentence: string;
  /** Where the shards were not alike in a way that does not forbid joining them, a sentence each. */
  readonly notes: readonly string[];
  /** The same, one for one, with codes and figures; absent in results of earlier versions. */
  readonly noteFacts?: readonly MergeNote[];
}

/** One shard of a merged result. */
export interface MergedShard {
  readonly index: number;
  readonly startedAt: string;
  /** What it was measured with: 'Chrome/156.0.8078.79'. */
  readonly browser: string;
  /** The number of its machine, from 1; equal numbers are one machine. */
  readonly machine: number;
  /** Pages or blocks that it brought. */
  readonly brought: number;
  /** Pages or blocks that fell to it. */
  readonly share: number;
  /** Set when it was ended before it had done its share. */
  readonly interrupted?: boolean;
}
