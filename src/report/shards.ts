import type { CompareResult } from '../model/compare/comparison.ts';
import type { AuditResult } from '../model/result/result.ts';
import { formatCount } from '../wording/text/format.ts';

/** What of a result tells of shards. */
export type Shared = Pick<AuditResult | CompareResult, 'kind' | 'shard' | 'merged'> & { readonly sentence?: string };

/** How a result came from several machines, in words. */
export interface ShardStory {
  /** One of several parts, which gives no answer by itself · joined, with something missing · joined from all. */
  readonly state: 'part' | 'partial' | 'whole';
  readonly sentence: string;
  /** Where the shards were not alike, a sentence each. */
  readonly notes: readonly string[];
  /** One for each shard, also for those that are missing; none of a part. */
  readonly rows: readonly ShardRow[];
}

/** One shard of a joined result, in words. */
export interface ShardRow {
  readonly index: number;
  /** "5 blocks", "3 of 12 pages, ended early", "missing". */
  readonly brought: string;
  /** "machine 2"; absent for one that is missing. */
  readonly machine?: string;
  readonly browser?: string;
  /** ISO 8601. */
  readonly startedAt?: string;
  /** True when it is missing, was ended early or brought less than its share. */
  readonly lost: boolean;
}

/** What there is to say of the shards behind a result; undefined where one machine did all of it. */
export function shardStory({ kind, shard, merged, sentence }: Shared): ShardStory | undefined {
  const unit = kind === 'compare' ? 'block' : 'page';
  if (merged === undefined) {
    if (shard === undefined) return undefined;
    const share = `Shard ${shard.index} of ${shard.of}: a part of ${formatCount(shard.total, unit)}, which "quiesce merge" joins with the others.`;
    // A comparison says so of itself.
    return { state: 'part', sentence: kind === 'compare' ? (sentence ?? share) : share, notes: [], rows: [] };
  }
  const there = merged.shards.map(
    ({ index, brought, share, machine, browser, startedAt, interrupted }): ShardRow => ({
      index,
      brought: `${brought < share ? `${brought} of ` : ''}${formatCount(share, unit)}${interrupted === true ? ', ended early' : ''}`,
      machine: `machine ${machine}`,
      browser,
      startedAt,
      lost: interrupted === true || brought < share,
    }),
  );
  const gone = merged.missing.map((index): ShardRow => ({ index, brought: 'missing', lost: true }));
  const brought = merged.shards.reduce((sum, each) => sum + each.brought, 0);
  return {
    state: brought < merged.total || merged.missing.length > 0 ? 'partial' : 'whole',
    sentence: merged.sentence,
    notes: merged.notes,
    rows: [...there, ...gone].sort((a, b) => a.index - b.index),
  };
}

/** How the builds of a comparison were put beside each other, a sentence without figures. */
export function layoutInWords({ merged }: Pick<CompareResult, 'merged'>): string {
  if ((merged?.shards.length ?? 1) <= 1) return 'Both builds on one machine, in one session, in random order.';
  return (merged?.machines ?? 1) > 1
    ? 'Both builds on each of the machines, in the same sessions, in random order; differences between machines cancel.'
    : 'Both builds on one machine, in the same sessions, in random order; differences between sessions cancel.';
}
