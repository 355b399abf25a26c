import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';

/**
 * What GitHub makes of Markdown: GFM as HTML, with what HTML it lets through. GitHub's own links (mentions, issues,
 * commits), which no renderer makes, are looked for in the text by `liveText`.
 */
export function rendered(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
}

/** Elements that a summary is made of. Nothing of them leads anywhere or loads anything. */
const OWN =
  /^<\/?(?:h3|p|strong|ul|li|table|thead|tbody|tr|t[hd](?: align="(?:left|right)")?|code|details|summary|blockquote|br|hr)(?: \/)?>$/;

/** Every tag of rendered Markdown that is none of a summary's own. */
export function foreignTags(html: string): readonly string[] {
  return (html.match(/<[^>]*>/g) ?? []).filter((tag) => !OWN.test(tag));
}

/** The text in which GitHub looks for mentions and references: all but code. */
export function liveText(html: string): string {
  return html.replace(/<code>[^<]*<\/code>/g, ' ').replace(/<[^>]*>/g, ' ');
}

/**
 * What GitHub makes links of in text. Source: GitHub Docs, "Autolinked references and URLs" and "Basic writing and
 * formatting syntax" (mentions, emoji).
 */
export const LIVE: readonly RegExp[] = [
  /@[\w-]/,
  /(?:^|[^\w])#\d/,
  /\bGH-\d/i,
  /\b[\w.-]+\/[\w.-]+[#@]\w/,
  /\b[0-9a-f]{7,40}\b/,
  /\bhttps?:\/\//i,
  /\bwww\.\w/i,
  /[\w.+-]+@[\w-]+\.\w/,
  /:[a-z]\w*:/,
];

/** Cells of each row of every table. */
export function tableShapes(html: string): readonly (readonly number[])[] {
  return [...html.matchAll(/<table>.*?<\/table>/gs)].map(([table]) =>
    [...table.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => (row.match(/<t[hd]\b/g) ?? []).length),
  );
}
