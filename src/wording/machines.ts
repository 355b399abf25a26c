import type { Changed, Disagreement } from '../core/merge/agreement.ts';
import type { JoinedRun } from '../core/merge/placed-runs.ts';
import { formatShare, formatValue, joined } from './format.ts';

/** From this share of a shard's loads on, its machine is worth a word. Source: docs/statistics.md. */
const MUCH = 0.2;
/** Shards that are named. */
const NAMED = 8;

/**
 * Which shards ran on machines that had much else to do, a sentence; none when none did, or all: the verdict on the host
 * says that. `counted`: runs that count.
 */
export function busyNote(counted: readonly JoinedRun[]): readonly string[] {
  const shards = [...Map.groupBy(counted, ({ shard }) => shard.index)];
  const busy = shards.flatMap(([index, loads]) => {
    const unfit = loads.filter(({ run }) => run.host?.verdict === 'unfit').length;
    return unfit > MUCH * loads.length ? `shard ${index} in ${unfit} of ${loads.length} loads` : [];
  });
  if (busy.length === 0 || busy.length === shards.length) return [];
  return [`On machines that were busy with other work: ${joined(busy, NAMED)}.`];
}

/** Between which machines a metric's change differs, one sentence. */
export function disagreementInWords({ unit, scale, least, most }: Disagreement, title: string): string {
  const inWords = ({ machine, change }: Changed): string => {
    const text = scale === 'ratio' ? formatShare(Math.expm1(change)) : formatValue(change, unit);
    return `${change > 0 ? '+' : ''}${text} on machine ${machine}`;
  };
  return `The machines disagree on ${title}: from ${inWords(least)} to ${inWords(most)}. The result is for all of them together, and may not apply to any single one.`;
}
