/** What has to come at some place in JSON. */
export type JsonPart = 'value' | 'name' | 'colon' | 'comma-or-brace' | 'comma-or-bracket' | 'nothing';

/** Why a text is not JSON. */
export type JsonFault =
  | { readonly code: 'cut'; readonly wanted: JsonPart }
  | { readonly code: 'cut-in-text' | 'bad-text' | 'after-the-end' }
  /** A call of a function around it, as in HARP and other JSONP. `start`: its name and bracket. */
  | { readonly code: 'function-call'; readonly start: string }
  /** NaN or Infinity, which JavaScript has and JSON has not. */
  | { readonly code: 'not-a-number'; readonly word: string }
  /** `found`: the character that is there. */
  | { readonly code: 'unexpected'; readonly found: string; readonly wanted: JsonPart };

/** The value that a text holds as JSON, or where and why it is none. */
export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly fault: JsonFault };

/** Reads JSON; what is wrong is reported with its place, which `JSON.parse` does only now and then. */
export function readJson(marked: string): JsonReading {
  // RFC 8259 section 8.1: a byte order mark is no part of the value.
  const text = marked.replace(/^\ufeff/, '');
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const start = CALL.exec(text)?.[1];
    if (start !== undefined) return { ok: false, line: 1, column: 1, fault: { code: 'function-call', start } };
    const { at, fault } = faultOf(text);
    const before = text.slice(0, at);
    const line = before.split('\n').length;
    return { ok: false, line, column: at - (before.lastIndexOf('\n') + 1) + 1, fault };
  }
}

const CALL = /^\s*([\w$.]{1,100}\s*\()\s*[{[]/;

const BLANK = /[ \t\n\r]*/y;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const NOT_A_NUMBER = /-?(?:NaN|Infinity)\b/y;

/**
 * The first place at which a text stops being JSON. Walks without recursion, for a hostile file may be nested deeper
 * than the stack.
 */
function faultOf(text: string): { readonly at: number; readonly fault: JsonFault } {
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
  const missing = (wanted: JsonPart): JsonFault => {
    const found = text[at];
    if (found === undefined) return { code: 'cut', wanted };
    NOT_A_NUMBER.lastIndex = at;
    const word = NOT_A_NUMBER.exec(text)?.[0];
    if (word !== undefined) return { code: 'not-a-number', word };
    if (found === '"') return { code: text.includes('"', at + 1) ? 'bad-text' : 'cut-in-text' };
    return { code: 'unexpected', found, wanted };
  };
  const fault = (wanted: JsonPart) => ({ at, fault: missing(wanted) });
  let want: 'value' | 'first' | 'key' | 'next' = 'value';
  for (;;) {
    take(BLANK);
    const inside = open.at(-1);
    if (want === 'next') {
      if (inside === undefined) {
        return at >= text.length ? fault('nothing') : { at, fault: { code: 'after-the-end' } };
      }
      const close = inside === '{' ? '}' : ']';
      if (text[at] === close) open.pop();
      else if (text[at] === ',') want = inside === '{' ? 'key' : 'value';
      else return fault(inside === '{' ? 'comma-or-brace' : 'comma-or-bracket');
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
      if (!takeString()) return fault('name');
      take(BLANK);
      if (text[at] !== ':') return fault('colon');
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
    else return fault('value');
  }
}
