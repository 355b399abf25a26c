import { readsLikeWords } from './words-in-names.ts';

/** Stands for what changes from build to build. */
export const MASK = '*';

/** What is written into a file's name behind its hash: `app.3f2a1b9c.chunk.js`, `e4af272ccee01ff0-s.p.woff2`. */
const BEHIND = /(?:[._-](?:min|chunk|bundle|module|esm|legacy|s|p|_))+$/i;
/** In the name of a script a long number is a hash without letters or a time; in a picture's it is its number. */
const CODE = /\.(?:m?js|cjs|css|wasm|json)(?:\.map)?$/i;
const EXTENSION = /\.[a-z][0-9a-z]*(?:\.map)?$/i;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** Hexadecimal digits: webpack, Parcel, Django, Rails, Gatsby, git. A number alone is none, nor is a word. */
const HEX = /(?<![0-9a-z])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}(?![0-9a-z])/gi;
/** A git revision, cut to seven digits as git does it. */
const SHORT_HEX = /(?<![0-9a-z])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7}(?![0-9a-z])/g;
/** A hash that happens to have no letter, a date or a time. */
const NUMBER = /(?<![0-9a-z])\d{8,}(?![0-9a-z])/gi;
/** Base 32, as esbuild writes it: eight characters, here with a digit that no camera has counted up. */
const BASE_32 = /(?<=^|[.~_-])(?=[A-Z]*[2-7])(?=[2-7]*[A-Z])(?![A-Z]+\d+$)[A-Z2-7]{8}$/;
/** Base 32 without a digit, one in five: to be told from a word in capitals by its sound. */
const CAPITALS = /(?<=[.~_-])[A-Z]{8}$/;
/** In the name of a script there are no such numbers, nor words in capitals; shorter ones need a digit. */
const CODE_BASE_32 = /(?<=[.~_-])(?:[A-Z2-7]{8}|(?=[A-Z]*[2-7])(?=[2-7]*[A-Z])[A-Z2-7]{6,7})$/;
/** Base 62 and more: eight characters in base64url from Rollup and Vite (so `-` and `_` may be in it), or longer ones. */
const RANDOM = [/(?<=^|[.~_-])[0-9A-Za-z]{9,}$/, /(?<=^|[.~_-])[\w-]{8}$/];
/** Names alternate between letters and digits this often at most: `3d-model-2x`. */
const MOST_TURNS = 3;
/** Half of all random letters would pass as words of one or two. */
const SHORTEST_WORD = 3;

/** Longer than this, a segment of a path that mixes both cases and digits names a build and no folder. */
const BUILD_ID_LENGTH = 16;
/** Folders of `_next/static` that are not named after the build. */
const NEXT_FOLDERS: ReadonlySet<string> = new Set([
  'chunks',
  'css',
  'media',
  'image',
  'wasm',
  'webpack',
  'development',
]);
/** Seconds since 1970 have ten digits. */
const TIMESTAMP = /^\d{10,}$/;
/** Shorter parts of names are words and numbers. */
const SHORTEST_HASH = 6;

/**
 * A path without what changes from build to build: content hashes in file names, ids of builds in folders. Version
 * numbers stay, for another version is another file. So does what only might be a hash (`sameButForHash`).
 */
export function withoutHashes(path: string): string {
  const segments = path.split('/');
  return segments
    .map((segment, i) => {
      if (i === segments.length - 1) return maskFile(segment);
      const isNext = segments[i - 2] === '_next' && /^(?:static|data)$/.test(segments[i - 1] ?? '');
      return isBuildId(segment) || (isNext && !NEXT_FOLDERS.has(segment)) ? MASK : segment;
    })
    .join('/');
}

/** Is there a content hash in the file name of this path? What is served under it never changes then. */
export function hasContentHash(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return EXTENSION.test(name) && maskFile(name) !== name;
}

/**
 * Is the path the same as the other, which has a hash masked, but for a part that might be such a hash? Hashes without
 * digits look like words now and then; beside a file that is named alike and has one, they are known.
 */
export function sameButForHash(path: string, masked: string): boolean {
  const parts = masked.split(MASK);
  const at = masked.lastIndexOf(MASK);
  if (parts.length < 2 || at < masked.lastIndexOf('/')) return false;
  const [before, after] = [masked.slice(0, at), masked.slice(at + MASK.length)];
  if (!path.startsWith(before) || !path.endsWith(after)) return false;
  const middle = path.slice(before.length, path.length - after.length);
  return middle.length >= SHORTEST_HASH && /^[\w-]+$/.test(middle);
}

/** Only the last hash of a name is masked: what is before it names a part of the site (`4bd1b696-0b5c2c5d5f5e5d5c.js`). */
function maskFile(name: string): string {
  const dot = name.search(EXTENSION);
  // Without an extension it is an address of an API.
  if (dot < 0) return isBuildId(name) ? MASK : name;
  const stem = name.slice(0, dot);
  const core = stem.slice(0, stem.length - (BEHIND.exec(stem)?.[0].length ?? 0));
  const hash = hashIn(core, CODE.test(name));
  return hash ? core.slice(0, hash.index) + MASK + name.slice(hash.index + hash[0].length) : name;
}

function hashIn(stem: string, isCode: boolean): RegExpExecArray | undefined {
  const certain = UUID.exec(stem) ?? (isCode ? CODE_BASE_32 : BASE_32).exec(stem);
  // A script's number is looked at below: a version's last part must not be taken for base 32.
  if (certain && !/^\d+$/.test(certain[0])) return certain;
  const capitals = CAPITALS.exec(stem);
  if (capitals && !readsLikeWords(capitals[0].toLowerCase())) return capitals;
  const tail = RANDOM.map((pattern) => pattern.exec(stem)).find(
    (found) => found && looksRandom(found[0], isCode || found.index > 0),
  );
  if (tail) return tail;
  const hex = (isCode ? [HEX, SHORT_HEX, NUMBER] : [HEX]).flatMap((pattern) => [...stem.matchAll(pattern)]);
  return hex.sort((a, b) => a.index - b.index).at(-1);
}

/**
 * Letters of both cases or digits among letters that neither words nor numbers explain: `DiwrgTda`, `D-3_abCd`, but not
 * `HomePage`, `iphone14`, `Arrow-2x`, `1280x800`. Where a hash is likely, the words must be long ones.
 */
function looksRandom(token: string, isLikely: boolean): boolean {
  const mixesCases = /[a-z]/.test(token) && /[A-Z]/.test(token);
  if (!mixesCases && !/\d/.test(token)) return false;
  const pieces = token.replace(/[-_]/g, '').match(/\d+|[A-Za-z]+/g) ?? [];
  if (pieces.length - 1 > MOST_TURNS) return true;
  // "2x", "1280w": a number with its unit.
  const words = token.replace(/\d+[a-z](?![a-z])/g, '').match(/[A-Za-z]+/g) ?? [];
  const shortest = isLikely && mixesCases ? SHORTEST_WORD : 1;
  return !words.every((letters) => readsLikeWords(letters, shortest));
}

/** A folder that is named after a build, or an id in the path of an API. */
function isBuildId(segment: string): boolean {
  if (UUID.test(segment) || TIMESTAMP.test(segment)) return true;
  if (/^[0-9a-f]{8,}$/i.test(segment) && /\d/.test(segment) && /[a-f]/i.test(segment)) return true;
  const mixes = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(segment));
  return /^[\w-]+$/.test(segment) && segment.length >= BUILD_ID_LENGTH && mixes;
}
