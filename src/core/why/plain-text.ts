import { MASK, withoutHashes } from '../changes/content-hash.ts';
import { withoutQueryAndHash } from '../requests/address-parts.ts';

/**
 * Texts of a build without the hashes in the names of its files: a script that imports another one has new bytes whenever
 * that one changes, and has not changed itself.
 *
 * @param urls all that the page loaded
 */
export function plainTexts(urls: Iterable<string>): (text: string) => string {
  const names = [...new Set([...urls].map(lastSegment))].flatMap((name) => {
    const plain = withoutHashes(name);
    return plain === name || plain === MASK ? [] : [[name, plain] as const];
  });
  return (text) => names.reduce((all, [name, plain]) => all.replaceAll(name, plain), text);
}

function lastSegment(url: string): string {
  const path = withoutQueryAndHash(url);
  return path.slice(path.lastIndexOf('/') + 1);
}
