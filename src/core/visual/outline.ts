/**
 * Is the page the same as a document? Two outlines are the lines that the recorder makes of what is there to be seen, also
 * below the fold. Their order does not matter: what arrives in another order may stand in another place.
 */
export function sameOutline(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  const counts = new Map<string, number>();
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1);
  return other.every((line) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left > 0;
  });
}
