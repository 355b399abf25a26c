import { withoutHash } from '../requests/address-parts.ts';
import { headerOf } from '../text/header.ts';
import { type Entry, headersOf, isRedirect, redirectOf } from './har-entry.ts';
import { guessedType, mimeTypeOf } from './har-types.ts';

/** In a frame a document is content of the page. Source: Fetch, "request destination". */
const FRAMES: ReadonlySet<string | undefined> = new Set(['iframe', 'frame', 'embed', 'object', 'fencedframe']);

/** Source: Fetch, "redirect count". */
const MOST_REDIRECTS = 20;

/**
 * The document of a page behind the redirects that led to it, in the order in which they were asked for; empty where the file does
 * not hold it. HAR does not name it: it is the first one that is no frame's.
 *
 * @param entries in order of start
 */
export function documentOf(entries: readonly Entry[]): readonly Entry[] {
  const found = entries.findIndex((entry) => guessedType(entry) === 'document' && !isOfFrame(entry));
  // What a page begins with is its document, even if it says nothing of its type.
  const index = found === -1 && entries[0] && saysNothing(entries[0]) ? 0 : found;
  const document = entries[index];
  if (document === undefined) return [];
  const before: Entry[] = [];
  for (const [behind, entry] of entries.slice(0, index).reverse().entries()) {
    if (before.length === MOST_REDIRECTS) break;
    if (leadsTo(entry, before[0] ?? document, behind === before.length)) before.unshift(entry);
  }
  const chain = [...before, document];
  let last = document;
  let isNext = true;
  for (const entry of entries.slice(index + 1)) {
    if (chain.length > MOST_REDIRECTS || !isRedirect(last.response)) break;
    const isTarget = leadsTo(last, entry, isNext);
    isNext = isTarget;
    if (!isTarget) continue;
    chain.push(entry);
    last = entry;
  }
  return chain;
}

/** Is one a redirect to the other? chrome-har 0.2 and 0.3 may not say where to: then to what was asked for next. */
function leadsTo({ url, response }: Entry, to: Entry, isNext: boolean): boolean {
  const target = redirectOf(response, url);
  return target === undefined ? isNext && isRedirect(response) : withoutHash(target) === withoutHash(to.url);
}

/** Does the browser say that it is for a frame? */
export function isOfFrame({ request }: Entry): boolean {
  return FRAMES.has(headerOf(headersOf(request.headers), 'sec-fetch-dest')?.toLowerCase());
}

/** A redirect and a failure say nothing of their type, and neither does a file that a browser shows as it is. */
function saysNothing(entry: Entry): boolean {
  const isPicture = mimeTypeOf(entry.response).startsWith('image/');
  return guessedType(entry) === 'other' && (entry.request.method ?? 'GET') === 'GET' && !isPicture;
}
