import type { ShardRunsFault } from '../core/merge/placed-runs.ts';
import type { ShardMismatch } from '../core/merge/shard-mismatch.ts';

/** Longest value of an option that is shown. */
const LONGEST_VALUE = 60;

/** Why two results cannot be shards of one job, a clause. */
export function shardMismatchInWords(mismatch: ShardMismatch): string {
  switch (mismatch.code) {
    case 'kind':
      return 'one is of an audit, the other of a comparison';
    case 'version':
      return `one was measured with Quiesce ${mismatch.one}, the other with ${mismatch.other}`;
    case 'shards':
      return `one is of ${mismatch.one} shards, the other of ${mismatch.other}`;
    case 'option':
      return `${mismatch.name} is ${shown(mismatch.one)} in one and ${shown(mismatch.other)} in the other`;
    case 'commit': {
      const { what, one, other } = mismatch;
      return `the ${what} of one ${what === 'pages' ? 'are' : 'is'} of commit ${one}, of the other of ${other}`;
    }
    case 'pages':
      return 'they share different lists of pages';
    case 'plan':
      return 'they share different plans of loads';
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not set';
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** What is wrong with the runs of a shard, a clause. */
export function shardRunsFaultInWords(fault: ShardRunsFault): string {
  switch (fault.code) {
    case 'run-without-block':
      return 'a run of it has no place in a block';
    case 'block-of-another-shard':
      return `block ${fault.block} is not one of shard ${fault.index} of ${fault.of}`;
    case 'block-not-whole':
      return 'a block of it is not two loads of each build';
    case 'too-many-blocks':
      return `it has ${fault.blocks} blocks, and its share is ${fault.share}`;
    case 'too-many-pages':
      return `it has ${fault.pages} pages, and its share is ${fault.share}`;
  }
}
