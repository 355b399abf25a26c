/**
 * Edits between two words: insertions, deletions, replacements and swaps of neighbours (Damerau–Levenshtein in the
 * optimal string alignment form).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(replace, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? a.length;
}

/** The name that was probably meant; undefined when nothing is near. Case and leading dashes do not matter. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const bare = (text: string) => text.replace(/^-+/, '').toLowerCase();
  const wanted = bare(word);
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    // A word cut short (--quiet-win) is near whatever the number of missing letters.
    const cutShort = wanted.length >= 3 && bare(name).startsWith(wanted);
    const distance = cutShort ? 1 : editDistance(wanted, bare(name));
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  // One edit in three letters; more would be guessing.
  return best !== undefined && best.distance <= Math.max(1, Math.floor(wanted.length / 3)) ? best.name : undefined;
}
