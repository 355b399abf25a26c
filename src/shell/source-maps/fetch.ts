import { LONGEST_MAP_NAME, mapNamedBy } from '../../core/main-thread/source-map.ts';
import { cutTo } from '../../core/text/cut-to.ts';
import type { UnreadMap } from '../../model/main-thread.ts';

/** Scripts, and maps, that are larger are not read, bytes. */
const LARGEST = { script: 30e6, map: 100e6 };
/** How long one file may take, ms. */
const TIMEOUT_MS = 10_000;

/** A script as it is served. */
export interface FetchedScript {
  readonly text: string;
  /** Its source map; absent where it names none. */
  readonly map?: FetchedMap;
}

/** A source map as its script names it, and its text or why that could not be read. */
type FetchedMap = { readonly named: string } & ({ readonly text: string } | { readonly reason: UnreadMap['reason'] });

/**
 * A script and its source map, found as browsers find it: by the header `SourceMap`, else by the comment at the end of the
 * script. Undefined where there is no such script. A map elsewhere than the script is not fetched: a page must not choose
 * which addresses this machine asks.
 */
export async function fetchScript(scriptUrl: string, signal: AbortSignal): Promise<FetchedScript | undefined> {
  if (!/^https?:/i.test(scriptUrl)) return undefined;
  const script = await get(scriptUrl, LARGEST.script, signal);
  // Of a document, only the profiler counts the lines of a script from the beginning of the document.
  if (script === undefined || !('text' in script) || /html/i.test(script.type)) return undefined;
  const { text, header } = script;
  const named = header ?? mapNamedBy(text);
  return named === undefined ? { text } : { text, map: await fetchMap(named, scriptUrl, signal) };
}

async function fetchMap(address: string, scriptUrl: string, signal: AbortSignal): Promise<FetchedMap> {
  const named = cutTo(address, LONGEST_MAP_NAME);
  const unread = (reason: UnreadMap['reason']): FetchedMap => ({ named, reason });
  if (!URL.canParse(address, scriptUrl)) return unread({ code: 'no-map' });
  const url = new URL(address, scriptUrl);
  if (url.protocol !== 'data:' && url.origin !== new URL(scriptUrl).origin) return unread({ code: 'elsewhere' });
  const answer = await get(url.href, LARGEST.map, signal);
  if (answer === undefined) return unread({ code: 'no-answer' });
  return 'text' in answer ? { named, text: answer.text } : unread({ code: 'status', status: answer.status });
}

type Answer =
  | { readonly text: string; readonly type: string; readonly header: string | undefined }
  | { readonly status: number };

async function get(url: string, largest: number, signal: AbortSignal): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, {
      // A redirect could lead to another origin after the check.
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      return { status: response.status };
    }
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body) {
      size += part.byteLength;
      if (size > largest) return undefined;
      parts.push(part);
    }
    const { headers } = response;
    return {
      text: Buffer.concat(parts).toString(),
      type: headers.get('content-type') ?? '',
      header: headers.get('sourcemap') ?? headers.get('x-sourcemap') ?? undefined,
    };
  } catch {
    return undefined;
  }
}
