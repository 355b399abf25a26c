import type { Bytes } from '../../model/units.ts';

/** Where a text was cut, and how much longer it was, both in UTF-16 units. */
export interface TextCut {
  /** Behind what was kept of it, in what was kept of all. */
  readonly at: number;
  readonly left: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_OBJECT, OPEN_ARRAY] = [0x7b, 0x5b];
const LETTER_U = 0x75;
/** Between two texts. */
const OUTSIDE = -1;
/** Nothing of a text is left out. */
const WHOLE = -1;
/** "…", which stands for the rest. */
const CUT = Uint8Array.of(0xe2, 0x80, 0xa6);

/**
 * Passes JSON on in the pieces in which it comes, its longest texts cut. Bodies, pictures and endless addresses are most of
 * a large file, and its reader, who keeps all of it in memory, needs none of them. Expects UTF-8; whatever it is, the rest is as it was.
 */
export class JsonCutter {
  readonly #longest: Bytes;
  readonly #cuts: TextCut[] = [];
  /** Objects and lists that were opened. */
  #opened = 0;
  /** UTF-16 units that were passed on. */
  #units = 0;
  /** Bytes of the text that is passed on now. */
  #kept = OUTSIDE;
  /** Bytes that still belong to an escape. */
  #escaped = 0;
  /** Units of the text that are left out so far. */
  #left = WHOLE;

  /** @param longest bytes of a text that are passed on, as it is written */
  constructor(longest: Bytes) {
    this.#longest = longest;
  }

  /** In the order of the file. */
  get cuts(): readonly TextCut[] {
    return this.#cuts;
  }

  /** How many objects and lists have begun: what takes memory in a file of few bytes. */
  get opened(): number {
    return this.#opened;
  }

  /** What is passed on of the next piece. */
  pass(piece: Uint8Array): readonly Uint8Array[] {
    const passed: Uint8Array[] = [];
    // This looks at every byte of files of hundreds of megabytes: locals are several times faster than fields.
    const longest = this.#longest;
    let opened = this.#opened;
    let units = this.#units;
    let escaped = this.#escaped;
    let kept = this.#kept;
    let left = this.#left;
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0;
      const unit = (byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
      if (kept === OUTSIDE) {
        if (byte === QUOTE) kept = 0;
        else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) opened += 1;
        units += unit;
        continue;
      }
      // A line break ends no text, but it is none of one either: what is wrong with the file is found where it is.
      if (escaped === 0 && (byte === QUOTE || byte < 0x20)) {
        if (left !== WHOLE) {
          this.#cuts.push({ at: units, left: left - 1 });
          from = at;
        }
        left = WHOLE;
        units += unit;
        kept = byte === QUOTE ? OUTSIDE : 0;
        continue;
      }
      if (left === WHOLE && escaped === 0 && unit > 0 && kept >= longest) {
        passed.push(piece.subarray(from, at), CUT);
        units += 1;
        left = 0;
      }
      if (left === WHOLE) {
        kept += 1;
        units += unit;
      } else left += unit;
      if (escaped > 0) escaped += byte === LETTER_U && escaped === 1 ? 3 : -1;
      else if (byte === BACKSLASH) escaped = 1;
    }
    if (left === WHOLE) passed.push(piece.subarray(from));
    this.#opened = opened;
    this.#units = units;
    this.#escaped = escaped;
    this.#kept = kept;
    this.#left = left;
    return passed;
  }
}

/** Where a place in the text that was kept stands in the whole one. Texts that were cut hold no line breaks. */
export function placeBeforeCuts<P extends { readonly line: number; readonly column: number }>(
  place: P,
  text: string,
  cuts: readonly TextCut[],
): P {
  if (cuts.length === 0) return place;
  let start = 0;
  for (let line = 1; line < place.line; line += 1) start = text.indexOf('\n', start) + 1;
  const end = start + place.column - 1;
  const left = cuts.filter(({ at }) => at > start && at <= end).reduce((sum, cut) => sum + cut.left, 0);
  return { ...place, column: place.column + left };
}
