import { plain } from '../../wording/text/text.ts';

/*
 * Laying out is where a text becomes a part of a line: what cannot be seen in it is named here, before it is measured.
 * Styles are put on what is laid out already.
 */

/** Letters that stand over the one before them. */
const COMBINING = /^\p{Mn}|^\p{Me}|^\u200d|^[\ufe00-\ufe0f]/u;
/** Letters that take two columns. Source: Unicode East Asian Width W and F, and emoji in picture form. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}/u;

const columnsOf = (letter: string): number => (COMBINING.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1);

/** How many columns a text takes. */
export function columns(text: string): number {
  let total = 0;
  for (const letter of plain(text)) total += columnsOf(letter);
  return total;
}

/** As many whole letters as fit. */
function fitting(letters: readonly string[], most: number): string {
  let total = 0;
  const kept: string[] = [];
  for (const letter of letters) {
    total += columnsOf(letter);
    if (total > most) break;
    kept.push(letter);
  }
  return kept.join('');
}

/** At most `most` columns, the middle left out: both ends of a URL tell it from its neighbours. */
export function fit(foreign: string, most: number): string {
  const text = plain(foreign);
  if (columns(text) <= most) return text;
  if (most <= 1) return '…'.slice(0, Math.max(0, most));
  const tail = Math.floor((most - 1) / 2);
  const letters = [...text];
  const end = [...fitting(letters.toReversed(), tail)].reverse().join('');
  return `${fitting(letters, most - 1 - tail)}…${end}`;
}

/** At most `most` columns, the end left out: of a line that is drawn over, its beginning must not move. */
export function fitStart(foreign: string, most: number): string {
  const text = plain(foreign);
  return columns(text) <= most ? text : `${fitting([...text], most - 1)}…`;
}

/** Padded on the right to `width` columns. */
export function pad(text: string, width: number): string {
  return plain(text) + ' '.repeat(Math.max(0, width - columns(text)));
}

/** Padded on the left to `width` columns. */
export function padLeft(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - columns(text))) + plain(text);
}

/** Spaces but those between a figure and its unit: "97" at the end of a line and "ms" on the next are hard to read. */
const BREAKS = / (?!(?:ms|s|h|[kMG]?B|[kM]bit\/s)(?![\w-]))|(?<!\d) /;

/** Lines of at most `width` columns, broken at spaces; a longer word is cut in its middle. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of plain(text)
    .split(BREAKS)
    .filter((part) => part !== '')) {
    const whole = fit(word, width);
    if (line !== '' && columns(line) + 1 + columns(whole) > width) {
      lines.push(line);
      line = whole;
    } else line = line === '' ? whole : `${line} ${whole}`;
  }
  if (line !== '') lines.push(line);
  return lines;
}
