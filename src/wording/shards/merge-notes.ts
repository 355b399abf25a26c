import { metricTitle } from '../../core/metrics/index.ts';
import type { AlikeShards, Changed, Disagreement, LeftOut, MergeNote } from '../../model/shards/merge-note.ts';
import { formatShare, formatValue, joined, listed } from '../text/format.ts';
import { numbered } from './numbers.ts';

/** Shards, or groups of them, that are named. */
const MAX_SHARDS = 8;
const HOUR = 60 * 60 * 1000;

const STATES = {
  unknown: 'unknown',
  modified: 'with changes that are not committed',
  committed: 'as committed',
} as const;

/** What a reader must know of shards that were joined, a sentence. */
export function mergeNoteInWords(note: MergeNote): string {
  switch (note.code) {
    case 'left-out':
      return `Left out: ${leftOutInWords(note.reason)}.`;
    case 'gates-not-measured':
      return `Not measured in any load, so it does not decide: ${note.metrics.map(metricTitle).join(', ')}.`;
    case 'machines-disagree':
      return disagreementInWords(note);
    case 'busy-machines': {
      const busy = note.shards.map(({ index, unfit, loads }) => `shard ${index} in ${unfit} of ${loads} loads`);
      return `On machines that were busy with other work: ${joined(busy, MAX_SHARDS)}.`;
    }
    case 'unlike-rules':
      return `Not all shards left out the same background traffic (${note.groups.map(numbered).join('; ')}): each group is compared within itself.`;
    case 'no-inventories':
      return `Changes other than times are reported without ${numbered(note.shards)}, because there is no shard.json next to the result.`;
    case 'other-version':
      return `Measured with Quiesce ${note.measured}, joined with ${note.joined}.`;
    case 'unlike-browsers':
      return `The shards ran in different browsers: ${grouped(note.groups)}.`;
    case 'unlike-arguments':
      return `The browsers were given different arguments: ${grouped(note.groups.map(({ value, shards }) => ({ value: value || 'none', shards })))}.`;
    case 'unlike-sources': {
      const of = note.what === 'pages' ? '' : ` of the ${note.what}`;
      const groups = note.groups.map(({ value, shards }) => ({ value: STATES[value], shards }));
      return `The state of the source${of} was not the same, or not known: ${grouped(groups)}.`;
    }
    case 'far-apart':
      return `The first and the last shard started ${Math.round(note.apart / HOUR)} hours apart.`;
    case 'pages-apart': {
      const where = note.isKnown ? 'Not all pages were measured' : 'It is not known whether all pages were measured';
      return `${where} on one machine, so differences between pages may come from the machines.`;
    }
  }
}

/** Why something was left out, as a clause. */
export function leftOutInWords(reason: LeftOut): string {
  switch (reason.code) {
    case 'no-result':
      return `${reason.path} contains no result of a shard`;
    case 'capacity':
      return `${reason.path} is the capacity of a server`;
    case 'whole':
      return `${reason.path} is of a whole job, not of a shard`;
    case 'merged':
      return `${reason.path} is merged already, not of a shard`;
    case 'copy':
      return `${reason.path} is a copy of ${reason.of} (${numbered([reason.index])})`;
    case 'unreadable':
      return reason.failure.message.replace(/\.$/, '');
  }
}

/** Between which machines a metric's change differs. */
function disagreementInWords({ metric, unit, scale, least, most }: Disagreement): string {
  const inWords = ({ machine, change }: Changed): string => {
    const text = scale === 'ratio' ? formatShare(Math.expm1(change)) : formatValue(change, unit);
    return `${change > 0 ? '+' : ''}${text} on machine ${machine}`;
  };
  return `The machines disagree on ${metricTitle(metric)}: from ${inWords(least)} to ${inWords(most)}. The result is for all of them together, and may not apply to any single one.`;
}

/** "Chrome/140 (shards 1 and 3), Chrome/141 (shard 2)". */
function grouped(groups: readonly AlikeShards[]): string {
  const values = groups.map(({ value, shards }) => `${value} (${numbered(shards)})`);
  return listed(values, MAX_SHARDS).join(', ');
}
