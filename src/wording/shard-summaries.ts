import type { ShardHeader } from '../core/merge/shard-mismatch.ts';
import type { MergedShard, MergedShards } from '../model/shard.ts';
import { formatCount, joined, listed } from './format.ts';

/** Shards that are named one by one. */
const NAMED = 8;
/** From here on what happened between two shards may be seen in the figures, hours. */
const FAR_APART = 12;
const HOUR = 60 * 60 * 1000;

/** A shard that takes part, with what it brought. */
export interface ShardSummary extends ShardHeader {
  /** Pages or blocks that count. */
  readonly brought: number;
  /** Why it brought less than its share, a clause; absent when it did not. */
  readonly short?: string;
  /** By which rules its runs were judged: equal texts are equal rules. */
  readonly rules: string;
}

/** How many of `total` pages or blocks fall to a shard. */
export function shareSize({ index, of }: { readonly index: number; readonly of: number }, total: number): number {
  return Math.max(0, Math.ceil((total - index + 1) / of));
}

/**
 * The numbers of the machines, from 1, in the order of the shards. Shards of one machine that judged by different rules
 * count as machines of their own, and so does a shard whose machine has no name: figures are compared within machines,
 * and must not be compared where that may mislead.
 */
export function machinesOf(shards: readonly Pick<ShardSummary, 'place' | 'rules'>[]): readonly number[] {
  const known = new Map<string, number>();
  return shards.map(({ place: { machine, index }, rules }) => {
    const key = JSON.stringify(machine === undefined ? [index] : [machine, rules]);
    const number = known.get(key) ?? known.size + 1;
    known.set(key, number);
    return number;
  });
}

/** What was joined from what. `shards` are those that are there, in the order of their numbers; there is one at least. */
export function rosterOf(
  shards: readonly ShardSummary[],
  unit: 'page' | 'block',
  more: readonly string[],
): MergedShards {
  const { of = 0, total = 0 } = shards[0]?.place ?? {};
  const there = new Set(shards.map(({ place }) => place.index));
  const missing = Array.from({ length: of }, (_, i) => i + 1).filter((index) => !there.has(index));
  const numbers = machinesOf(shards);
  const machines = countMachines(shards);
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
    notes: [...more, ...notesOn(shards), ...(unit === 'page' ? pagesApart(shards) : [])],
  };
}

/** A shard whose machine has no name counts as one. */
function countMachines(shards: readonly ShardSummary[]): number {
  return new Set(shards.map(({ place: { machine, index } }) => machine ?? index)).size;
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
    ...shards.flatMap(({ place, short }) => (short === undefined ? [] : [`shard ${place.index} ${short}`])),
  ];
  const brought = shards.reduce((sum, each) => sum + each.brought, 0);
  const said = listed(lost, NAMED).join(', ');
  const there =
    brought >= total ? '' : `, so ${brought} of ${formatCount(total, unit)} ${brought === 1 ? 'is' : 'are'} there`;
  const known = shards.every(({ place: { machine } }) => machine !== undefined);
  const where = machines === 1 ? 'one machine' : `${known ? '' : 'up to '}${formatCount(machines, 'machine')}`;
  return `Joined from ${joined} on ${where}${lost.length === 0 ? '' : `: ${said}${there}`}.`;
}

/** "shard 2", "shards 2 and 4", "shards 2 to 9 and 11"; runs of numbers as such. */
export function numbered(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else runs.push([number, number]);
  }
  const shown = runs.flatMap(([from, to]) =>
    to === from + 1 ? [`${from}`, `${to}`] : [from === to ? `${from}` : `${from} to ${to}`],
  );
  return `${numbers.length === 1 ? 'shard' : 'shards'} ${joined(shown, NAMED)}`;
}

// --- What was not alike ---------------------------------------------------------------------------------------------

function notesOn(shards: readonly ShardSummary[]): readonly string[] {
  return [
    ...unlike(shards, ({ browser }) => browser.product, 'The shards ran in different browsers'),
    ...unlike(
      shards,
      ({ settings: { browserArg } }) => (Array.isArray(browserArg) ? browserArg.join(' ') : '') || 'none',
      'The browsers were given different arguments',
    ),
    ...Object.keys(shards[0]?.sources ?? {}).flatMap((what) =>
      unlike(
        shards,
        ({ sources }) => {
          const source = sources[what];
          if (source === undefined) return 'unknown';
          return source.modified === true ? 'with changes that are not committed' : 'as committed';
        },
        `The state of the source${what === 'pages' ? '' : ` of the ${what}`} was not the same, or not known`,
      ),
    ),
    ...farApart(shards),
  ];
}

/** One sentence on what the shards do not have in common; none where they do. */
function unlike(
  shards: readonly ShardSummary[],
  read: (shard: ShardSummary) => string,
  what: string,
): readonly string[] {
  const groups = [...Map.groupBy(shards, read)];
  if (groups.length < 2) return [];
  const values = groups.map(([value, of]) => `${value} (${numbered(of.map(({ place }) => place.index))})`);
  return [`${what}: ${listed(values, NAMED).join(', ')}.`];
}

function farApart(shards: readonly ShardSummary[]): readonly string[] {
  const times = shards.map(({ startedAt }) => Date.parse(startedAt)).filter(Number.isFinite);
  const hours = (Math.max(...times) - Math.min(...times)) / HOUR;
  return hours < FAR_APART ? [] : [`The first and the last shard started ${Math.round(hours)} hours apart.`];
}

/** Pages are dealt out whole: nothing of what their machines differ in cancels. */
function pagesApart(shards: readonly ShardSummary[]): readonly string[] {
  const measured = shards.filter(({ brought }) => brought > 0);
  if (countMachines(measured) < 2) return [];
  const known = new Set(measured.flatMap(({ place: { machine } }) => machine ?? [])).size;
  const where = known > 1 ? 'Not all pages were measured' : 'It is not known whether all pages were measured';
  return [`${where} on one machine, so differences between pages may come from the machines.`];
}
