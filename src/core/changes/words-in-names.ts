/** Consonants that English words and names begin with; a single one is always possible. */
const ONSETS: ReadonlySet<string> = new Set(
  'bl br ch cl cr dr dw fl fr gh gl gn gr kn kr ph pl pr ps qu rh sc sh sk sl sm sn sp sq st sv sw th tr tw vl wh wr chr phr sch scr shr sph spl spr squ str thr'.split(
    ' ',
  ),
);
/** More consonants in a row than this, "y" not counted, no word has: "lengths", "sightseeing". */
const MOST_CONSONANTS = 4;
/** Abbreviations in capitals are short: "UI", "HTML". */
const LONGEST_ABBREVIATION = 4;

/**
 * Are these letters, in camel case or not, something that a person wrote? `HomePage`, `jQueryUI`, but not `DiwrgTda`. No
 * word may be shorter than `shortest`, save abbreviations and a single letter at the beginning.
 */
export function readsLikeWords(letters: string, shortest = 1): boolean {
  const words = letters.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return words.every((word, i) => {
    if (word.length === 1 && i === 0) return true;
    if (word.length > 1 && word === word.toUpperCase()) return word.length <= LONGEST_ABBREVIATION;
    return word.length >= shortest && isPronounceable(word);
  });
}

function isPronounceable(word: string): boolean {
  const lower = word.toLowerCase();
  if (lower.length === 1) return true;
  const onset = /^[^aeiouy]*/.exec(lower)?.[0] ?? '';
  if (onset.length === lower.length) return false;
  const consonants = (lower.match(/[^aeiouy]+/g) ?? []).map(({ length }) => length);
  return (onset.length < 2 || ONSETS.has(onset)) && consonants.every((length) => length <= MOST_CONSONANTS);
}
