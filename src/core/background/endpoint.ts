import type { PostBody } from '../../model/network.ts';
import { operationOf } from './operation.ts';

/** A path segment that names one thing among many: a number, a UUID, a hash, a long token. */
const ID_SEGMENT =
  /^(?:\d+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)[0-9a-f]{8,}|(?=[\w~.-]*\d)(?=[\w~.-]*[a-z])[\w~-]{20,})$/i;

/** Letters and digits alone, of the length of session ids: a random token, or a word with a number in it. */
const SHORT_TOKEN = /^[0-9a-z]{9,19}$/i;
/** Random ones change between letters and digits more often than words do: `h264video` does twice. */
const MIN_SWITCHES = 3;
/** Five letters and more with as many vowels as words have are one: `mp3player2go`. */
const WORD = { letters: 5, vowels: 0.3 } as const;

/** A query that is nothing but letters and digits: a random token in base 36, a time in it, or a word. */
const BARE = /^[0-9a-z]{8,19}$/;
/** A word names something, also with a number behind it: `notification`, `section12`. */
const WORD_AND_NUMBER = /^([a-z]+)\d*$/;
/** It has more vowels than letters drawn by lot have: nothing is gained by taking a word for a token. */
const VOWELS_OF_NAME = 0.25;

/** What `Math.random()` gives, written out. */
const FRACTION = /^0?\.\d+$|^\d(?:\.\d+)?e-\d+$/;

/** A time, in seconds or milliseconds since 1970, inside of a name: `banner-1732000000000.jpg`. */
export const TIME_IN_NAME = /(?<!\d)1[5-9]\d{8}(?:\d{3})?(?!\d)/g;

/** What two requests must share to be the same question asked again. */
export interface Endpoint {
  /** Method, origin, path without ids, the operation that the body names, and the sorted names of the query's parameters. */
  readonly key: string;
  /** The same for people: `GET https://example.com/users/*\/inbox?*`. */
  readonly label: string;
  /** The values that the key leaves out: by parameter name, and by position for a path's ids (`/2`). */
  readonly values: ReadonlyMap<string, string>;
  /** The key if its whole query, which looks like a word, is a random token: some of those have many vowels. */
  readonly ifToken?: string;
}

/** What an endpoint is read from. */
export interface Question {
  readonly method: string;
  readonly url: string;
  readonly postBody?: PostBody;
}

/** An endpoint is asked for with every judgement; a request's never changes. */
const known = new WeakMap<Question, Endpoint>();

/** The endpoint that a request went to: ids in the path and all values of the query are left out. */
export function endpointOf(request: Question): Endpoint {
  const before = known.get(request);
  if (before) return before;
  const endpoint = read(request);
  known.set(request, endpoint);
  return endpoint;
}

function isId(segment: string): boolean {
  return ID_SEGMENT.test(segment) || isShortToken(segment);
}

function isShortToken(segment: string): boolean {
  if (!SHORT_TOKEN.test(segment)) return false;
  const letters = segment.match(/[a-z]+/gi) ?? [];
  const digits = segment.match(/\d+/g) ?? [];
  return letters.length + digits.length > MIN_SWITCHES && !letters.some((run) => isWord(run));
}

function isWord(letters: string, vowels: number = WORD.vowels): boolean {
  return letters.length >= WORD.letters && (letters.match(/[aeiouy]/gi) ?? []).length >= vowels * letters.length;
}

/** Is a query all in one piece a random token? Names of parameters hardly ever stand there alone, and tokens often do. */
function isBareToken(query: string): boolean {
  return BARE.test(query) && !isWord(WORD_AND_NUMBER.exec(query)?.[1] ?? '', VOWELS_OF_NAME);
}

function read({ method, url: address, postBody }: Question): Endpoint {
  const operation = postBody && operationOf(postBody);
  const suffix = operation === undefined ? '' : ` (${operation})`;
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    const label = `${method} ${address}${suffix}`;
    return { key: label, label, values: new Map() };
  }
  const values = new Map<string, string>();
  const path = url.pathname
    .split('/')
    .map((segment, i) => {
      const open = isId(segment) ? '*' : segment.replace(TIME_IN_NAME, '*');
      if (open !== segment) values.set(`/${i}`, segment);
      return open;
    })
    .join('/');
  const base = `${method} ${url.protocol}//${url.host}${path}`;
  const names = new Set<string>();
  const query = url.search.slice(1);
  const isToken = isBareToken(query);
  for (const [name, value] of url.searchParams) {
    // A cache-buster may be a bare value ("?1697041", "?0.7301"): it has no name that would tell endpoints apart.
    if (isToken || ID_SEGMENT.test(name) || (value === '' && (FRACTION.test(name) || isShortToken(name)))) continue;
    names.add(name);
    values.set(name, value);
  }
  const keyWith = (known: Iterable<string>): string => `${base}?${[...known].sort().join('&')}${suffix}`;
  return {
    key: keyWith(names),
    label: `${base}${url.search === '' ? '' : '?*'}${suffix}`,
    values,
    ...(!isToken && BARE.test(query) && { ifToken: keyWith([]) }),
  };
}

/** What ids have in common: their length, and capitals or digits among small letters. */
const MADE_UP = /^(?=.*[a-z])(?=.*[A-Z\d])[\w-]{8,}$/;

/** Are two keys of endpoints the same but for names in their paths that look as if they were made up for each load? */
export function differInIds(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map((key) => key.split(/[/?]/));
  if (!ours || !theirs || one === other || ours.length !== theirs.length) return false;
  return ours.every((name, i) => {
    const their = theirs[i] ?? '';
    if (name === their) return true;
    // One of them may have looked like an id by itself.
    const known = [name, their].filter((each) => each !== '*');
    return known.every((each) => MADE_UP.test(each)) && (known.length === 1 || name.length === their.length);
  });
}
