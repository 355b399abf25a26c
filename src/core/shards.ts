import type { Shard } from '../model/shards/shard.ts';
import { defined } from './text/defined.ts';

/** More machines than this are a slip of the keyboard. */
export const MOST_SHARDS = 10_000;

const FORM = /^(?:(\d{1,6})|auto)(?:\/(\d{1,6}))?$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** A share as asked for: by its number, or counted by whatever runs several machines. */
export type ShardRequest = Shard | { readonly auto: true; readonly of?: number };

/** A share as typed: '2/4', 'auto', 'auto/4'. */
export function parseShard(text: string): { readonly value: ShardRequest } | { readonly problem: string } {
  const [all, index, of] = FORM.exec(text) ?? [];
  if (all === undefined || (index !== undefined && of === undefined)) {
    return { problem: 'must be a share such as 2/4 (the second of four), or auto, or auto/4' };
  }
  if (of !== undefined && (Number(of) < 1 || Number(of) > MOST_SHARDS)) {
    return outOfRange(Number(of));
  }
  if (index === undefined || of === undefined) {
    return { value: { auto: true, ...(of !== undefined && { of: Number(of) }) } };
  }
  if (Number(index) < 1 || Number(index) > Number(of)) {
    return { problem: `must be one of 1/${of} to ${of}/${of}: shards are counted from 1` };
  }
  return { value: { index: Number(index), of: Number(of) } };
}

const outOfRange = (of: number) => ({ problem: `must be of 1 to ${MOST_SHARDS} shards, not of ${of}` });

/** This machine's share, and how it came to be known. */
export interface KnownShard {
  /** Absent when this machine does all the work. */
  readonly shard?: Shard;
  /** The variable that says so, where nobody named it. */
  readonly from?: string;
  /** Why there is none although one was asked for. */
  readonly problem?: string;
}

/**
 * The share of this machine: as asked for, or as the engine that runs several of the same says. GitLab counts from 1 and says
 * how many (CI_NODE_INDEX, CI_NODE_TOTAL); Kubernetes counts from 0 and does not (JOB_COMPLETION_INDEX). One of one is
 * all the work.
 */
export function shardIn(asked: ShardRequest | undefined, env: Environment): KnownShard {
  if (asked && 'index' in asked) return sharing(asked.index, asked.of);
  const counted = countedIn(env);
  if (counted?.problem) return { problem: counted.problem };
  const total = asked?.of ?? counted?.of;
  if (counted && total !== undefined) {
    if (counted.of !== undefined && counted.of !== total) {
      return {
        problem: `there are ${total} as typed, and ${counted.of} as CI_NODE_TOTAL says: name the share, as in 2/4`,
      };
    }
    if (counted.index > total) {
      return { problem: `there are ${total}, but ${counted.variable} says this is number ${counted.index}` };
    }
    if (total > MOST_SHARDS) return outOfRange(total);
    const { shard } = sharing(counted.index, total);
    return shard ? { shard, from: counted.variable } : {};
  }
  if (asked === undefined) return {};
  return {
    problem: counted
      ? `${counted.variable} does not say how many shards there are: use auto/<n>`
      : 'nothing here says which share this is (JOB_COMPLETION_INDEX, CI_NODE_INDEX): name it, as in 2/4',
  };
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
  readonly problem?: string;
}

function countedIn(env: Environment): Counted | undefined {
  const number = (name: string): number | undefined =>
    /^\d{1,6}$/.test(env[name] ?? '') ? Number(env[name]) : undefined;
  const [node, nodes] = [number('CI_NODE_INDEX'), number('CI_NODE_TOTAL')];
  const variable = 'CI_NODE_INDEX';
  if (node !== undefined && node >= 1) return defined({ index: node, of: nodes, variable });
  // Others than GitLab set it too, and count from 0: one machine would do all the work, and the others each other's.
  if (env[variable] && nodes !== undefined && nodes > 1) {
    const problem = `${variable} must be a number from 1 to ${nodes}, as CI_NODE_TOTAL has it, and is not: name the share, as in 2/4, or 1/1 for all the work`;
    return { index: 0, variable, problem };
  }
  const completion = number('JOB_COMPLETION_INDEX');
  return completion === undefined ? undefined : { index: completion + 1, variable: 'JOB_COMPLETION_INDEX' };
}

/** What falls to a shard: every n-th, beginning with its own number. Without a shard, everything. */
export function shardOf<T>(all: readonly T[], shard: Shard | undefined): readonly T[] {
  return shard === undefined ? all : all.filter((_, i) => i % shard.of === shard.index - 1);
}

/** How many of `total` things fall to a shard. */
export function shareSize({ index, of }: Shard, total: number): number {
  return Math.max(0, Math.ceil((total - index + 1) / of));
}
