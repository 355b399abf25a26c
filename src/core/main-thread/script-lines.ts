/** What ends a line of a script. Source: ECMAScript, LineTerminatorSequence. */
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** Where a character of a script is: lines and columns count from 1. Undefined for what lies beyond its end. */
export type PlaceAt = (position: number) => { readonly line: number; readonly column: number } | undefined;

/** @param text of the script; what it was built from is not kept */
export function scriptLines(text: string): PlaceAt {
  // The engine does not see it.
  const script = text.replace(/^\uFEFF/, '');
  const { length } = script;
  const begins = Uint32Array.from([0, ...Array.from(script.matchAll(LINE_END), (end) => end.index + end[0].length)]);
  return (position) => {
    if (position > length) return undefined;
    let [line, after] = [0, begins.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((begins[middle] ?? 0) <= position) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: position - (begins[line] ?? 0) + 1 };
  };
}
