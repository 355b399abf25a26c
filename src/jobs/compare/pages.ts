import { pageSlugs } from '../../core/text/slug.ts';
import type { PerBuild } from '../../model/compare/build.ts';
import type { PagesNote } from '../../model/result/note.ts';
import { PAGES_FOLDER } from '../../result/pages-with-steps.ts';
import type { ResolvedCompare, ResolvedComparedPage } from '../../settings/resolved.ts';
import { readUrlsFile } from '../../shell/disk/urls-file.ts';
import { readSitemap } from '../../shell/servers/sitemap.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { formatCount } from '../../wording/text/format.ts';

/** More are no comparison that anybody waits for. */
const MOST_PAGES = 50;

/** One of the pages that are compared. */
export interface PageToCompare extends ResolvedComparedPage {
  /** What reports call it. */
  readonly name: string;
  /** Its folder beside result.json. */
  readonly folder: string;
  /** The build is this one page, and what is compared beside its load are the steps of its script. */
  readonly isOnly?: true;
}

/** What the load of a page is called where the others are steps. */
const LOAD = 'page load';

/** The page of builds that are one page each, with the steps of its script. `url`: the base's, where it has one. */
export function onlyPage(settings: Omit<ResolvedComparedPage, 'path' | 'name' | 'place'>, url = '/'): PageToCompare {
  const { loading, sides, design, lab } = settings;
  const { pathname, search } = new URL(url, 'http://page');
  const slug = LOAD.replace(' ', '-');
  const path = pathname + search;
  return { loading, sides, design, lab, path, place: '', name: LOAD, folder: `${PAGES_FOLDER}/${slug}`, isOnly: true };
}

/** What reports call a step of a page. */
export const stepName = ({ name, isOnly }: Pick<PageToCompare, 'name' | 'isOnly'>, step: string): string =>
  isOnly ? step : `${name} › ${step}`;

/** The metrics that decide on the load of a page: those that are of no step, and those of the load by its name. */
export const gatesOfLoad = ({ design, name, isOnly }: PageToCompare): readonly string[] => {
  const own = design.gates.filter(({ step }) => step === undefined || (isOnly && step === name));
  return [...new Set(own.map(({ metric }) => metric))];
};

/** What reading the lists of pages needs. */
interface ListContext {
  readonly signal: AbortSignal;
  /** What `-` reads. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** The address of the base; absent where it is a folder. */
  readonly base: string | undefined;
  note(note: PagesNote): void;
}

/**
 * The pages of a comparison: those that are named one by one, the lines of a file, those of a sitemap; each once.
 *
 * @throws QuiesceError for what is no path, for two pages of one name, for none and for too many
 */
export async function pagesToCompare(
  { named, lists }: NonNullable<ResolvedCompare['pages']>,
  { loading, sides, design, lab }: Omit<ResolvedComparedPage, 'path' | 'name' | 'place'>,
  { signal, stdin, base, note }: ListContext,
): Promise<readonly PageToCompare[]> {
  const { urlsFile, sitemap, maxPages } = lists;
  const whole = { loading, sides, design, lab };
  const lines = urlsFile === undefined ? [] : await readUrlsFile(urlsFile, stdin);
  const found =
    sitemap === undefined
      ? undefined
      : await readSitemap(sitemap, { most: maxPages, signal, ...(base !== undefined && { movedTo: base }) });
  for (const each of found?.notes ?? []) note(each);
  const ofFile = lines.map(({ url, name, line }) => ({
    ...whole,
    path: url,
    ...(name !== undefined && { name }),
    place: `${urlsFile === '-' ? 'standard input' : urlsFile}, line ${line}`,
  }));
  const ofSitemap = (found?.urls ?? []).map((url) => ({ ...whole, path: pathIn(url, base), place: sitemap ?? '' }));
  const listed = [...named, ...ofFile].map((page) => ({ ...page, path: checkedPath(page, base) }));
  const pages = withoutDuplicates([...listed, ...ofSitemap], note);
  if (pages.length > MOST_PAGES) {
    throw new QuiesceError('pages-too-many', { detail: formatCount(pages.length, 'page') });
  }
  refuseEqualNames(pages);
  const slugs = pageSlugs(pages.map(({ name, path }) => ({ name, url: `http://page${path}`, otherwise: 'page' })));
  return pages.map((page, i) => ({
    ...page,
    name: page.name ?? page.path,
    folder: `${PAGES_FOLDER}/${slugs[i] ?? 'page'}`,
  }));
}

/** A page of each build: its path is below the address of the build. */
export function urlsOfPage(urls: PerBuild<string>, path: string): PerBuild<string> {
  const below = (url: string): string => {
    const { origin, pathname } = new URL(url);
    return new URL(prefixOf(pathname) + path, origin).href;
  };
  return { base: below(urls.base), candidate: below(urls.candidate) };
}

/** Where a build is known by an address, paths are below this part of it. */
const prefixOf = (pathname: string): string => pathname.replace(/\/[^/]*$/, '');

/** The path of an address, below the base where it is there. */
function pathIn(url: string, base: string | undefined): string {
  const { pathname, search } = new URL(url);
  const prefix = base === undefined ? '' : prefixOf(new URL(base).pathname);
  return `${pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname}${search}`;
}

/** A path as it is; an address of the base is one, too. */
function checkedPath({ path, place }: ResolvedComparedPage, base: string | undefined): string {
  if (/^\/(?!\/)\S*$/.test(path)) {
    const { pathname, search, hash } = new URL(path, 'http://page');
    return pathname + search + hash;
  }
  const isOfBase = base !== undefined && URL.canParse(path) && new URL(path).origin === new URL(base).origin;
  if (isOfBase) return pathIn(path, base);
  throw new QuiesceError('page-not-path', { detail: path, ...(place !== '' && { path: place }) });
}

/** Left out are pages that would be compared in the same way twice. */
function withoutDuplicates(
  pages: readonly ResolvedComparedPage[],
  note: ListContext['note'],
): readonly ResolvedComparedPage[] {
  const kept = new Map<string, ResolvedComparedPage>();
  const dropped: string[] = [];
  for (const page of pages) {
    const { name, path, loading, sides, design } = page;
    const key = JSON.stringify([path, loading, sides, design]);
    const known = kept.get(key);
    if (known !== undefined) dropped.push(page.path);
    if (known === undefined) kept.set(key, page);
    else if (known.name === undefined && name !== undefined) kept.set(key, { ...known, name });
  }
  if (dropped.length > 0) note({ code: 'duplicate-pages', times: dropped.length, names: [...new Set(dropped)] });
  return [...kept.values()];
}

function refuseEqualNames(pages: readonly ResolvedComparedPage[]): void {
  const taken = new Map<string, string>();
  for (const { name, path } of pages) {
    const other = name === undefined ? undefined : taken.get(name);
    if (name !== undefined && other !== undefined) {
      throw new QuiesceError('page-name-taken', { detail: name, url: other, path });
    }
    if (name !== undefined) taken.set(name, path);
  }
}
