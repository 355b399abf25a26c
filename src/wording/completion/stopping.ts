import type { StopReason } from '../../model/compare/comparison.ts';
import { formatCount } from '../text/format.ts';

/** Why a comparison ended where it did, in plain words. `allCompared`: both builds have every gate metric. */
export function stopSentence(reason: StopReason, pairs: number, maxPairs: number, allCompared = true): string {
  const after = `after ${formatCount(pairs, 'pair')} of loads`;
  switch (reason) {
    case 'decided': {
      const every = `every gate metric ${allCompared ? '' : 'that both builds have '}was decided`;
      return pairs < maxPairs
        ? `Ended ${after}: ${every}, so the other ${maxPairs - pairs} were not needed.`
        : `Ended ${after}: ${every}.`;
    }
    case 'failed':
      return pairs < maxPairs
        ? `Ended ${after}: a gate failed, so the other ${maxPairs - pairs} were not needed (--fail-fast).`
        : `Ended ${after}: a gate failed.`;
    case 'max-pairs':
      return `Ended ${after}: the planned maximum.`;
    case 'out-of-time':
      return `Ended ${after} of up to ${maxPairs}: the time is over (--budget-time).`;
    case 'interrupted':
      return `Ended ${after} of up to ${maxPairs}: the user stopped it.`;
    case 'too-many-failures':
      return `Ended ${after} of up to ${maxPairs}: too many blocks did not count, because a load in them failed.`;
    case 'not-measurable':
      return `Ended ${after} of up to ${maxPairs}: there was nothing to compare.`;
    case 'blank':
      return `Ended ${after} of up to ${maxPairs}: one page is blank, and more loads would not change that.`;
    case 'broken':
      return `Ended ${after} of up to ${maxPairs}: it could not continue.`;
    case 'share':
      return `Ended after ${pairs} of ${maxPairs} pairs of loads: that is this shard's share. "quiesce merge" joins it with the others and decides.`;
    case 'shards-missing':
      return `Ended after ${pairs} of ${maxPairs} pairs of loads: the others belong to the missing shards.`;
  }
}

/** How many blocks of a comparison failed, a clause. */
export function blocksFailed(failed: number, of: number): string {
  return `${failed} of ${of} blocks failed`;
}
