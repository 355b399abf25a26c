/** What a sitemap holds: addresses of pages, or of further sitemaps, as they are written there. */
export type Sitemap =
  | { readonly kind: 'pages' | 'index'; readonly locations: readonly string[] }
  | { readonly problem: string };

/** The five entities of XML; others need a document type, and sitemaps have none. Source: XML 1.0, 4.6. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Where an address stands in either kind, by local names. Source: sitemaps.org, "XML tag definitions". */
const PLACES: ReadonlySet<string> = new Set(['urlset/url/loc', 'sitemapindex/sitemap/loc']);

/** Deeper nesting is no sitemap. */
const DEEPEST = 32;

/**
 * Reads the addresses out of a sitemap. It reads elements and text only: what a document type declares is refused, so
 * that nothing is ever expanded or fetched, and the time is proportional to the length.
 */
export function readSitemap(text: string): Sitemap {
  const locations: string[] = [];
  const open: string[] = [];
  let root: string | undefined;
  let content = '';
  let at = 0;
  const until = (end: string, from: number): number => {
    const found = text.indexOf(end, from);
    return found === -1 ? text.length : found;
  };
  while (at < text.length) {
    const tag = until('<', at);
    content += unescaped(text.slice(at, tag));
    if (tag === text.length) break;
    if (text.startsWith('<!--', tag)) at = until('-->', tag + 4) + 3;
    else if (text.startsWith('<?', tag)) at = until('?>', tag + 2) + 2;
    else if (text.startsWith('<![CDATA[', tag)) {
      const end = until(']]>', tag + 9);
      content += text.slice(tag + 9, end);
      at = end + 3;
    } else if (text.startsWith('<!', tag)) {
      return {
        problem: /^<!doctype\s+html/i.test(text.slice(tag, tag + 40))
          ? 'it is a web page'
          : 'it declares a document type',
      };
    } else {
      const end = until('>', tag);
      const inner = text.slice(tag + 1, end);
      at = end + 1;
      const name = localName(inner);
      if (inner.startsWith('/')) {
        if (PLACES.has(open.join('/')) && content.trim() !== '') locations.push(content.trim());
        open.pop();
      } else {
        root ??= name;
        if (open.length >= DEEPEST) return { problem: 'its elements are nested too deeply' };
        if (!inner.endsWith('/')) open.push(name);
      }
      content = '';
    }
  }
  if (root === 'urlset') return { kind: 'pages', locations };
  if (root === 'sitemapindex') return { kind: 'index', locations };
  if (root === undefined) return { problem: 'it is not XML' };
  return {
    problem:
      root === 'html' ? 'it is a web page' : `its root is <${root.slice(0, 40)}>, not <urlset> or <sitemapindex>`,
  };
}

/**
 * The name of an element, of the sitemap's own namespace: with a prefix of its own (`<image:loc>`) it is an extension's,
 * unless the whole file writes one (`<sm:urlset>`), which nobody but the root's namespace can have.
 */
function localName(inner: string): string {
  const name = /^\/?\s*([^\s/>]*)/.exec(inner)?.[1] ?? '';
  const [prefix, local] = name.includes(':') ? name.split(':', 2) : ['', name];
  const isExtension = /^(?:image|video|news|mobile|xhtml|pagemap|geo)$/i.test(prefix ?? '');
  return isExtension ? name : (local ?? '');
}

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{1,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name) ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
