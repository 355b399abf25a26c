/** What stands where a text was cut: names are, and long texts of a page. */
const CUT = '…';

/**
 * Takes out what is left of secrets where a text was cut in the middle of them.
 *
 * @param forms all that may stand for a secret
 * @param shortest letters of a part that still says something of its secret
 */
export function eraseCut(text: string, forms: readonly string[], marker: string, shortest: number): string {
  if (!text.includes(CUT)) return text;
  const pieces = text.split(CUT);
  return pieces
    .map((piece, i) => {
      const [hasBefore, hasAfter] = [i > 0, i < pieces.length - 1];
      if (piece.length < shortest) return piece;
      if (hasBefore && hasAfter && forms.some((form) => form.includes(piece))) return marker;
      const ending = hasBefore ? endingIn(piece, forms, shortest) : 0;
      const beginning = hasAfter ? beginningIn(piece, forms, shortest) : 0;
      const rest = piece.slice(ending, piece.length - beginning);
      return `${ending > 0 ? marker : ''}${rest}${beginning > 0 ? marker : ''}`;
    })
    .join(CUT);
}

/** Length of the end of a secret with which a text begins, 0 without one. */
function endingIn(text: string, forms: readonly string[], shortest: number): number {
  const head = text.slice(0, shortest);
  const ends = forms.flatMap((form) => placesOf(head, form).map((at) => form.slice(at)));
  return longest(ends.filter((end) => text.startsWith(end)));
}

/** Length of the beginning of a secret with which a text ends, 0 without one. */
function beginningIn(text: string, forms: readonly string[], shortest: number): number {
  const tail = text.slice(-shortest);
  const beginnings = forms.flatMap((form) => placesOf(tail, form).map((at) => form.slice(0, at + shortest)));
  return longest(beginnings.filter((beginning) => text.endsWith(beginning)));
}

const longest = (parts: readonly string[]): number => Math.max(0, ...parts.map(({ length }) => length));

/** Where a text stands in another. */
function placesOf(part: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}
