import type { BuildLoads, SeenRequest } from './loads.ts';

/** Whether a file differs between two builds; unknown where its text was not read, and its length varies from load to load. */
export type FileState = 'same' | 'changed' | 'unknown';

/** Which files differ: by the hashes of their texts, and by the lengths of their bodies in all loads. */
export function fileStates(one: BuildLoads, other: BuildLoads): (name: string) => FileState {
  return (name) => {
    const [a, b] = [one.requests.get(name), other.requests.get(name)];
    if (a === undefined || b === undefined) return a === b ? 'unknown' : 'changed';
    const [hashes, others] = [one.hashes.get(name), other.hashes.get(name)];
    const byHash = hashes && others ? (isSame(hashes, others) ? 'same' : 'changed') : 'unknown';
    // Of a document it is only the code that stands in it.
    if (byHash === 'changed' || (byHash === 'same' && a.item.type !== 'document')) return byHash;
    const [length, otherLength] = [lengthOf(a), lengthOf(b)];
    if (length === undefined || otherLength === undefined) return 'unknown';
    return length === otherLength ? 'same' : 'changed';
  };
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each));
}

/** The length that the body has in all loads; undefined where it varies. */
function lengthOf({ timings }: SeenRequest): number | undefined {
  const [first, ...more] = new Set(timings.map(({ contentSize }) => contentSize));
  return more.length === 0 ? first : undefined;
}
