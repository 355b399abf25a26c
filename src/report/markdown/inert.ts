import { ABSENT } from '../format.ts';
import { elide, plain } from '../text.ts';

/** Longest foreign text that is written out. */
const LONG = 300;

/** A word that no Markdown dialect makes anything of: letters and figures, with what stands around them in a sentence. */
const WORD = /^[("“‘]?[+−–-]?[\p{L}\p{M}\p{N}]+(?:[’'.,−–-][\p{L}\p{M}\p{N}]+)*[)”’"%.,;:!?]*$/u;
/** Signs that stand alone in a sentence. */
const SIGN = /^[%±→←↑↓×=…·–—−&][.,;:)]*$/u;
/**
 * Words that GitHub makes links of although they are letters and figures: commits (seven hexadecimal figures or more),
 * issues of other repositories, hosts. Source: GitHub Docs, "Autolinked references and URLs"; GFM specification, 6.9.
 */
const LINKED = /^[^\p{L}\p{N}]*(?:[0-9a-f]{7,}|gh-\d+|www\..*|.*\p{L}\.\p{L}.*)[^\p{L}\p{N}]*$/iu;

/**
 * Foreign text as a code span: nothing in it is a mention, a link, an image, HTML or the end of a table's cell. A tick
 * would end the span, and a `|` a cell even within one; renderers disagree on what escapes them there, so both are
 * written as signs that mean nothing.
 */
export function code(text: string): string {
  const line = plain(elide(text, LONG)).replaceAll('|', '¦').replaceAll('`', "'").trim();
  return line === '' ? ABSENT : `\`${line}\``;
}

/**
 * A sentence that may quote a page: plain words stay as they are, everything else (addresses, names of files, names of
 * users, anything with a sign that Markdown knows) becomes code.
 */
export function prose(text: string): string {
  const out: string[] = [];
  let quoted: string[] = [];
  const close = (): void => {
    if (quoted.length === 0) return;
    // The full stop of a sentence is no part of the address before it.
    const [, quote = '', stop = ''] = /^(.*?)([.,;:]*)$/su.exec(quoted.join(' ')) ?? [];
    out.push(quote === '' ? code(stop) : code(quote) + stop);
    quoted = [];
  };
  for (const token of plain(elide(text, LONG)).split(' ')) {
    if (token === '') continue;
    if ((WORD.test(token) && !LINKED.test(token)) || SIGN.test(token)) {
      close();
      out.push(token);
    } else quoted.push(token);
  }
  close();
  return out.length === 0 ? ABSENT : out.join(' ');
}
