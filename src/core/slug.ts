/** Letters of a name that stands in those of files: readable, and far from the 255 bytes that file systems take. */
const LONGEST = 48;

/** A text as a part of file names: lower-case letters and digits of any script, dots and dashes; empty when it has none. */
export function slugOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .replace(/^[-.]+/, '')
    .slice(0, LONGEST)
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
