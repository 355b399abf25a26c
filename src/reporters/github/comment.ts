import { formatValue } from '../../wording/text/format.ts';
import { safeHref } from '../../wording/text/text.ts';
import { code, prose } from '../markdown/inert.ts';

/** What a comment or the summary of a job leads to; addresses as they were given. */
export interface Links {
  /** Where the report can be fetched. */
  readonly report?: string | undefined;
  /** The job's own page. */
  readonly run?: string | undefined;
  /** What was measured, and its page. */
  readonly commit?: { readonly hash: string; readonly url?: string | undefined } | undefined;
}

/** What a text that was cut ends with. */
const CUT = 'Cut here: GitHub has no room for more. See the report for the rest.';
/** Figures of a commit's hash that tell it from all others. */
const COMMIT = 12;
/** The key of a comment whose pull request has no other. Source: the default of `--comment-key`. */
const USUAL_KEY = 'quiesce';

/**
 * A summary in Markdown with the lines that lead on from it, and a name where there are several. What is longer than
 * `most` letters is cut before those lines.
 */
export function withLinks(summary: string, { report, run, commit }: Links, key = USUAL_KEY, most = Infinity): string {
  const hash = commit === undefined ? '' : code(commit.hash.slice(0, COMMIT));
  const parts = [
    ...(report === undefined ? [] : [link('**Full report**', report)]),
    ...(run === undefined ? [] : [link('Workflow run', run)]),
    ...(commit === undefined ? [] : [`Commit ${commit.url === undefined ? hash : link(hash, commit.url)}`]),
  ];
  const name = key === USUAL_KEY ? '' : `${code(key)}\n\n`;
  const end = parts.length === 0 ? '' : `\n${parts.join(' · ')}\n`;
  return `${name}${fitted(`${summary.trimEnd()}\n`, most - name.length - end.length)}${end}`;
}

/** A shard's share in the summary of its job. */
export function shareSummary({ index, of }: { readonly index: number; readonly of: number }, sentence: string): string {
  return `### Shard ${formatValue(index, 'count')} of ${formatValue(of, 'count')}\n\n${prose(sentence)}\n`;
}

/** The text, or as many of its lines as there is room for; what is folded away in it stays closed. */
export function fitted(text: string, most: number): string {
  if (text.length <= most) return text;
  const close = '\n</details>';
  const end = `\n\n${CUT}\n`;
  const room = text.slice(0, Math.max(0, most - end.length - close.length));
  // Half a line could be half a code span, and what stands in it would be read as Markdown.
  const kept = room.slice(0, Math.max(0, room.lastIndexOf('\n')));
  const open = (kept.match(/^<details>$/gm) ?? []).length > (kept.match(/^<\/details>$/gm) ?? []).length;
  return `${kept}${open ? close : ''}${end}`;
}

/** Words that lead to an address; the words alone where it is none, or could end the link. */
function link(words: string, url: string): string {
  const safe = safeHref(url);
  if (safe === undefined) return words;
  // Between angle brackets only these, and what a browser would repair, mean something.
  const address = new URL(safe).href.replace(/[<>\\|`\s]/g, (sign) => encodeURIComponent(sign));
  return `[${words}](<${address}>)`;
}
