/** Mutants of values and texts, for tests that hold whatever a file says. The same random numbers make the same mutants. */

export type Random = () => number;

/** Seeded: mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Values that files should not hold, and sometimes do. */
const ODD: readonly unknown[] = [
  ...[null, true, false, '', ' ', 0, -0, -1, 1, 0.5, -854, 1e21, -1e21, 1e308, 2 ** 53, 2 ** 31, 1e-320],
  ...[
    'nan',
    'Infinity',
    '-1',
    '1970-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-13-45T99:99:99',
    '2026-11-27T10:00:00',
  ],
  ...[
    '../../etc/passwd',
    '/etc/passwd',
    'index.html',
    'result.json',
    'http://',
    'about:blank',
    'data:,',
    'javascript:alert(1)',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    '\u202etxt',
    '\u001b[31mred',
    '::error::x',
    '<script>alert(1)</script>',
    '\ud800',
  ],
  ...['x'.repeat(5_000), [], {}, [[]], [null], { at: {} }, { toString: 1 }, [1, 2, 3]],
];

/** Every place of a tree, as the object or list that holds it and the key in it. */
function placesIn(root: unknown): { readonly holder: Record<string, unknown>; readonly key: string }[] {
  const found: { holder: Record<string, unknown>; key: string }[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const holder = value as Record<string, unknown>;
    for (const key of Object.keys(holder)) {
      found.push({ holder, key });
      walk(holder[key]);
    }
  };
  walk(root);
  return found;
}

/** A copy of a JSON value in which one to four places are changed, dropped, doubled or swapped. */
export function mutateValue(value: unknown, random: Random): unknown {
  const root = { value: structuredClone(value) };
  for (let left = 1 + Math.floor(random() * 4); left > 0; left -= 1) {
    const places = placesIn(root);
    if (places.length === 0) break;
    const { holder, key } = pick(random, places);
    const own = holder[key];
    const other = pick(random, places);
    switch (Math.floor(random() * 7)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(Number(key), 1);
        else delete holder[key];
        break;
      case 1:
        if (Array.isArray(holder)) holder.push(structuredClone(own));
        else holder[`${key}2`] = structuredClone(own);
        break;
      case 2:
        holder[key] = structuredClone(other.holder[other.key]);
        break;
      case 3:
        holder[key] = typeof own === 'number' ? own * pick(random, [-1, 0, 1e6, 1e-6, 1e15]) : pick(random, ODD);
        break;
      case 4:
        holder[key] = Array.isArray(own) ? own.toReversed() : [own];
        break;
      case 5:
        holder[key] = typeof own === 'string' ? own.slice(0, Math.floor(random() * own.length)) : JSON.stringify(own);
        break;
      default:
        holder[key] = structuredClone(pick(random, ODD));
    }
  }
  return root.value ?? null;
}

/** A text with one to six places overwritten, cut out or written twice. */
export function mutateText(text: string, random: Random): string {
  let mutant = text;
  for (let left = 1 + Math.floor(random() * 6); left > 0; left -= 1) {
    const at = Math.floor(random() * mutant.length);
    const length = Math.floor(random() ** 4 * 2_000);
    const [before, part, after] = [mutant.slice(0, at), mutant.slice(at, at + length), mutant.slice(at + length)];
    const noise = pick(random, [
      '\0',
      '"',
      '{',
      ']',
      ',',
      '\\',
      '\ufeff',
      '\ud800',
      '<',
      '&',
      '-',
      '\n',
      'é',
      '\u001b[2J',
    ]);
    mutant = pick(random, [before + after, before + part + part + after, before + noise + part + after, before]);
  }
  return mutant;
}

/** What a file says: a text as it is, anything else as JSON. */
export const textFrom = (seed: unknown): string => (typeof seed === 'string' ? seed : JSON.stringify(seed));

/** A mutant of one of some seeds, as a text: mostly values are changed, at times letters. */
export function mutantOf(seeds: readonly unknown[], random: Random): string {
  const seed = pick(random, seeds);
  if (typeof seed === 'string' || random() < 0.15) return mutateText(textFrom(seed), random);
  return JSON.stringify(mutateValue(seed, random));
}
