import { realpath } from 'node:fs/promises';
import { pageSlugs } from '../../core/text/slug.ts';
import type { PagesNote } from '../../model/result/note.ts';
import type { PageLoading, ResolvedAudit, ResolvedPage, ResolvedServer } from '../../settings/resolved.ts';
import { readUrlsFile } from '../../shell/disk/urls-file.ts';
import { readSitemap } from '../../shell/servers/sitemap.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { type OpenScript, openScript } from '../engine/script.ts';
import { parseTarget, type Target } from '../engine/target.ts';

/** One page of an audit, with everything that is set for it. */
export interface Page {
  readonly target: Target;
  /** What the user calls it. */
  readonly name?: string;
  /** Its name in those of files: unique, empty when it is the only page. */
  readonly slug: string;
  /** How it is loaded and judged. */
  readonly loading: PageLoading;
  /** What is done before each of its loads, and after it. */
  readonly script?: OpenScript;
}

/** Which pages an audit is to load. */
type PagesAsked = Pick<ResolvedAudit, 'pages' | 'lists' | 'loading' | 'server'>;

/** What reading the lists of pages needs. */
export interface ListContext {
  readonly signal: AbortSignal;
  /** What `-` reads. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Called with what happened to the list. */
  note(note: PagesNote): void;
}

/** A page that was found valid, and where it was named. */
export interface ListedPage extends Omit<Page, 'slug'> {
  readonly place: string;
}

/**
 * The pages that are named one by one: those with settings of their own, the targets, then the lines of a file.
 *
 * @throws QuiesceError for whatever cannot be loaded, with the place where it was named.
 */
export async function listedPages(
  { pages, lists: { urlsFile }, loading, server }: PagesAsked,
  context: ListContext,
): Promise<readonly ListedPage[]> {
  const lines = urlsFile === undefined ? [] : await readUrlsFile(urlsFile, context.stdin);
  const ofFile = lines.map(({ url, name, line }) => ({
    url,
    name,
    loading,
    place: `${urlsFile === '-' ? 'standard input' : urlsFile}, line ${line}`,
  }));
  return Promise.all([...pages, ...ofFile].map((page) => openPage(page, server)));
}

/**
 * All pages of an audit: what was listed, then those of the sitemap, each once. Without any, the server's own address.
 *
 * @throws QuiesceError when a sitemap cannot be read, when two pages have one name, and when there is no page at all.
 */
export async function allPages(
  listed: readonly ListedPage[],
  asked: PagesAsked,
  context: ListContext,
): Promise<readonly Page[]> {
  const { lists, loading, server } = asked;
  const mapped = lists.sitemap === undefined ? [] : await sitemapPages(lists.sitemap, asked, context);
  const own =
    listed.length + mapped.length > 0 || server === undefined
      ? []
      : [await openPage({ url: server.url, loading, place: '' }, server)];
  const pages = await withoutDuplicates([...own, ...listed, ...mapped], context);
  if (pages.length === 0) throw new QuiesceError('target-missing');
  refuseEqualNames(pages);
  if (pages.length === 1) return pages.map(({ place: _place, ...page }) => ({ ...page, slug: '' }));
  const slugs = pageSlugs(pages.map(({ name, target: { url, slug } }) => ({ name, url, otherwise: slug })));
  return pages.map(({ place: _place, ...page }, i) => ({ ...page, slug: slugs[i] ?? '' }));
}

async function openPage(
  { name, url, loading, place }: ResolvedPage,
  server: ResolvedServer | undefined,
): Promise<ListedPage> {
  try {
    const target = await parseTarget(url, server?.url);
    const script = await openScript(loading.script);
    return { target, loading, place, name, script };
  } catch (error) {
    if (place === '' || !(error instanceof QuiesceError)) throw error;
    throw new QuiesceError('page-invalid', { path: place, detail: error.message }, { cause: error });
  }
}

async function sitemapPages(
  sitemap: string,
  { lists, loading, server }: PagesAsked,
  { signal, note }: ListContext,
): Promise<readonly ListedPage[]> {
  const found = await readSitemap(sitemap, {
    most: lists.maxPages,
    signal,
    movedTo: server?.url,
  });
  for (const each of found.notes) note(each);
  return Promise.all(found.urls.map((url) => openPage({ url, loading, place: sitemap }, server)));
}

/** Left out are pages that would be loaded in the same way twice; the same page under other conditions is another one. */
async function withoutDuplicates(pages: readonly ListedPage[], { note }: ListContext): Promise<readonly ListedPage[]> {
  const kept = new Map<string, ListedPage>();
  const dropped: string[] = [];
  for (const page of pages) {
    const { script, ...loading } = page.loading;
    const key = JSON.stringify([await realLocation(page.target), loading, script?.path]);
    const known = kept.get(key);
    if (known === undefined) kept.set(key, page);
    else if (known.name === undefined && page.name !== undefined) kept.set(key, { ...known, name: page.name });
    if (known !== undefined) dropped.push(page.target.name);
  }
  if (dropped.length > 0) note({ code: 'duplicate-pages', times: dropped.length, names: [...new Set(dropped)] });
  return [...kept.values()];
}

async function realLocation({ name, folder, url }: Target): Promise<string> {
  return folder === undefined ? (url ?? name) : realpath(folder);
}

function refuseEqualNames(pages: readonly ListedPage[]): void {
  const taken = new Map<string, ListedPage>();
  for (const page of pages) {
    if (page.name === undefined) continue;
    const other = taken.get(page.name);
    if (other)
      throw new QuiesceError('page-name-taken', { detail: page.name, url: other.target.name, path: page.target.name });
    taken.set(page.name, page);
  }
}
