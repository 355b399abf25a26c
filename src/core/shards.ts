import type { OptionFault } from '../model/option-fault.ts';
import type { Shard } from '../model/shard.ts';
import { defined } from './defined.ts';

/** More machines than this are a slip of the keyboard. */
export const MOST_SHARDS = 10_000;

const FORM = /^(?:(\d{1,6})|auto)(?:\/(\d{1,6}))?$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** A share as asked for: by its number, or counted by whatever runs several machines. */
export type ShardRequest = Shard | { readonly auto: true; readonly of?: number };

/** A share as typed: '2/4', 'auto', 'auto/4'. */
export function parseShard(text: string): { readonly value: ShardRequest } | { readonly fault: OptionFault } {
  const [all, index, of] = FORM.exec(text) ?? [];
  if (all === undefined || (index !== undefined && of === undefined)) {
    return { fault: { code: 'share-form' } };
  }
  if (of !== undefined && (Number(of) < 1 || Number(of) > MOST_SHARDS)) {
    return { fault: { code: 'shares-out-of-range', of: Number(of), most: MOST_SHARDS } };
  }
  if (index === undefined || of === undefined) {
    return { value: { auto: true, ...(of !== undefined && { of: Number(of) }) } };
  }
  if (Number(index) < 1 || Number(index) > Number(of)) {
    return { fault: { code: 'share-out-of-range', of } };
  }
  return { value: { index: Number(index), of: Number(of) } };
}

/** This machine's share, and how it came to be known. */
export interface KnownShard {
  /** Absent when this machine does all the work. */
  readonly shard?: Shard;
  /** The variable that says so, where nobody named it. */
  readonly from?: string;
  /** Why there is none although one was asked for. */
  readonly fault?: OptionFault;
}

/**
 * The share of this machine: as asked for, or as the engine that runs several of the same says. GitLab counts from 1 and says
 * how many (CI_NODE_INDEX, CI_NODE_TOTAL); Kubernetes counts from 0 and does not (JOB_COMPLETION_INDEX). One of one is
 * all the work.
 */
export function shardIn(asked: ShardRequest | undefined, env: Environment): KnownShard {
  if (asked && 'index' in asked) return sharing(asked.index, asked.of);
  const counted = countedIn(env);
  if (counted?.fault) return { fault: counted.fault };
  const total = asked?.of ?? counted?.of;
  if (counted && total !== undefined) {
    if (counted.of !== undefined && counted.of !== total) {
      return { fault: { code: 'shares-contradict', typed: total, counted: counted.of } };
    }
    if (counted.index > total) {
      return { fault: { code: 'share-beyond', of: total, variable: counted.variable, index: counted.index } };
    }
    if (total > MOST_SHARDS) return { fault: { code: 'shares-out-of-range', of: total, most: MOST_SHARDS } };
    const { shard } = sharing(counted.index, total);
    return shard ? { shard, from: counted.variable } : {};
  }
  if (asked === undefined) return {};
  return { fault: counted ? { code: 'shares-unknown', variable: counted.variable } : { code: 'share-unknown' } };
}

function sharing(index: number, of: number): KnownShard {
  return of === 1 ? {} : { shard: { index, of } };
}

/** What the surroundings say of this machine's place. */
interface Counted {
  readonly index: number;
  readonly of?: number;
  readonly variable: string;
  /** Set when what they say cannot be. */
  readonly fault?: OptionFault;
}

function countedIn(env: Environment): Counted | undefined {
  const number = (name: string): number | undefined =>
    /^\d{1,6}$/.test(env[name] ?? '') ? Number(env[name]) : undefined;
  const [node, nodes] = [number('CI_NODE_INDEX'), number('CI_NODE_TOTAL')];
  const variable = 'CI_NODE_INDEX';
  if (node !== undefined && node >= 1) return defined({ index: node, of: nodes, variable });
  // Others than GitLab set it too, and count from 0: one machine would do all the work, and the others each other's.
  if (env[variable] && nodes !== undefined && nodes > 1) {
    return { index: 0, variable, fault: { code: 'share-no-number', of: nodes, variable } };
  }
  const completion = number('JOB_COMPLETION_INDEX');
  return completion === undefined ? undefined : { index: completion + 1, variable: 'JOB_COMPLETION_INDEX' };
}

/** What falls to a shard: every n-th, beginning with its own number. Without a shard, everything. */
export function shardOf<T>(all: readonly T[], shard: Shard | undefined): readonly T[] {
  return shard === undefined ? all : all.filter((_, i) => i % shard.of === shard.index - 1);
}
