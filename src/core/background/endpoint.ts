/** A path segment that names one thing among many: a number, a UUID, a hash, a long token. */
const ID_SEGMENT =
  /^(?:\d+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)[0-9a-f]{8,}|(?=[\w~.-]*\d)(?=[\w~.-]*[a-z])[\w~-]{20,})$/i;

/** What two requests must share to be the same question asked again. */
export interface Endpoint {
  /** Method, origin, path without ids, and the sorted names of the query's parameters. */
  readonly key: string;
  /** The same for people: `GET https://example.com/users/*\/inbox?*`. */
  readonly label: string;
}

/** The endpoint that a request went to: ids in the path and all values of the query are left out. */
export function endpointOf(request: { readonly method: string; readonly url: string }): Endpoint {
  let url: URL;
  try {
    url = new URL(request.url);
  } catch {
    const label = `${request.method} ${request.url}`;
    return { key: label, label };
  }
  const path = url.pathname
    .split('/')
    .map((segment) => (ID_SEGMENT.test(segment) ? '*' : segment))
    .join('/');
  const base = `${request.method} ${url.protocol}//${url.host}${path}`;
  // A cache-buster may be a bare value ("?1697041"): it has no name that would tell endpoints apart.
  const names = [...new Set(url.searchParams.keys())].filter((name) => !ID_SEGMENT.test(name)).sort();
  return { key: `${base}?${names.join('&')}`, label: url.search === '' ? base : `${base}?*` };
}
