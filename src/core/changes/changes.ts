import type { Changes, InventoryItem, RequestChange, RequestSize } from '../../model/compare/comparison.ts';
import type { ResourceType } from '../../model/network/network.ts';
import type { Finding } from '../../model/result/result.ts';
import type { Bytes } from '../../model/units.ts';
import { median } from '../time/median.ts';
import { newFindings } from './findings.ts';
import type { Inventory } from './inventory.ts';
import { settleNames } from './rename.ts';

/** What a run asked for, and what was found in it. */
export interface MeasuredRun {
  readonly inventory: Inventory;
  readonly findings: readonly Finding[];
}

/** A request is there when it is in this share of a build's runs. */
const THERE = 0.5;
/**
 * It is gone when it is in no larger share: in between, chance decides. Of something that every other load has (an
 * advertisement), ten runs of two identical builds would show "half" against "not half" one time in two, this one in a
 * hundred.
 */
const GONE = 0.1;
/** Smaller changes than either are no news: minifiers and encoders vary by that much. */
const GROWN_SHARE = 0.01;
/** Headers come and go with that much: a cookie, a trace id, another server's name. */
const GROWN_BYTES: Bytes = 512;

/**
 * What changed from the runs of one build to the runs of the other besides time, the largest changes first. Requests are
 * compared by name, so that a file with a new content hash is the same file; sizes are medians over the runs that have
 * it.
 */
export function changesOf(base: readonly MeasuredRun[], candidate: readonly MeasuredRun[]): Changes {
  const [before, after] = settleNames(
    base.map(({ inventory }) => inventory),
    candidate.map(({ inventory }) => inventory),
  );
  const [old, fresh] = [seenIn(before), seenIn(after)];
  const both = [...fresh.values()].flatMap((now) => {
    const then = old.get(now.item.name);
    return then && then.share >= THERE && now.share >= THERE ? [{ then, now }] : [];
  });
  const changed = both.filter(({ then, now }) => differsInSize(then, now));
  const grows = ({ then, now }: (typeof both)[number]): boolean => now.size.transferSize > then.size.transferSize;
  const change = ({ then, now }: { readonly then?: Seen; readonly now?: Seen }): readonly RequestChange[] => {
    const shown = now ?? then;
    if (!shown) return [];
    const { name, url, type } = shown.item;
    return [{ name, url, type, base: then?.size, candidate: now?.size }];
  };
  return {
    added: bySize(onlyIn(fresh, old).flatMap((now) => change({ now }))),
    removed: bySize(onlyIn(old, fresh).flatMap((then) => change({ then }))),
    grown: bySize(changed.filter(grows).flatMap(change)),
    shrunk: bySize(changed.filter((pair) => !grows(pair)).flatMap(change)),
    bytes: bytesByType(before, after),
    thirdParties: {
      added: onlyIn(hostsIn(after), hostsIn(before)).map(({ host }) => host),
      removed: onlyIn(hostsIn(before), hostsIn(after)).map(({ host }) => host),
    },
    findings: { added: newFindings(candidate, base), removed: newFindings(base, candidate) },
  };
}

/** One name over the runs of a build. */
interface Seen {
  readonly item: InventoryItem;
  readonly size: RequestSize;
  /** Transferred bytes in each run that has it, sorted. */
  readonly sizes: readonly Bytes[];
  readonly share: number;
}

function seenIn(inventories: readonly Inventory[]): ReadonlyMap<string, Seen> {
  const items = Map.groupBy(inventories.flat(), ({ name }) => name);
  return new Map(
    [...items].flatMap(([name, each]): readonly (readonly [string, Seen])[] => {
      const item = each.at(-1);
      if (!item) return [];
      const sizes = each.map(({ transferSize }) => transferSize).sort((a, b) => a - b);
      const size = { requests: median(each.map(({ requests }) => requests)), transferSize: Math.round(median(sizes)) };
      return [[name, { item, size, sizes, share: each.length / inventories.length }]];
    }),
  );
}

/** What one build has and the other does not. */
function onlyIn<T extends { readonly share: number }>(
  here: ReadonlyMap<string, T>,
  there: ReadonlyMap<string, T>,
): readonly T[] {
  return [...here].flatMap(([name, seen]) =>
    seen.share >= THERE && (there.get(name)?.share ?? 0) <= GONE ? [seen] : [],
  );
}

/** Larger than what does not matter, and than what the size varies by from run to run: the middle halves lie apart. */
function differsInSize(then: Seen, now: Seen): boolean {
  const [before, after] = [then.size.transferSize, now.size.transferSize];
  const difference = Math.abs(after - before);
  if (difference <= GROWN_BYTES || difference <= GROWN_SHARE * before) return false;
  const [small, large] = before < after ? [then, now] : [now, then];
  return quartile(small.sizes, 0.75) < quartile(large.sizes, 0.25);
}

/** The nearest of the sorted values: no size that never was. */
function quartile(sorted: readonly number[], share: number): number {
  return sorted[Math.round((sorted.length - 1) * share)] ?? 0;
}

function bySize(changes: readonly RequestChange[]): readonly RequestChange[] {
  const change = ({ base, candidate }: RequestChange): number =>
    Math.abs((candidate?.transferSize ?? 0) - (base?.transferSize ?? 0));
  return changes.toSorted((a, b) => change(b) - change(a) || (a.name < b.name ? -1 : 1));
}

function bytesByType(base: readonly Inventory[], candidate: readonly Inventory[]): Changes['bytes'] {
  const types = new Set([...base, ...candidate].flat().map(({ type }) => type));
  const rows = [...types].map((type) => ({ type, base: bytesOf(type, base), candidate: bytesOf(type, candidate) }));
  const change = (row: (typeof rows)[number]): number => Math.abs(row.candidate - row.base);
  return rows
    .filter((row) => row.base > 0 || row.candidate > 0)
    .sort((a, b) => change(b) - change(a) || b.base - a.base || (a.type < b.type ? -1 : 1));
}

function bytesOf(type: ResourceType, inventories: readonly Inventory[]): Bytes {
  const sums = inventories.map((items) =>
    items.reduce((sum, item) => sum + (item.type === type ? item.transferSize : 0), 0),
  );
  return sums.length === 0 ? 0 : Math.round(median(sums));
}

function hostsIn(inventories: readonly Inventory[]): ReadonlyMap<string, { host: string; share: number }> {
  const hosts = inventories.flatMap((items) => [...new Set(items.flatMap(({ thirdParty }) => thirdParty ?? []))]);
  return new Map(
    [...Map.groupBy(hosts, (host) => host)].map(([host, each]) => [
      host,
      { host, share: each.length / inventories.length },
    ]),
  );
}
