import { expect, it } from 'vitest';
import { authorizationOf, parseCookie, parseHeader, parseLogin } from '../../../src/core/access/headers.ts';

it.each([
  ['X-Preview: on', { name: 'X-Preview', value: 'on' }],
  ['authorization:Bearer a:b', { name: 'authorization', value: 'Bearer a:b' }],
  ['X-Empty:', { name: 'X-Empty', value: '' }],
])('%j is a header', (line, header) => {
  expect(parseHeader(line)).toEqual({ header });
});

it.each([
  ['no colon', { code: 'header-form' }],
  [': x', { code: 'header-form' }],
  ['Bad Name: x', { code: 'header-form' }],
  ['X-A: SECRET\r\nX-B: 2', { code: 'header-value', name: 'X-A' }],
  ['X-A: SECRET\nHost: evil', { code: 'header-value', name: 'X-A' }],
  ['X-A: \u0000SECRET', { code: 'header-value', name: 'X-A' }],
  ['X-Ä: x', { code: 'header-form' }],
  ['X-A: SECRET 日本', { code: 'header-value', name: 'X-A' }],
  ['Host: evil', { code: 'header-reserved', name: 'Host' }],
  ['content-length: 3', { code: 'header-reserved', name: 'content-length' }],
  ['Cookie: a=SECRET', { code: 'header-cookie' }],
  ['Sec-Fetch-Site: none', { code: 'header-reserved', name: 'Sec-Fetch-Site' }],
  ['Proxy-Authorization: SECRET', { code: 'header-reserved', name: 'Proxy-Authorization' }],
])('%j is none, and its value is not repeated', (line, fault) => {
  expect(parseHeader(line)).toEqual({ fault });
});

it('reads cookies', () => {
  expect(parseCookie('session=a=b c')).toEqual({ cookie: { name: 'session', value: 'a=b c' } });
  expect(parseCookie('a=SECRET\n')).toEqual({ cookie: { name: 'a', value: 'SECRET' } });
  for (const text of ['session', '=SECRET', 'a b=SECRET']) {
    expect(parseCookie(text)).toEqual({ fault: { code: 'cookie-form' } });
  }
  for (const text of ['a=SECRET;b=2', 'a=SECRET\nb']) {
    expect(parseCookie(text)).toEqual({ fault: { code: 'cookie-value', name: 'a' } });
  }
});

it('reads logins, and writes them as RFC 7617 does', () => {
  expect(parseLogin('ann:pa:ss')).toEqual({ login: { user: 'ann', password: 'pa:ss' } });
  for (const text of ['SECRET', 'ann:SEC\nRET', ''])
    expect(parseLogin(text)).toEqual({ fault: { code: 'login-form' } });
  // The example of the RFC, 2.1.
  expect(authorizationOf({ user: 'test', password: '123£' })).toEqual({
    name: 'Authorization',
    value: 'Basic dGVzdDoxMjPCow==',
  });
});
