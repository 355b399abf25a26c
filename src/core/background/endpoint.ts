import type { Endpoint } from '../../model/background/series.ts';
import type { PostBody } from '../../model/network/network.ts';
import { perObject } from '../per-object.ts';
import { operationOf } from './operation.ts';

/** A path segment that names one thing among many: a number, a UUID, a hash, a long token. */
const ID_SEGMENT =
  /^(?:\d+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)[0-9a-f]{8,}|(?=[\w~.-]*\d)(?=[\w~.-]*[a-z])[\w~-]{20,})$/i;

/** A query that is nothing but letters and digits, and no word with a number behind it: `Math.random()` in base 36. */
const BARE_TOKEN = /^(?![a-z]+\d*$)[0-9a-z]{8,19}$/;

/** What `Math.random()` gives, written out. */
const FRACTION = /^0?\.\d+$|^\d(?:\.\d+)?e-\d+$/;

/** A time, in seconds or milliseconds since 1970, inside of a name: `banner-1732000000000.jpg`. */
export const TIME_IN_NAME = /(?<!\d)1[5-9]\d{8}(?:\d{3})?(?!\d)/g;

/** What an endpoint is read from. */
export interface Question {
  readonly method: string;
  readonly url: string;
  readonly postBody?: PostBody;
}

/** The endpoint that a request went to: ids in the path and all values of the query are left out. */
export const endpointOf = perObject(read);

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
      const open = ID_SEGMENT.test(segment) ? '*' : segment.replace(TIME_IN_NAME, '*');
      if (open !== segment) values.set(`/${i}`, segment);
      return open;
    })
    .join('/');
  const base = `${method} ${url.protocol}//${url.host}${path}`;
  const names = new Set<string>();
  const isToken = BARE_TOKEN.test(url.search.slice(1));
  for (const [name, value] of url.searchParams) {
    // A cache-buster may be a bare value ("?1697041", "?0.7301"): it has no name that would tell endpoints apart.
    if (isToken || ID_SEGMENT.test(name) || (value === '' && FRACTION.test(name))) continue;
    names.add(name);
    values.set(name, value);
  }
  return {
    key: `${base}?${[...names].sort().join('&')}${suffix}`,
    label: `${base}${url.search === '' ? '' : '?*'}${suffix}`,
    values,
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
