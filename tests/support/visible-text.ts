/** What no reader sees: scripts and styles, and titles that a pointer has to rest on. */
const UNSEEN = /<script[\s\S]*?<\/script>|<style[\s\S]*?<\/style>|<title[^>]*>[\s\S]*?<\/title>|<wbr\/?>/g;
/** What the documents say stays folded, and is approved where it is written. */
const EXPLAINED = /<details class="explained">(<summary>[\s\S]*?<\/summary>)[\s\S]*?<\/details>/g;
const seen = (html: string): string => html.replace(EXPLAINED, '$1').replace(UNSEEN, '');
/** A tag, whatever stands in its attributes. */
const TAG = /<[!/]?[a-z][^\s/>]*(?:"[^"]*"|[^>"])*>/gi;
const BLOCK =
  /<\/?(?:article|br|caption|dd|details|div|dl|dt|figcaption|figure|footer|h\d|header|legend|li|nav|ol|p|section|summary|svg|table|tr|ul)\b(?:"[^"]*"|[^>"])*>/g;

const decoded = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

/** What a reader sees of markup, on one line. */
export const wordsIn = (html: string): string => decoded(seen(html).replace(TAG, ' ')).replace(/\s+/g, ' ');

/** The part of a page from the heading with that title to the next, as markup; empty where there is none. */
export function partOf(html: string, title: string): string {
  const from = html.indexOf(`>${title}</h3>`);
  return from < 0 ? '' : (html.slice(from + 1).split(/<section class="part"|<h3/, 1)[0] ?? '');
}

/** The same as a reader sees it. */
export const partInWords = (html: string, title: string): string => wordsIn(partOf(html, title));

/** What a reader sees of a page and what drawings are called for those who do not: a line for each block and row. */
export function visibleLines(html: string): readonly string[] {
  const [, title = ''] = /<title>([^<]*)/.exec(html) ?? [];
  const marked = seen(html)
    .replace(/<(?:svg|figure)[^>]* aria-label="([^"]*)"[^>]*>/g, '\n[$1]\n')
    .replace(
      /<tr\b[\s\S]*?<\/tr>/g,
      (row) =>
        `\n${row
          .replace(/\n/g, ' ')
          .replace(/<t[dh]\b[^>]*>/g, ' | ')
          .replace(BLOCK, ' ')}\n`,
    )
    .replace(/<h([1-6])\b[^>]*>/g, (_, level) => `\n${'#'.repeat(level)} `)
    .replace(BLOCK, '\n');
  return decoded(`${title}\n${marked.replace(TAG, ' ')}`)
    .split('\n')
    .map((line) =>
      line
        .replace(/[ \u00a0]+/g, ' ')
        .replace(/^[ |]+/, '')
        .trimEnd(),
    )
    .filter((line) => line !== '');
}
