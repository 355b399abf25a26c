/** The value that a text holds as JSON, or where and why it is none, a clause. */
export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly problem: string };

/** Reads JSON; what is wrong is reported with its place, which `JSON.parse` does only now and then. */
export function readJson(marked: string): JsonReading {
  // RFC 8259 section 8.1: a byte order mark is no part of the value.
  const text = marked.replace(/^\ufeff/, '');
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const start = CALL.exec(text)?.[1];
    if (start !== undefined) {
      const problem = `it is a function call (HARP, JSONP): remove "${start}" at the beginning and ")" at the end`;
      return { ok: false, line: 1, column: 1, problem };
    }
    const { at, problem } = problemOf(text);
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    return { ok: false, line, column: at - (before.lastIndexOf('\n') + 1) + 1, problem };
  }
}

/** A call of a function around it, as in HARP and other JSONP. */
const CALL = /^\s*([\w$.]{1,100}\s*\()\s*[{[]/;

const BLANK = /[ \t\n\r]*/y;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** What JavaScript has and JSON has not. */
const NOT_A_NUMBER = /-?(?:NaN|Infinity)\b/y;

/**
 * The first place at which a text stops being JSON. Walks without recursion, for a hostile file may be nested deeper
 * than the stack.
 */
function problemOf(text: string): { readonly at: number; readonly problem: string } {
  let at = 0;
  /** The brackets that are open. */
  const open: ('{' | '[')[] = [];
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  // By hand: a pattern would need room for every character of a body that is megabytes long.
  const takeString = (): boolean => {
    if (text[at] !== '"') return false;
    for (let end = at + 1; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      if (code === 0x22) {
        at = end + 1;
        return true;
      }
      if (code < 0x20) return false;
      if (code !== 0x5c) continue;
      ESCAPE.lastIndex = end + 1;
      if (!ESCAPE.test(text)) return false;
      end = ESCAPE.lastIndex - 1;
    }
    return false;
  };
  const whyNot = (wanted: string): string => {
    const found = text[at];
    if (found === undefined) return `it ends where ${wanted} is expected`;
    NOT_A_NUMBER.lastIndex = at;
    const word = NOT_A_NUMBER.exec(text)?.[0];
    if (word !== undefined) return `${word} is not JSON, write null or −1`;
    if (found !== '"') return `expected ${wanted} before ${JSON.stringify(found)}`;
    return text.includes('"', at + 1)
      ? 'a string with a character that is not allowed in it'
      : 'it ends in the middle of a string';
  };
  const missing = (wanted: string) => ({ at, problem: whyNot(wanted) });
  let want: 'value' | 'first' | 'key' | 'next' = 'value';
  for (;;) {
    take(BLANK);
    const inside = open.at(-1);
    if (want === 'next') {
      if (inside === undefined) {
        return at >= text.length ? missing('nothing') : { at, problem: 'something after the end' };
      }
      const close = inside === '{' ? '}' : ']';
      if (text[at] === close) open.pop();
      else if (text[at] === ',') want = inside === '{' ? 'key' : 'value';
      else return missing(`a comma or "${close}"`);
      at += 1;
      continue;
    }
    if (want === 'first' && text[at] === (inside === '{' ? '}' : ']')) {
      open.pop();
      at += 1;
      want = 'next';
      continue;
    }
    if (want === 'key' || (want === 'first' && inside === '{')) {
      if (!takeString()) return missing('a property name in double quotes');
      take(BLANK);
      if (text[at] !== ':') return missing('a colon');
      at += 1;
      want = 'value';
      continue;
    }
    const bracket = text[at];
    if (bracket === '{' || bracket === '[') {
      open.push(bracket);
      at += 1;
      want = 'first';
    } else if (takeString() || take(WORD) || take(NUMBER)) want = 'next';
    else return missing('a value');
  }
}
