/**
 * Text that came from a page, a server or a stored file. It may hold anything: terminal escapes, characters that turn
 * the direction of the line around, halves of surrogate pairs, a URL of ten thousand characters.
 */

// The controls are the point of this expression.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Characters that are not seen but move or hide what is: bidirectional marks, zero-width spaces, empty letters (Hangul
 * fillers, the blank of Braille), variation selectors, tags, separators of lines, marks of annotations. Joiners stay:
 * emoji and several scripts need them; so does the selector that gives an emoji its colours or its keycap.
 * Source: Unicode UAX #9, UAX #44 "Default_Ignorable_Code_Point", and "Trojan Source" (CVE-2021-42574).
 */
const INVISIBLES =
  /(?!\u200c|\u200d|(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]|(?<=[\d#*])\ufe0f\u20e3)[\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gu;

/** Nothing to do: what most texts are. */
const PRINTABLE_ASCII = /^[ -~]*$/;

const codePoint = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Foreign text as one harmless line: whitespace becomes a space, what cannot be seen is named. */
export function plain(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/[\t\n\r]+/g, ' ')
    .replace(CONTROLS, codePoint)
    .replace(INVISIBLES, codePoint);
}

/**
 * The same as a line of a log, in which no runner finds a command. Sources: GitHub's runner, ActionCommand.cs (`::` at the
 * beginning of a line, whatever blanks stand before it, and `##[` anywhere); Azure Pipelines (`##vso[`) and TeamCity.
 */
export function logLine(text: string): string {
  return plain(text)
    .replace(/##(?=\w*\[)/g, '## ')
    .replace(/^(\s*):(?=:)/, '$1: ');
}

/** JSON as lines of a log: parsers read the same values, and nothing in it is invisible or a command. */
export function logJson(value: unknown): string {
  const escaped = (character: string): string =>
    Array.from(
      { length: character.length },
      (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
    ).join('');
  return JSON.stringify(value, null, 2)
    .replace(/##(?=\w*\[)/g, '#\\u0023')
    .replace(/[^\n -~]/gu, (character) => (plain(character) === character ? character : escaped(character)));
}

/** The same as the beginning of a sentence. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** At most `most` UTF-16 units, with the middle left out: the ends of a URL tell it from its neighbours. */
export function elide(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(1, most - 1);
  const head = Math.ceil(kept / 2);
  const tail = kept - head;
  // Cutting may split a surrogate pair.
  return `${text.slice(0, head)}…${tail === 0 ? '' : text.slice(-tail)}`.toWellFormed();
}

/** The address when it is safe to follow, else undefined: never `javascript:`, `data:` or what only looks like http. */
export function safeHref(url: string): string | undefined {
  if (plain(url) !== url || !/^https?:\/\//i.test(url)) return undefined;
  return URL.canParse(url) ? url : undefined;
}

/** The relative path, as a link would hold it, when it names a recording, wherever it lies; else undefined. */
export function recordingFile(path: string | undefined): string | undefined {
  const safe =
    path !== undefined &&
    path.length < 1000 &&
    /^(?:\.\.\/)*(?:[\w%~+-][\w.%~+-]*\/)*[\w%~+-][\w.%~+-]*\.har(?:\.gz)?$/i.test(path);
  return safe ? path : undefined;
}

/** The names that Quiesce gives to the files beside a result, by their kind. Pictures are also in a folder there. */
const STORED_NAMES = {
  har: /^[\w-][\w.-]*\.har(?:\.gz)?$/i,
  trace: /^(?:[\w-][\w.-]*-)?trace\.json\.gz$/,
  lighthouse: /^(?:[\w-][\w.-]*-)?lighthouse\.html$/,
  page: /^pages\/[\p{L}\p{N}][\p{L}\p{N}.-]*\/index\.html$/u,
  picture: /^(?=.{1,300}$)(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:png|jpe?g)$/i,
} as const;

/** What kind of file a result names. */
export type StoredKind = keyof typeof STORED_NAMES;

/** The name when it is one for a file of this kind beside the result, else undefined: never up, never elsewhere, never a report. */
export function storedName(kind: StoredKind, name: string | undefined): string | undefined {
  return name !== undefined && STORED_NAMES[kind].test(name) ? name : undefined;
}

/** A short name for an address without the page's own origin, `/assets/app.*.js`; the root is `/`. */
export function shortNameOfOwn(name: string): string {
  return /^\/(?:\?|$)/.test(name) ? name : shortName(name.replace(/^\//, 'x://x/'));
}

/** A short name for a URL: the last part of its path with its query, or the host when there is none. */
export function shortName(url: string): string {
  const data = /^(data:[^,;]*)/i.exec(url);
  if (data?.[1] !== undefined) return `${data[1]},…`;
  const parts = /^([a-z][a-z0-9+.-]*:)\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(url);
  if (parts === null) return url;
  const [, , host = '', path = '', query = ''] = parts;
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1);
  if (last === undefined) return `${host}/${query}`;
  return `${last}${path.endsWith('/') ? '/' : ''}${query}`;
}

/** A short name for a URL, without its query. */
export const shortNameWithoutQuery = (url: string): string => shortName(url).replace(/\?.*$/s, '');
