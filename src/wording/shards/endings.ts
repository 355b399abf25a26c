import type { StopReason } from '../../model/compare/comparison.ts';
import { stopSentence } from '../completion/stopping.ts';
import { numbered } from './numbers.ts';

/** How a shard of a comparison ended. */
export interface EndedShard {
  readonly index: number;
  readonly reason: StopReason;
}

/** Why a shard of a comparison brought less than its share, a clause; undefined when it did its share. */
export function whyBlocksShort(reason: StopReason, brought: number, share: number): string | undefined {
  if (brought >= share) return undefined;
  const of = `${brought} of its ${share} blocks`;
  switch (reason) {
    case 'interrupted':
      return `was stopped early with ${of}`;
    case 'too-many-failures':
      return `gave up with ${of}: too many loads failed`;
    case 'not-measurable':
      return 'could not measure both builds';
    case 'blank':
      return `stopped with ${of}: one page is blank`;
    case 'broken':
      return `stopped with an error after ${of}`;
    default:
      return `has ${of}`;
  }
}

/** Why a shard of an audit brought less than its share, a clause; undefined when it did its share. */
export function whyPagesShort(interrupted: boolean, brought: number, share: number): string | undefined {
  if (brought >= share) return interrupted ? 'was stopped early, so runs are missing' : undefined;
  const pages = brought === 0 ? 'none of its pages' : `${brought} of its ${share} pages`;
  return `${interrupted ? 'was stopped early with' : 'measured'} ${pages}`;
}

/** Why a joined comparison has the pairs that it has, and the same in words. */
export function stopOf(
  shards: readonly EndedShard[],
  missing: readonly number[],
  pairs: number,
  planned: number,
): { readonly stoppedBecause: StopReason; readonly stoppedSentence: string } {
  const short = shards.filter(({ reason }) => reason !== 'share');
  const [first] = short;
  if (missing.length === 0 && first === undefined) return sameStop('max-pairs', pairs, planned);
  const alike = new Set(short.map(({ reason }) => reason)).size === 1 && short.length === shards.length;
  if (missing.length === 0 && first !== undefined && alike) return sameStop(first.reason, pairs, planned);
  if (missing.length > 0 && first === undefined) return sameStop('shards-missing', pairs, planned);
  const lost = [
    ...(missing.length > 0 ? [`${numbered(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`] : []),
    ...(short.length > 0
      ? [
          `${numbered(short.map(({ index }) => index))} did not finish ${short.length === 1 ? 'its share' : 'their shares'}`,
        ]
      : []),
  ];
  return {
    stoppedBecause: 'shards-missing',
    stoppedSentence: `Ended after ${pairs} of ${planned} pairs of loads: ${lost.join(', and ')}.`,
  };
}

function sameStop(reason: StopReason, pairs: number, planned: number) {
  return { stoppedBecause: reason, stoppedSentence: stopSentence(reason, pairs, planned) };
}
