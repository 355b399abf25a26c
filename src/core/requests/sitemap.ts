import sax from 'sax';

/** What a sitemap holds: addresses of pages, or of further sitemaps, as they are written there; or why it is none, a clause. */
export type Sitemap =
  | { readonly kind: 'pages' | 'index'; readonly locations: readonly string[] }
  | { readonly problem: string };

/** Where an address stands in either kind, by local names. Source: sitemaps.org, "XML tag definitions". */
const LOCATIONS: ReadonlySet<string> = new Set(['urlset/url/loc', 'sitemapindex/sitemap/loc']);
/** Elements of an extension (`<image:loc>`). Any other prefix is the sitemap's own: some files write `<sm:urlset>`. */
const EXTENSION = /^(?:image|video|news|mobile|xhtml|pagemap|geo):/i;
/** Deeper nesting is no sitemap. */
const MAX_DEPTH = 32;
/** Mistakes after which the rest is not read: each costs time, and a hostile file may have one in every character. */
const MAX_MISTAKES = 1_000;
/** Characters that are parsed at once. */
const CHUNK = 64 * 1024;
const WEB_PAGE = 'it is a web page';
/** Longest name of an element that is shown. */
const LONGEST_NAME = 40;
/** Only the five entities of XML are known. The types of sax leave that option out. */
const OPTIONS = { position: false, strictEntities: true };

/**
 * Reads the addresses out of a sitemap. A document type is refused, so that nothing is ever expanded or fetched. Other
 * mistakes are tolerated: what can be read is used.
 */
export function readSitemap(text: string): Sitemap {
  const xml = sax.parser(true, OPTIONS);
  const locations: string[] = [];
  const open: string[] = [];
  let root: string | undefined;
  let problem: string | undefined;
  let content = '';
  let mistakes = 0;
  xml.onerror = () => {
    mistakes += 1;
    xml.resume();
  };
  xml.ondoctype = (type) => {
    problem ??= /^\s*html/i.test(type) ? WEB_PAGE : 'it declares a document type';
  };
  xml.onopentag = ({ name }) => {
    const local = EXTENSION.test(name) ? name : name.replace(/^[^:]*:/, '');
    root ??= local;
    open.push(local);
    content = '';
    if (open.length > MAX_DEPTH) problem ??= 'its elements are nested too deeply';
  };
  xml.onclosetag = () => {
    if (LOCATIONS.has(open.join('/')) && content.trim() !== '') locations.push(content.trim());
    open.pop();
    content = '';
  };
  const addContent = (piece: string): void => {
    content += piece;
  };
  xml.ontext = addContent;
  xml.oncdata = addContent;
  for (let at = 0; at < text.length && problem === undefined && mistakes < MAX_MISTAKES; at += CHUNK) {
    xml.write(text.slice(at, at + CHUNK));
  }
  if (problem !== undefined) return { problem };
  if (root === 'urlset') return { kind: 'pages', locations };
  if (root === 'sitemapindex') return { kind: 'index', locations };
  if (root === undefined) return { problem: 'it is not XML' };
  if (root === 'html') return { problem: WEB_PAGE };
  return { problem: `its root is <${root.slice(0, LONGEST_NAME)}>, not <urlset> or <sitemapindex>` };
}
