/** Addresses of this machine: a port that the system gave out is another one every night. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;
/** The first port that a system gives out by itself. Source: ip_local_port_range of Linux; others begin later. */
const FIRST_EPHEMERAL_PORT = 32_768;
/** Parameters that say where a visitor came from, or keep caches out: the page is the same. */
const VOLATILE_NAME =
  /^(?:utm_\w+|gclid|fbclid|msclkid|_|cb|cache_?bust(?:er)?|no_?cache|rnd|rand|random|ts|timestamp)$/i;
/** Values that are a time, or a hash. */
const VOLATILE_VALUE = /^(?:\d{10,}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{12,})$/i;
/** What a route of a page's own stands behind; any other fragment is a place in the page. */
const ROUTE = /^#(?:!|\/)/;

/**
 * The name under which results of the same page are found: the address without what differs from night to night
 * (ephemeral ports, cache busters), or, of a folder that was served, the folder as it was named.
 *
 * @param target what the user named
 * @param url what was loaded
 */
export function pageNameOf(target: string, url: string): string {
  if (URL.canParse(target) && /^https?:/i.test(target)) return withoutVolatileParts(new URL(target));
  const folder = folderName(target);
  if (folder !== '') return folder;
  return URL.canParse(url) ? withoutVolatileParts(new URL(url)) : url;
}

function withoutVolatileParts(url: URL): string {
  const stays = !LOOPBACK.test(url.hostname) || Number(url.port) < FIRST_EPHEMERAL_PORT;
  const host = stays ? url.host : url.hostname;
  const parameters = [...url.searchParams].filter(
    ([name, value]) => !VOLATILE_NAME.test(name) && !VOLATILE_VALUE.test(value),
  );
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
  const route = ROUTE.test(url.hash) ? url.hash : '';
  return `${url.protocol}//${host}${url.pathname}${query === '' ? '' : `?${query}`}${route}`;
}

/** './dist/', 'dist', 'site\dist' as 'dist', 'dist', 'site/dist'. */
function folderName(target: string): string {
  const parts = target.replaceAll('\\', '/').split('/');
  const kept = parts.filter((part, i) => part !== '.' && (part !== '' || i === 0));
  const name = kept.join('/').replace(/\/index\.html$/i, '');
  return name === '' && target !== '' ? '.' : name;
}
