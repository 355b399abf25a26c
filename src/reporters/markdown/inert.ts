import { ABSENT } from '../../wording/text/format.ts';
import { elide, plain } from '../../wording/text/text.ts';

/** Longest foreign text that is written out. */
const LONG = 300;

/** A word that no Markdown dialect makes anything of: letters and figures, with what stands around them in a sentence. */
const WORD = /^[("“‘]{0,2}[+−–±-]?[\p{L}\p{M}\p{N}]+(?:[’'.,−–-][\p{L}\p{M}\p{N}]+)*[)”’"%.,;:!?]*$/u;
/** Signs that stand alone in a sentence. */
const SIGN = /^[%±→←↑↓×=…·–—−&][.,;:)]*$/u;
/**
 * Words that GitHub makes links of although they are letters and figures: commits (seven hexadecimal figures or more,
 * also between dashes), issues (`GH-12`, and `SHOP-12` where a repository links a tracker), hosts. Source: GitHub Docs,
 * "Autolinked references and URLs"; GFM specification, 6.9.
 */
const LINKED = /(?<![a-z\d])(?:[\da-f]{7,}|[a-z][a-z\d]*-\d+|www\.\S*)(?![a-z\d])|\p{L}\.\p{L}/iu;

/** What makes a list, or a heading of the line before, of a line that begins with it. Source: CommonMark specification, 5.2 and 4.3. */
const OPENS = /^(?:\d+[.)]|=.*)$/;

/** One line of bounded length. What cannot be seen takes room when it is named, so that is done before it is cut. */
const short = (text: string, most = LONG): string => elide(plain(text), most);

/**
 * Foreign text as a code span: nothing in it is a mention, a link, an image, HTML or the end of a table's cell. A tick
 * would end the span, and a `|` a cell even within one; renderers disagree on what escapes them there, so both are
 * written as signs that mean nothing.
 */
export function code(text: string): string {
  const line = short(text).replaceAll('|', '¦').replaceAll('`', "'").trim();
  return line === '' ? ABSENT : `\`${line}\``;
}

/** Foreign text as code within HTML, where Markdown is not read: in the heading of what is folded away. */
export function codeInHtml(text: string): string {
  const line = short(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').trim();
  return line === '' ? ABSENT : `<code>${line}</code>`;
}

/**
 * A sentence that may quote a page: plain words stay as they are, everything else (addresses, names of files, names of
 * users, anything with a sign that Markdown knows) becomes code. Of more than `most` letters the middle is left out.
 */
export function prose(text: string, most?: number): string {
  const out: string[] = [];
  let quoted: string[] = [];
  const close = (): void => {
    if (quoted.length === 0) return;
    out.push(quotedInSentence(quoted.join(' ')));
    quoted = [];
  };
  for (const token of short(text, most).split(' ')) {
    if (token === '') continue;
    const opens = out.length === 0 && quoted.length === 0 && OPENS.test(token);
    if (!opens && ((WORD.test(token) && !LINKED.test(token)) || SIGN.test(token))) {
      close();
      out.push(token);
    } else {
      quoted.push(token);
      // What follows is another part of the sentence, and so another span.
      if (/[.,;:]$/.test(token)) close();
    }
  }
  close();
  return out.length === 0 ? ABSENT : out.join(' ');
}

/** Code without the signs of the sentence around it: brackets, quotation marks, and the full stop. */
function quotedInSentence(text: string): string {
  const [, open = '', quote = '', end = ''] = /^([(“]*)(.*?)([)”]*[.,;:]*)$/su.exec(text) ?? [];
  const count = (sign: string): number => quote.split(sign).length - 1;
  // A bracket that is opened within belongs to it.
  const own = Math.min(Math.max(0, count('(') - count(')')), /^\)*/.exec(end)?.[0].length ?? 0);
  return quote === '' ? code(text) : open + code(quote + end.slice(0, own)) + end.slice(own);
}
