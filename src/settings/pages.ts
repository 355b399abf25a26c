import { defined } from '../core/text/defined.ts';
/** The `pages` of a configuration file or a library call. */

import { z } from 'zod';
import { checkObject, describeIssue, type Entries, type ObjectProblem, shownValue } from './check.ts';
import { COMPARED_PAGE_OPTIONS, PAGE_OPTIONS } from './options.ts';

/** One of the `pages`, checked. */
export interface CheckedPage {
  readonly url: string;
  readonly name?: string;
  /** Its own options. */
  readonly entries: Entries;
}

const sayPage = 'must be an object with the url of a page, such as { name: "home", url: "https://example.com/" }';
const sayName = 'must be a name';
/** A file speaks to audits and to comparisons: what only the other takes is left alone. */
const OWN_OPTIONS = [
  ...PAGE_OPTIONS,
  ...COMPARED_PAGE_OPTIONS.filter(({ name }) => !PAGE_OPTIONS.some((option) => option.name === name)),
];

const sayUrl = 'must be a URL, a folder with a built site, or a path on the server under test';

/** What a page has beside options. */
export const pageSchema = z.looseObject(
  {
    name: z.string(sayName).regex(/\S/, sayName).optional(),
    url: z.string(sayUrl).regex(/^\S/, sayUrl),
  },
  sayPage,
);

/** Checks `pages`. */
export function checkPages(given: unknown): {
  readonly pages: readonly CheckedPage[];
  readonly problems: readonly ObjectProblem[];
} {
  if (given === undefined) return { pages: [], problems: [] };
  if (!Array.isArray(given))
    return { pages: [], problems: [{ clause: `pages must be a list of pages, not ${shownValue(given)}` }] };
  const pages: CheckedPage[] = [];
  const problems: ObjectProblem[] = [];
  for (const [position, page] of given.entries()) {
    const place = `pages[${position}]`;
    const named = pageSchema.safeParse(page);
    for (const issue of named.error?.issues ?? []) problems.push({ clause: describeIssue(issue, page, place) });
    if (!named.success) continue;
    const { name, url, ...options } = named.data;
    const own = checkObject(options, OWN_OPTIONS, place, ['name', 'url']);
    problems.push(...own.problems);
    pages.push(defined({ url, name, entries: own.entries }));
  }
  return { pages, problems };
}
