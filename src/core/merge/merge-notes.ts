import type { AlikeShards, MergeNote } from '../../model/shards/merge-note.ts';
import { countMachines } from './machines.ts';
import type { JoinedRun } from './placed-runs.ts';
import type { ShardHeader } from './shard-mismatch.ts';

/** From this share of a shard's loads on, its machine is worth a word. Source: docs/internals/statistics.md. */
const MUCH = 0.2;
/** From here on what happened between two shards may be seen in the figures, ms. */
const FAR_APART = 12 * 60 * 60 * 1000;

/** A shard with what it brought: pages or blocks that count. */
type BroughtShard = ShardHeader & { readonly brought: number };

/** Shards on machines that had much else to do; none when none did, or all: the verdict on the host says that. */
export function busyNote(counted: readonly JoinedRun[]): readonly MergeNote[] {
  const all = [...Map.groupBy(counted, ({ shard }) => shard.index)].map(([index, loads]) => ({
    index,
    unfit: loads.filter(({ run }) => run.host?.verdict === 'unfit').length,
    loads: loads.length,
  }));
  const shards = all.filter(({ unfit, loads }) => unfit > MUCH * loads);
  return shards.length === 0 || shards.length === all.length ? [] : [{ code: 'busy-machines', shards }];
}

/** Figures are computed by what joins, from runs that were measured by what measured. */
export function versionNote(measured: string | undefined, joined: string): readonly MergeNote[] {
  return measured === undefined || measured === joined ? [] : [{ code: 'other-version', measured, joined }];
}

/** In what shards were not alike. */
export function unlikeNotes(shards: readonly BroughtShard[], unit: 'page' | 'block'): readonly MergeNote[] {
  const browsers = unlike(shards, ({ browser }) => browser.product);
  const given = unlike(shards, ({ settings: { browserArg } }) =>
    Array.isArray(browserArg) ? browserArg.join(' ') : '',
  );
  return [
    ...(browsers ? [{ code: 'unlike-browsers' as const, groups: browsers }] : []),
    ...(given ? [{ code: 'unlike-arguments' as const, groups: given }] : []),
    ...Object.keys(shards[0]?.sources ?? {}).flatMap((what): readonly MergeNote[] => {
      const groups = unlike(shards, ({ sources }) => {
        const source = sources[what];
        if (source === undefined) return 'unknown';
        return source.modified === true ? 'modified' : 'committed';
      });
      return groups ? [{ code: 'unlike-sources', what, groups }] : [];
    }),
    ...farApart(shards),
    ...(unit === 'page' ? pagesApart(shards) : []),
  ];
}

/** The shards by what they have; undefined where that is the same. */
function unlike<T extends string>(
  shards: readonly BroughtShard[],
  read: (shard: BroughtShard) => T,
): readonly (AlikeShards & { readonly value: T })[] | undefined {
  const groups = [...Map.groupBy(shards, read)];
  if (groups.length < 2) return undefined;
  return groups.map(([value, alike]) => ({ value, shards: alike.map(({ place }) => place.index) }));
}

function farApart(shards: readonly BroughtShard[]): readonly MergeNote[] {
  const times = shards.map(({ startedAt }) => Date.parse(startedAt)).filter(Number.isFinite);
  const apart = Math.max(...times) - Math.min(...times);
  return apart < FAR_APART ? [] : [{ code: 'far-apart', apart }];
}

/** Pages are dealt out whole: nothing of what their machines differ in cancels. */
function pagesApart(shards: readonly BroughtShard[]): readonly MergeNote[] {
  const measured = shards.filter(({ brought }) => brought > 0);
  if (countMachines(measured) < 2) return [];
  const known = new Set(measured.flatMap(({ place: { machine } }) => machine ?? [])).size;
  return [{ code: 'pages-apart', isKnown: known > 1 }];
}
