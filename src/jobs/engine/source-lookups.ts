import { readSourceMap, type SourceLookup } from '../../core/main-thread/source-map.ts';

/** Scripts of a report whose maps are read: the first ones. */
const MAPPED_SCRIPTS = 20;

/** The source maps of scripts by their addresses, as far as there are any. */
export type SourceLookups = (
  scripts: readonly { readonly url: string }[],
) => Promise<ReadonlyMap<string, SourceLookup>>;

/** Each map is read once. */
export function sourceLookups(readMap: (scriptUrl: string) => Promise<string | undefined>): SourceLookups {
  const known = new Map<string, Promise<SourceLookup | undefined>>();
  const lookupOf = async (url: string): Promise<SourceLookup | undefined> => {
    const text = await readMap(url);
    return text === undefined ? undefined : readSourceMap(text);
  };
  return async (scripts) => {
    const found = await Promise.all(
      scripts.slice(0, MAPPED_SCRIPTS).map(async ({ url }) => {
        const reading = known.get(url) ?? lookupOf(url);
        known.set(url, reading);
        const lookup = await reading;
        return lookup ? ([[url, lookup]] as const) : [];
      }),
    );
    return new Map(found.flat());
  };
}
