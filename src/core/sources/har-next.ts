import { withoutHash } from '../requests/address-parts.ts';
import { duration, type Fields, fields } from '../requests/har-fields.ts';
import { headerOf } from '../text/header.ts';
import { documentOf, isOfFrame } from './har-document.ts';
import { type Entry, headersOf, initiatorOf } from './har-entry.ts';
import { tabIconsOf } from './har-icons.ts';
import { notesPages } from './har-producers.ts';
import { guessedType } from './har-types.ts';

/** A user looks at a page for so long, ms, before going on; what it needs itself it asks for without such a pause. */
const LOOKED_AT_MS = 1_000;
/** Tools date a page and the answer that led to it a little apart, ms. */
const LED_WITHIN_MS = 100;

/** The page that a file says all of its entries belong to. */
interface SaidPage {
  /** Behind the redirects that led to it. */
  readonly document: readonly Entry[];
  readonly creator: string;
  /** When the next page of the file begins, as `Entry.startedAt`; undefined when there is none. */
  readonly nextAt: number | undefined;
}

/**
 * The document, behind the redirects that led to it, with which the tab went on while the file stays with its page: proxies, Firefox
 * and Playwright note no new one when a link is followed. Undefined while the tab stays.
 *
 * A frame asks for documents, too. It is none where the browser says so, or where what is asked for later comes of the new document
 * and no longer of those before it; and the page had been looked at by then, or the icon of the tab is asked for again.
 *
 * @param entries in order of start
 */
export function nextDocument(entries: readonly Entry[], page: SaidPage): readonly Entry[] | undefined {
  const own = page.document.at(-1);
  if (own === undefined) return undefined;
  const icons = tabIconsOf(entries);
  const hasReferers = entries.some((entry) => refererOf(entry) !== '');
  const from = entries.indexOf(own) + 1;
  const before = new Set(page.document.map(({ url }) => withoutHash(url)));
  let busyUntil = entries.slice(0, from).reduce((last, entry) => Math.max(last, endOf(entry)), 0);
  for (const [behind, entry] of entries.slice(from).entries()) {
    const opened = mayOpen(entry) ? documentOf(entries.slice(from + behind)) : [];
    const document = opened.at(-1);
    if (opened[0] === entry && document !== undefined) {
      const later = untilBack(
        entries
          .slice(from + behind + 1)
          .filter((each) => each.startedAt >= document.startedAt && !opened.includes(each)),
        before,
      );
      const known = new Set(entries.slice(0, from + behind).flatMap((each) => (icons.has(each) ? [pathOf(each)] : [])));
      const hasIcon = later.some((each) => icons.has(each) && known.has(pathOf(each)));
      const isLookedAt = entry.startedAt - busyUntil >= LOOKED_AT_MS;
      const isTaken = hasReferers ? isNext(document, later, page) : hasIcon && !notesPages(page.creator);
      if ((isLookedAt || hasIcon) && isLeft(document, later, before) && isTaken) return opened;
      before.add(withoutHash(document.url));
    }
    // Icons come when a page is there.
    if (!icons.has(entry)) busyUntil = Math.max(busyUntil, endOf(entry));
  }
  return undefined;
}

/** What markup asks for is a frame, and what is fetched ahead is not opened yet. */
function mayOpen(entry: Entry): boolean {
  const { fields: own, request } = entry;
  const { type } = initiatorOf(own) ?? {};
  const isAhead = ['sec-purpose', 'purpose', 'x-moz'].some((name) => sent(request, name)?.includes('prefetch'));
  return type !== 'parser' && !isAhead && !isOfFrame(entry) && guessedType(entry) === 'document';
}

/** The entries up to where the tab comes back to one of these documents. */
function untilBack(entries: readonly Entry[], before: ReadonlySet<string>): readonly Entry[] {
  const back = entries.findIndex((entry) => before.has(withoutHash(entry.url)) && mayOpen(entry));
  return back === -1 ? entries : entries.slice(0, back);
}

/** Is nothing asked for in the name of the documents before it? One that is loaded again has the same name. */
function isLeft(document: Entry, later: readonly Entry[], before: ReadonlySet<string>): boolean {
  return before.has(withoutHash(document.url)) || !later.some((each) => before.has(refererOf(each)));
}

function isNext(document: Entry, later: readonly Entry[], { creator, nextAt }: SaidPage): boolean {
  if (nextAt !== undefined && Math.abs(nextAt - endOf(document)) <= LED_WITHIN_MS) return true;
  if (notesPages(creator)) return false;
  const isSaid = sent(document.request, 'sec-fetch-dest') === 'document';
  return isSaid || later.some((each) => refererOf(each) === withoutHash(document.url));
}

function pathOf({ url }: Entry): string {
  return new URL(url).pathname;
}

function refererOf({ request }: Entry): string {
  return withoutHash(sent(request, 'referer') ?? '');
}

function sent({ headers }: Fields, name: string): string | undefined {
  return headerOf(headersOf(headers), name);
}

function endOf({ fields: own, startedAt }: Entry): number {
  const phases = Object.entries(fields(own.timings)).filter(([name]) => name !== 'ssl');
  const sum = phases.reduce((total, [, took]) => total + (duration(took) ?? 0), 0);
  return startedAt + (duration(own.time) ?? sum);
}
