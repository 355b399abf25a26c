import { countMachines, machinesOf } from '../../core/merge/machines.ts';
import { unlikeNotes } from '../../core/merge/merge-notes.ts';
import type { ShardHeader } from '../../core/merge/shard-mismatch.ts';
import { shareSize } from '../../core/shards.ts';
import type { StopReason } from '../../model/compare/comparison.ts';
import type { MergeNote } from '../../model/shards/merge-note.ts';
import type { MergedShard, MergedShards } from '../../model/shards/shard.ts';
import { formatCount, listed } from '../text/format.ts';
import { whyBlocksShort, whyPagesShort } from './endings.ts';
import { mergeNoteInWords } from './merge-notes.ts';
import { numbered } from './numbers.ts';

/** Shards that are named one by one. */
const MAX_SHARDS = 8;

/** A shard that takes part, with what it brought. */
export interface ShardSummary extends ShardHeader {
  /** Pages or blocks that count. */
  readonly brought: number;
  /** Why a comparison's ended. */
  readonly stopped?: StopReason;
  /** By which rules its runs were judged: equal texts are equal rules. */
  readonly rules: string;
}

/** What was joined from what. `shards` are those that are there, in the order of their numbers; there is one at least. */
export function rosterOf(
  shards: readonly ShardSummary[],
  unit: 'page' | 'block',
  more: readonly MergeNote[],
): MergedShards {
  const { of = 0, total = 0 } = shards[0]?.place ?? {};
  const there = new Set(shards.map(({ place }) => place.index));
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !there.has(index));
  const numbers = machinesOf(shards);
  const machines = countMachines(shards);
  const noteFacts = [...more, ...unlikeNotes(shards, unit)];
  return {
    of,
    total,
    shards: shards.map(
      ({ place, startedAt, browser, brought, interrupted }, i): MergedShard => ({
        index: place.index,
        startedAt,
        browser: browser.product,
        machine: numbers[i] ?? 0,
        brought,
        share: shareSize(place, place.total),
        ...(interrupted === true && { interrupted }),
      }),
    ),
    missing,
    machines,
    sentence: sentenceOf({ shards, missing, machines, of, total, unit }),
    notes: noteFacts.map(mergeNoteInWords),
    noteFacts,
  };
}

/** "Joined from 3 of 4 shards on 3 machines: shard 2 is missing, so 27 of 36 pages are there." */
function sentenceOf({
  shards,
  missing,
  machines,
  of,
  total,
  unit,
}: {
  readonly shards: readonly ShardSummary[];
  readonly missing: readonly number[];
  readonly machines: number;
  readonly of: number;
  readonly total: number;
  readonly unit: 'page' | 'block';
}): string {
  const joined = missing.length === 0 ? formatCount(of, 'shard') : `${shards.length} of ${formatCount(of, 'shard')}`;
  const lost = [
    ...(missing.length === 0 ? [] : [`${numbered(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`]),
    ...shards.flatMap((shard) => {
      const short = whyShort(shard, unit);
      return short === undefined ? [] : [`shard ${shard.place.index} ${short}`];
    }),
  ];
  const brought = shards.reduce((sum, each) => sum + each.brought, 0);
  const said = listed(lost, MAX_SHARDS).join(', ');
  const there =
    brought >= total ? '' : `, so ${brought} of ${formatCount(total, unit)} ${brought === 1 ? 'is' : 'are'} there`;
  const known = shards.every(({ place: { machine } }) => machine !== undefined);
  const where = machines === 1 ? 'one machine' : `${known ? '' : 'up to '}${formatCount(machines, 'machine')}`;
  return `Joined from ${joined} on ${where}${lost.length === 0 ? '' : `: ${said}${there}`}.`;
}

/** Why a shard brought less than its share, a clause; undefined when it did not. */
function whyShort({ place, brought, interrupted, stopped }: ShardSummary, unit: 'page' | 'block'): string | undefined {
  const share = shareSize(place, place.total);
  if (unit === 'page') return whyPagesShort(interrupted === true, brought, share);
  return stopped && whyBlocksShort(stopped, brought, share);
}
