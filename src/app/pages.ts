import { realpath } from 'node:fs/promises';
import { count } from '../core/background/words.ts';
import { UsageError } from '../core/messages.ts';
import { listed } from '../core/sentences.ts';
import { pageSlugs } from '../core/slug.ts';
import type { Budget } from '../model/budget.ts';
import type { AuditSettings, PageSettings } from '../model/settings.ts';
import { readSitemap } from '../shell/sitemap.ts';
import { readUrlsFile } from '../shell/urls-file.ts';
import { budgetsOf } from './budgets.ts';
import { type LoadOptions, loadOptionsOf } from './load-options.ts';
import { type OpenScript, openScript } from './script.ts';
import { parseTarget, type Target } from './target.ts';

/** One page of an audit, with everything that it was told. */
export interface Page {
  readonly target: Target;
  /** What the user calls it. */
  readonly name?: string;
  /** Its name in those of files: unique, empty when it is the only page. */
  readonly slug: string;
  /** The audit's settings with its own over them. */
  readonly settings: AuditSettings;
  /** What its settings ask of each load. */
  readonly options: LoadOptions;
  /** Its limits. */
  readonly budgets: readonly Budget[];
  /** What is done before each of its loads, and after it. */
  readonly script?: OpenScript;
}

/** Pages of a sitemap that are taken when nobody says how many: with five runs each about an hour. */
export const MAX_PAGES = 25;

/** What reading the lists of pages needs. */
export interface PageSurroundings {
  readonly signal: AbortSignal;
  /** What `-` reads. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** Told what happened to the list. */
  note(sentence: string): void;
}

/** A page that was found valid, and where it was named. */
export interface ListedPage extends Omit<Page, 'slug'> {
  readonly place: string;
}

/**
 * The pages that are named one by one: those with settings of their own, the targets, then the lines of a file.
 *
 * @throws UsageError for whatever cannot be loaded, with the place where it was named.
 */
export async function listedPages(
  settings: AuditSettings,
  surroundings: PageSurroundings,
): Promise<readonly ListedPage[]> {
  const { pages = [], targets, urlsFile } = settings;
  const lines = urlsFile === undefined ? [] : await readUrlsFile(urlsFile, surroundings.stdin);
  const all: readonly { readonly page: PageSettings; readonly place: string }[] = [
    ...pages.map((page, i) => ({ page, place: `pages[${i}]` })),
    ...targets.map((url) => ({ page: { url }, place: '' })),
    ...lines.map(({ url, name, line }) => ({
      page: { url, ...(name !== undefined && { name }) },
      place: `${urlsFile === '-' ? 'standard input' : urlsFile}, line ${line}`,
    })),
  ];
  return Promise.all(all.map(({ page, place }) => parsePage(page, place, settings)));
}

/**
 * All pages of an audit: what was listed, then those of the sitemap, each once. Without any, the server's own address.
 *
 * @throws UsageError when a sitemap cannot be read, when two pages have one name, and when there is no page at all.
 */
export async function allPages(
  found: readonly ListedPage[],
  settings: AuditSettings,
  surroundings: PageSurroundings,
): Promise<readonly Page[]> {
  const { sitemap, serveUrl } = settings;
  const mapped = sitemap === undefined ? [] : await sitemapPages(sitemap, settings, surroundings);
  const own =
    found.length + mapped.length > 0 || serveUrl === undefined
      ? []
      : [await parsePage({ url: serveUrl }, '', settings)];
  const pages = await withoutDuplicates([...own, ...found, ...mapped], surroundings);
  if (pages.length === 0) throw new UsageError('target-missing');
  refuseEqualNames(pages);
  if (pages.length === 1) return pages.map(({ place: _place, ...page }) => ({ ...page, slug: '' }));
  const slugs = pageSlugs(pages.map(({ name, target: { url, slug } }) => ({ name, url, otherwise: slug })));
  return pages.map(({ place: _place, ...page }, i) => ({ ...page, slug: slugs[i] ?? '' }));
}

async function parsePage(
  { name, url, ...own }: PageSettings,
  place: string,
  settings: AuditSettings,
): Promise<ListedPage> {
  try {
    const target = await parseTarget(url, settings.serveUrl);
    const resolved = { ...settings, ...own };
    const script = await openScript(resolved);
    return {
      target,
      ...(name !== undefined && { name }),
      settings: resolved,
      options: loadOptionsOf(resolved),
      budgets: budgetsOf(resolved),
      ...(script && { script }),
      place,
    };
  } catch (error) {
    if (place === '' || !(error instanceof UsageError)) throw error;
    throw new UsageError('page-invalid', { path: place, detail: error.message }, { cause: error });
  }
}

async function sitemapPages(
  sitemap: string,
  settings: AuditSettings,
  { signal, note }: PageSurroundings,
): Promise<readonly ListedPage[]> {
  const { serveUrl, maxPages = MAX_PAGES } = settings;
  const found = await readSitemap(sitemap, {
    most: maxPages,
    signal,
    ...(serveUrl !== undefined && { movedTo: serveUrl }),
  });
  for (const sentence of found.notes) note(sentence);
  return Promise.all(found.urls.map((url) => parsePage({ url }, sitemap, settings)));
}

/** Left out are pages that would be loaded in the same way twice; the same page under other conditions is another one. */
async function withoutDuplicates(
  pages: readonly ListedPage[],
  { note }: PageSurroundings,
): Promise<readonly ListedPage[]> {
  const kept = new Map<string, ListedPage>();
  const dropped: string[] = [];
  for (const page of pages) {
    // What the audit as a whole was told is the same for all of them, and may be a list of thousands.
    const { targets: _targets, pages: _pages, ...own } = page.settings;
    const key = JSON.stringify([await placeOf(page.target), own]);
    const known = kept.get(key);
    if (known === undefined) kept.set(key, page);
    else if (known.name === undefined && page.name !== undefined) kept.set(key, { ...known, name: page.name });
    if (known !== undefined) dropped.push(page.target.name);
  }
  if (dropped.length > 0) {
    note(`${count(dropped.length, 'page')} named more than once, measured once: ${listed([...new Set(dropped)])}.`);
  }
  return [...kept.values()];
}

async function placeOf({ name, folder, url }: Target): Promise<string> {
  return folder === undefined ? (url ?? name) : realpath(folder);
}

function refuseEqualNames(pages: readonly ListedPage[]): void {
  const taken = new Map<string, ListedPage>();
  for (const page of pages) {
    if (page.name === undefined) continue;
    const other = taken.get(page.name);
    if (other)
      throw new UsageError('page-name-taken', { detail: page.name, url: other.target.name, path: page.target.name });
    taken.set(page.name, page);
  }
}
