import { type PlaceAt, scriptLines } from '../../../core/main-thread/script-lines.ts';
import { readSourceMap, type SourceLookup } from '../../../core/main-thread/source-map.ts';
import type { UnreadMap } from '../../../model/main-thread.ts';
import type { FetchedScript } from '../../../shell/source-maps/fetch.ts';

/** Scripts of a list that are read: the first ones. */
const READ = 20;
/** Scripts that are kept, with their maps: those that were asked for last. A map takes up to 100 MB. */
const KEPT = 40;

/** What is known of a script that was read. */
export interface ScriptSource {
  readonly placeAt: PlaceAt;
  /** Absent where there is no source map. */
  readonly lookup?: SourceLookup;
  /** Why there is none, where the script names one. */
  readonly unread?: UnreadMap;
}

/** Scripts by their addresses, as far as they could be read. */
export type ScriptSources = (
  scripts: readonly { readonly url: string }[],
) => Promise<ReadonlyMap<string, ScriptSource>>;

/** Each script is read once, while others do not push it out. */
export function scriptSources(fetchScript: (url: string) => Promise<FetchedScript | undefined>): ScriptSources {
  const kept = new Map<string, Promise<ScriptSource | undefined>>();
  const sourceAt = (url: string): Promise<ScriptSource | undefined> => {
    const reading = kept.get(url) ?? fetchScript(url).then((script) => script && sourceOf(url, script));
    kept.delete(url);
    kept.set(url, reading);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return reading;
  };
  return async (scripts) => {
    const urls = [...new Set(scripts.map(({ url }) => url))].slice(0, READ);
    const found = await Promise.all(urls.map(async (url) => [url, await sourceAt(url)] as const));
    return new Map(found.flatMap(([url, source]) => (source ? [[url, source]] : [])));
  };
}

/** The source maps among what was read. */
export function lookupsIn(sources: ReadonlyMap<string, ScriptSource>): ReadonlyMap<string, SourceLookup> {
  return new Map([...sources].flatMap(([url, { lookup }]) => (lookup ? [[url, lookup]] : [])));
}

function sourceOf(url: string, { text, map }: FetchedScript): ScriptSource {
  const placeAt = scriptLines(text);
  if (map === undefined) return { placeAt };
  const unread = (reason: UnreadMap['reason']): ScriptSource => ({ placeAt, unread: { url, map: map.named, reason } });
  if ('reason' in map) return unread(map.reason);
  const lookup = readSourceMap(map.text);
  return lookup ? { placeAt, lookup } : unread({ code: 'no-map' });
}
