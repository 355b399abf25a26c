/** Letters of a name that stands in those of files: readable, and far from the 255 bytes that file systems take. */
const MAX_LENGTH = 48;

/** A text as a part of file names: lower-case letters and digits of any script, dots and dashes; empty when it has none. */
export function slugOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .replace(/^[-.]+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/[-.]+$/, '');
}

/** The same slugs, those after the first of a kind with a number behind; `page` where there is none. */
export function uniqueSlugs(slugs: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return slugs.map((slug) => {
    const own = slug || 'page';
    let unique = own;
    for (let number = 2; taken.has(unique); number++) unique = `${own}-${number}`;
    taken.add(unique);
    return unique;
  });
}

/** A page that is to have a name for files. */
export interface NamedPage {
  /** What the user calls it. */
  readonly name?: string | undefined;
  /** Its address; absent where it says nothing, as a folder's, which is another each time. */
  readonly url?: string | undefined;
  /** What it is called where it has neither. */
  readonly otherwise: string;
}

/** A name for the files of each page, unique among them: the user's, else what tells its address from the others. */
export function pageSlugs(pages: readonly NamedPage[]): readonly string[] {
  const hosts = new Set(pages.flatMap(({ url }) => (url === undefined ? [] : new URL(url).host)));
  return uniqueSlugs(
    pages.map(({ name, url, otherwise }) => {
      if (name !== undefined) return slugOf(name);
      if (url === undefined) return slugOf(otherwise);
      const { host, pathname, searchParams } = new URL(url);
      // Values can be secret; names of parameters tell pages apart well enough, and a number does the rest.
      const parts = [...(hosts.size > 1 ? [host] : []), decoded(pathname), ...searchParams.keys()].join(' ');
      return slugOf(parts) || 'home';
    }),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
