import type { InventoryItem } from '../../model/compare/comparison.ts';
import { nameOfAddress } from './inventory.ts';
import { settleNames } from './rename.ts';

/** Addresses of one build's files, and of its page in the end. */
export interface BuildAddresses {
  readonly urls: Iterable<string>;
  readonly pageUrl: string;
}

/** The name that an address has in both builds; an address that was not given stands for itself. */
export type NameOf = (url: string) => string;

/** Names of the files of two builds without hashes and the pages' own origins and folders: files that differ in nothing else have one. */
export function settledAddresses(
  base: BuildAddresses,
  candidate: BuildAddresses,
): readonly [base: NameOf, candidate: NameOf] {
  const [ofBase, ofCandidate] = [itemsOf(base), itemsOf(candidate)];
  const [baseNames, candidateNames] = settleNames(
    ofBase.map((item) => [item]),
    ofCandidate.map((item) => [item]),
  );
  return [named(ofBase, baseNames), named(ofCandidate, candidateNames)];
}

function itemsOf({ urls, pageUrl }: BuildAddresses): readonly InventoryItem[] {
  return [...new Set(urls)]
    .filter((url) => url !== '')
    .map((url) => ({
      name: nameOfAddress(url, pageUrl),
      url,
      type: 'script',
      requests: 1,
      transferSize: 0,
      ...(url === pageUrl && { page: true }),
    }));
}

function named(items: readonly InventoryItem[], names: readonly (readonly InventoryItem[])[]): NameOf {
  const known = new Map(items.map(({ url }, i) => [url, names[i]?.[0]?.name ?? url]));
  return (url) => known.get(url) ?? url;
}
