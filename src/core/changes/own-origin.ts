/** The scheme of sockets, kept in a name without an origin: `GET ws:/live` and `GET /live` are two things. */
export const SOCKET = 'ws:';

/**
 * An endpoint (`GET https://shop.test/api?*`) without the origin of its own page, so that it is the same in a build that
 * is served elsewhere: `GET /api?*`. Sockets to the page's host are `GET ws:/live`. Endpoints elsewhere stay.
 */
export function withoutOwnOrigin(endpoint: string, pageUrl: string): string {
  const own = addressesOf(pageUrl);
  if (!own) return endpoint;
  const [method, address] = splitMethod(endpoint);
  if (address === own.page || address.startsWith(`${own.page}/`)) return method + address.slice(own.page.length);
  if (address.startsWith(`${own.socket}/`)) return method + SOCKET + address.slice(own.socket.length);
  return endpoint;
}

/** What `withoutOwnOrigin` left, at the origin of another page. */
export function withOwnOrigin(endpoint: string, pageUrl: string): string {
  const own = addressesOf(pageUrl);
  if (!own) return endpoint;
  const [method, address] = splitMethod(endpoint);
  if (address.startsWith('/')) return method + own.page + address;
  if (address.startsWith(`${SOCKET}/`) && !address.startsWith(`${SOCKET}//`)) {
    return method + own.socket + address.slice(SOCKET.length);
  }
  return endpoint;
}

/** `GET ` and `/api?*`; a name without a method is an address alone. */
export function splitMethod(name: string): readonly [method: string, address: string] {
  const [, method = '', address = ''] = /^(\S+ )?(.*)$/s.exec(name) ?? [];
  return [method, address];
}

function addressesOf(pageUrl: string): { readonly page: string; readonly socket: string } | undefined {
  if (!URL.canParse(pageUrl)) return undefined;
  const { protocol, host } = new URL(pageUrl);
  if (host === '') return undefined;
  return { page: `${protocol}//${host}`, socket: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}` };
}
