import type { TextRange } from '../../model/recording/recording.ts';

/** At-rules that hold style rules. All others (fonts, animations, imports) match no element, so nobody can say that they were not used. */
const GROUPS: ReadonlySet<string> = new Set([
  'media',
  'supports',
  'layer',
  'container',
  'scope',
  'starting-style',
  'document',
]);

/** What braces and semicolons mean nothing in: comments, strings, escaped characters, addresses without quotes. */
const OPAQUE =
  /\/\*.*?(?:\*\/|$)|"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|'[^'\\]*(?:\\.[^'\\]*)*(?:'|$)|\\.|url\(\s*(?!["'\s])[^)]*\)?/isy;
const BLANK = /(?:\s|\/\*.*?(?:\*\/|$))+/sy;

/** Where the style rules of a style sheet are, from the selector to the brace at the end; nested rules are part of theirs. */
export function styleRules(text: string): readonly TextRange[] {
  const rules: TextRange[] = [];
  let start = skipBlank(text, 0);
  let at = start;
  while (at < text.length) {
    const next = skipOpaque(text, at);
    if (next > at) {
      at = next;
      continue;
    }
    const character = text[at];
    at += 1;
    if (character === '{') {
      const atRule = /^@([\w-]+)/.exec(text.slice(start, Math.min(at, start + 40)))?.[1]?.toLowerCase();
      if (atRule === undefined || !GROUPS.has(atRule.replace(/^-\w+-/, ''))) {
        at = endOfBlock(text, at);
        if (atRule === undefined) rules.push({ from: start, to: at });
      }
    } else if (character !== ';' && character !== '}') continue;
    start = skipBlank(text, at);
    at = start;
  }
  return rules;
}

/** Behind the brace that ends a block; its begin is behind the one that opens it. */
function endOfBlock(text: string, begin: number): number {
  let depth = 1;
  let at = begin;
  while (at < text.length && depth > 0) {
    const next = skipOpaque(text, at);
    if (next > at) {
      at = next;
      continue;
    }
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    at += 1;
  }
  return at;
}

function skipOpaque(text: string, at: number): number {
  OPAQUE.lastIndex = at;
  return OPAQUE.test(text) ? OPAQUE.lastIndex : at;
}

function skipBlank(text: string, at: number): number {
  BLANK.lastIndex = at;
  return BLANK.test(text) ? BLANK.lastIndex : at;
}
