import type { InventoryItem } from '../../model/compare/comparison.ts';
import { withoutQueryAndHash } from '../requests/address-parts.ts';
import { MASK, sameButForHash } from './content-hash.ts';
import type { Inventory } from './inventory.ts';
import { SOCKET, splitMethod } from './own-origin.ts';

/**
 * Gives things one name in both builds: the page itself, wherever it is; files in the folders of the two pages, as in
 * previews (`/main/app.js` and `/pr-12/app.js`); and files of which a hash was known only in one build, `index-ahomepagE.js`
 * beside `index-*.js` with hashes of the same length. Those of the base get the names of the candidate.
 */
export function settleNames(
  base: readonly Inventory[],
  candidate: readonly Inventory[],
): readonly [base: readonly Inventory[], candidate: readonly Inventory[]] {
  const moved = moveToOtherPage(base, candidate);
  return [settle(moved, candidate), settle(candidate, moved)];
}

/** The base as if it were where the candidate's page is. */
function moveToOtherPage(base: readonly Inventory[], candidate: readonly Inventory[]): readonly Inventory[] {
  const [was, is] = [pageIn(base), pageIn(candidate)];
  if (was === undefined || is === undefined || was === is) return base;
  const [names, others] = [namesIn(base), namesIn(candidate)];
  // A build that fetches the other's page as well has two pages.
  if (names.has(is) || others.has(was)) return base;
  const folders = foldersOf(was, is);
  const renamed = new Map([[was, is]]);
  for (const name of names) {
    const other = movedTo(name, folders);
    const isThere = other !== undefined && others.has(other) && !names.has(other) && !others.has(name);
    if (isThere && !renamed.has(name)) renamed.set(name, other);
  }
  return base.map((items) => rename(items, renamed));
}

/** The name of the page's own document; undefined where loads differ in it. */
function pageIn(inventories: readonly Inventory[]): string | undefined {
  const [name, ...more] = namesIn(inventories.map((items) => items.filter((item) => item.page)));
  return more.length === 0 ? name : undefined;
}

function namesIn(inventories: readonly Inventory[]): ReadonlySet<string> {
  return new Set(inventories.flat().map(({ name }) => name));
}

/** The folders of two pages. */
export type Folders = readonly [from: string, to: string];

/**
 * The name of what is in the one folder as if it were in the other: `GET /main/app.js` as `GET /pr-12/app.js`. Undefined
 * for what is elsewhere.
 */
export function movedTo(name: string, [from, to]: Folders): string | undefined {
  const [method, address] = splitMethod(name);
  const scheme = address.startsWith(SOCKET) ? SOCKET : '';
  const path = address.slice(scheme.length);
  return path.startsWith(`${from}/`) ? method + scheme + to + path.slice(from.length) : undefined;
}

/** What the paths of two pages differ in at their beginnings: `/main` and `/pr-12` of `/main/shop/` and `/pr-12/shop/`. */
export function foldersOf(was: string, is: string): Folders {
  const [one, other] = [was, is].map((name) => split(splitMethod(name)[1])[0].split('/'));
  if (!one || !other) return ['', ''];
  const file = one.pop() === other.pop();
  while (file && one.length > 1 && other.length > 1 && one.at(-1) === other.at(-1)) {
    one.pop();
    other.pop();
  }
  return [one.join('/'), other.join('/')];
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
  return lastSegment(path).length === lastSegment(withoutQueryAndHash(other.url)).length;
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
