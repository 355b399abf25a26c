import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/** Links inside a report open beside it, as the ones that its components write. */
const OUTSIDE = 'rel="noopener noreferrer" referrerpolicy="no-referrer" target="_blank"';

/**
 * What the documents say first under each of their headings, as HTML by `<file>#<anchor>`: a paragraph, a list or a table.
 *
 * @param pages the text of each document by its file's name
 * @param root the web address of the folder that they are in
 */
export function explanationsOf(
  pages: Readonly<Record<string, string>>,
  root: string,
): Readonly<Record<string, string>> {
  const found = Object.entries(pages).flatMap(([file, text]) =>
    sectionsOf(text).map(({ heading, first }) => [`${file}#${anchorOf(heading)}`, htmlOf(first, file, root)] as const),
  );
  return Object.fromEntries(found.toReversed());
}

/** Each heading with the first block below it, and the list that it leads to; one that begins with code, or with another heading, has none. */
function sectionsOf(text: string): readonly { readonly heading: string; readonly first: string }[] {
  const blocks = text.replace(/^```.*?^```$/gms, '```').split(/\n{2,}/);
  return blocks.flatMap((block, index) => {
    const heading = /^#{1,6} (.+)$/.exec(block)?.[1];
    const [first = '', second = ''] = blocks.slice(index + 1).map((each) => each.trim());
    return heading === undefined || /^(?:#|`{3}|<|!|$)/.test(first)
      ? []
      : [{ heading, first: first.endsWith(':') ? `${first}\n\n${second}` : first }];
  });
}

/** As GitHub makes the anchor of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** No HTML of the text's own gets through; its links are those of the web, where they are not of the web already. */
function htmlOf(markdown: string, file: string, root: string): string {
  const html = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return html.replace(/<a href="([^"]*)"/g, (_, href: string) => {
    const address = /^https?:/.test(href) ? href : `${root}/${href.startsWith('#') ? file : ''}${href}`;
    return `<a href="${address}" ${OUTSIDE}`;
  });
}
