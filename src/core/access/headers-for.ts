import type { Access } from '../../model/access.ts';
import type { Header } from '../../model/network/network.ts';
import type { StateCookie } from '../../model/storage-state.ts';
import { authorizationOf } from './headers.ts';
import { isLoopbackName, stateAt } from './storage-state.ts';

/** What a browser that has this access sends to an address by itself: headers, the login, and the cookies that are for it. */
export function headersFor(
  url: string,
  { headers, cookies, basicAuth, state }: Pick<Access, 'headers' | 'cookies' | 'basicAuth' | 'state'>,
  now: Date,
): readonly Header[] {
  const { cookies: kept = [] } = state ? stateAt(url, state) : {};
  const given = new Map(cookies.map(({ name, value }) => [name, value]));
  const saved = kept.filter((each) => isFor(each, new URL(url), now));
  const pairs = [
    // A cookie that is given replaces one of the same name that was saved.
    ...saved.map(({ name, value }) => [name, given.get(name) ?? value]),
    ...[...given].filter(([name]) => !saved.some((each) => each.name === name)),
  ];
  const line = pairs.map(([name, value]) => `${name}=${value}`).join('; ');
  return [
    ...headers,
    ...(basicAuth ? [authorizationOf(basicAuth)] : []),
    ...(line === '' ? [] : [{ name: 'Cookie', value: line }]),
  ];
}

/** Source: RFC 6265, 5.4. */
function isFor(
  { domain, path, secure, expires = -1 }: StateCookie,
  { hostname, pathname, protocol }: URL,
  now: Date,
): boolean {
  const isHost = hostname === domain || (domain.startsWith('.') && `.${hostname}`.endsWith(domain));
  const isPath = pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
  const isSafe = secure !== true || protocol === 'https:' || isLoopbackName(hostname);
  return isHost && isPath && isSafe && (expires < 0 || expires * 1000 > now.getTime());
}
