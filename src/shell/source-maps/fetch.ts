/** Scripts, and maps, that are larger are not read, bytes. */
const LARGEST = { script: 30e6, map: 100e6 };
/** How long one file may take, ms. */
const TIMEOUT_MS = 10_000;

/**
 * The text of a script's source map, found as browsers find it: by the header `SourceMap`, else by the comment at the end of
 * the script. Undefined where there is none. A map elsewhere than the script is not fetched: a page must not choose which
 * addresses this machine asks.
 */
export async function fetchSourceMap(scriptUrl: string, signal: AbortSignal): Promise<string | undefined> {
  if (!/^https?:/i.test(scriptUrl)) return undefined;
  try {
    const script = await get(scriptUrl, LARGEST.script, signal);
    if (!script) return undefined;
    const named = script.header ?? /\/[/*][#@]\s*sourceMappingURL=([^\s*]+)\s*(?:\*\/\s*)?$/.exec(script.text)?.[1];
    if (named === undefined) return undefined;
    const url = new URL(named, scriptUrl);
    if (url.protocol === 'data:') return await (await fetch(url)).text();
    if (url.origin !== new URL(scriptUrl).origin) return undefined;
    return (await get(url.href, LARGEST.map, signal))?.text;
  } catch {
    return undefined;
  }
}

interface Answer {
  readonly text: string;
  readonly header: string | undefined;
}

async function get(url: string, largest: number, signal: AbortSignal): Promise<Answer | undefined> {
  const response = await fetch(url, {
    // A redirect could lead to another origin after the check.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (!response.ok || !response.body) return undefined;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.byteLength;
    if (size > largest) return undefined;
    parts.push(part);
  }
  const header = response.headers.get('sourcemap') ?? response.headers.get('x-sourcemap') ?? undefined;
  return { text: Buffer.concat(parts).toString(), header };
}
