import { withoutHash } from '../requests/address-parts.ts';
import { fields, text } from '../requests/har-fields.ts';
import { isNamedIcon } from '../requests/icon-name.ts';
import { siteOf } from '../requests/site.ts';
import { type Entry, initiatorOf } from './har-entry.ts';
import { guessedType, mimeTypeOf, saidType } from './har-types.ts';

/** The formats that are for icons alone. */
const ICON_TYPES = /^image\/(?:x-icon|vnd\.microsoft\.icon|ico)$/;

/**
 * Icons of the tab, of bookmarks and of the home screen. Browsers ask for these by themselves, and tools that do not know who asked
 * do not say so: then it is what the document names as one, or what has the name or the format of one. Pictures that
 * markup or a script asked for are none, and neither are the icons of other sites that a page lists.
 */
export function tabIconsOf(entries: readonly Entry[]): ReadonlySet<Entry> {
  const linked = new Set(entries.flatMap(iconsNamedBy));
  const isCertain = (entry: Entry): boolean => linked.has(withoutHash(entry.url)) || isFetchedForTab(entry);
  const possible = new Set(entries.filter((entry) => hasNoInitiator(entry) && (isCertain(entry) || isLikeIcon(entry))));
  const sites = new Set(entries.filter((entry) => !possible.has(entry)).map(({ url }) => siteOf(url)));
  return new Set([...possible].filter((entry) => isCertain(entry) || sites.has(siteOf(entry.url))));
}

function isLikeIcon({ url, response }: Entry): boolean {
  return isNamedIcon(url) || ICON_TYPES.test(mimeTypeOf(response));
}

/** Chrome gives a picture without an initiator a type that pages' own requests do not have. */
function isFetchedForTab({ fields: own, response }: Entry): boolean {
  return saidType(own) === 'other' && own._initiator !== undefined && mimeTypeOf(response).startsWith('image/');
}

function hasNoInitiator({ fields: own, request }: Entry): boolean {
  const said = saidType(own);
  if ((text(request.method) ?? 'GET') !== 'GET' || (said !== undefined && said !== 'other')) return false;
  const { type = 'other', url, stack = [] } = initiatorOf(own) ?? {};
  return type === 'other' && url === undefined && stack.length === 0;
}

/** The addresses that the text of a document names as its icons, where the file holds that. */
function iconsNamedBy(entry: Entry): readonly string[] {
  const { text: html, encoding } = fields(entry.response.content);
  if (typeof html !== 'string' || encoding === 'base64' || guessedType(entry) !== 'document') return [];
  const links = html.match(/<link\b[^>]*>/gi) ?? [];
  return links.flatMap((link) => {
    const address = attributeOf(link, 'href');
    // rel="shortcut icon", "apple-touch-icon-precomposed", "mask-icon"
    const isIcon = /(?:^|[\s-])icon(?:$|[\s-])/i.test(attributeOf(link, 'rel') ?? '');
    return isIcon && address !== undefined && URL.canParse(address, entry.url)
      ? [withoutHash(new URL(address, entry.url).href)]
      : [];
  });
}

function attributeOf(tag: string, name: string): string | undefined {
  const [, ...values] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag) ?? [];
  return values
    .find((value) => value !== undefined)
    ?.replaceAll('&amp;', '&')
    .trim();
}
