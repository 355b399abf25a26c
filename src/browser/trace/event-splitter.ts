/** Finds the events in the JSON of a trace, which comes in pieces. */
export interface EventSplitter {
  /** Takes the next piece, UTF-8, and gives the events that end in it. */
  add(piece: Buffer): readonly unknown[];
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
/** What is open in an event's place: the file's object, and its list of events. */
const IN_LIST = 2;

/** Nothing has come yet. Of all that stands in the file, only objects in a list are events. */
export function createEventSplitter(): EventSplitter {
  let depth = 0;
  let isList = false;
  let inText = false;
  let isEscaped = false;
  /** What has come of events that have not ended. */
  let begun: Buffer[] = [];
  let isBegun = false;

  return {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over every byte is several times faster than calls
    add(piece) {
      /** Where events of this piece begin, behind the last that has ended, and where that one ended. */
      let from = isBegun ? 0 : -1;
      let until = -1;
      // This looks at every byte of a hundred megabytes, most of them within texts.
      const { length } = piece;
      for (let at = 0; at < length; at += 1) {
        let byte = piece[at];
        if (inText) {
          if (isEscaped) {
            isEscaped = false;
            continue;
          }
          while (byte !== QUOTE && byte !== BACKSLASH && at < length) {
            at += 1;
            byte = piece[at];
          }
          if (byte === BACKSLASH) isEscaped = true;
          else if (byte === QUOTE) inText = false;
        } else if (byte === QUOTE) {
          inText = true;
        } else if (byte === OPEN_OBJECT) {
          if (depth === IN_LIST && isList && from < 0) {
            from = at;
            isBegun = true;
          }
          depth += 1;
        } else if (byte === OPEN_LIST) {
          depth += 1;
          if (depth === IN_LIST) isList = true;
        } else if (byte === CLOSE_OBJECT) {
          depth -= 1;
          if (depth === IN_LIST && isList) until = at + 1;
        } else if (byte === CLOSE_LIST) {
          depth -= 1;
          if (depth < IN_LIST) isList = false;
        }
      }
      if (until < 0) {
        if (from >= 0) begun.push(piece.subarray(from));
        return [];
      }
      // What stands between events is what stands between items of a list.
      const text = Buffer.concat([...begun, piece.subarray(Math.max(0, from), until)]).toString();
      isBegun = depth > IN_LIST && isList;
      const next = isBegun ? piece.indexOf(OPEN_OBJECT, until) : -1;
      begun = next < 0 ? [] : [piece.subarray(next)];
      return JSON.parse(`[${text}]`) as unknown[];
    },
  };
}
