import type { InventoryItem } from '../../model/comparison.ts';
import { MASK, sameButForHash } from './content-hash.ts';
import type { Inventory } from './inventory.ts';

/**
 * Gives files one name in both builds where a hash was known for one only in one of them: `index-ahomepagE.js` beside
 * `index-*.js` of the other build, with hashes of the same length.
 */
export function settleNames(
  base: readonly Inventory[],
  candidate: readonly Inventory[],
): readonly [base: readonly Inventory[], candidate: readonly Inventory[]] {
  return [settle(base, candidate), settle(candidate, base)];
}

function settle(inventories: readonly Inventory[], others: readonly Inventory[]): readonly Inventory[] {
  const known = new Set(others.flat().map(({ name }) => name));
  const hashed = others.flat().filter(({ name }) => name.includes(MASK));
  const masked = [...new Map(hashed.map((item) => [item.name, item])).values()];
  const renamed = new Map<string, string>();
  for (const { name } of inventories.flat()) {
    if (known.has(name) || renamed.has(name)) continue;
    const same = masked.find((item) => isSameFile(name, item));
    if (same) renamed.set(name, same.name);
  }
  return renamed.size === 0 ? inventories : inventories.map((items) => rename(items, renamed));
}

/** Alike but for the hash, whose length the other's name hides: its address has it in full. */
function isSameFile(name: string, other: InventoryItem): boolean {
  const [path, rest] = split(name);
  const [otherPath, otherRest] = split(other.name);
  if (rest !== otherRest || !sameButForHash(path, otherPath)) return false;
  return lastSegment(path).length === lastSegment(other.url.replace(/[?#].*$/s, '')).length;
}

/** A name's method and path, and what is behind them: its query, its operation. */
function split(name: string): readonly [path: string, rest: string] {
  const at = name.search(/\?| \(/);
  return at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at)];
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What has one name now, is one item. */
function rename(items: Inventory, names: ReadonlyMap<string, string>): Inventory {
  const settled = new Map<string, InventoryItem>();
  for (const item of items) {
    const name = names.get(item.name) ?? item.name;
    const known = settled.get(name);
    settled.set(name, {
      ...item,
      ...known,
      name,
      requests: (known?.requests ?? 0) + item.requests,
      transferSize: (known?.transferSize ?? 0) + item.transferSize,
    });
  }
  return [...settled.values()];
}
