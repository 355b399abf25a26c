import { expect, it } from 'vitest';
import { authorizationOf, parseCookie, parseHeader, parseLogin } from '../../../src/core/access/headers.ts';

it.each([
  ['X-Preview: on', { name: 'X-Preview', value: 'on' }],
  ['authorization:Bearer a:b', { name: 'authorization', value: 'Bearer a:b' }],
  ['X-Empty:', { name: 'X-Empty', value: '' }],
])('%j is a header', (line, header) => {
  expect(parseHeader(line)).toEqual({ value: header });
});

it.each([
  ['no colon', "must be 'Name: value', with a name of letters, digits and dashes"],
  [': x', "must be 'Name: value', with a name of letters, digits and dashes"],
  ['Bad Name: x', "must be 'Name: value', with a name of letters, digits and dashes"],
  ['X-A: SECRET\r\nX-B: 2', 'must have a value of one line of Latin letters (X-A)'],
  ['X-A: SECRET\nHost: evil', 'must have a value of one line of Latin letters (X-A)'],
  ['X-A: \u0000SECRET', 'must have a value of one line of Latin letters (X-A)'],
  ['X-Ä: x', "must be 'Name: value', with a name of letters, digits and dashes"],
  ['X-A: SECRET 日本', 'must have a value of one line of Latin letters (X-A)'],
  ['Host: evil', 'must not be Host: the browser sets that itself'],
  ['content-length: 3', 'must not be content-length: the browser sets that itself'],
  ['Cookie: a=SECRET', 'must not be a Cookie: give cookies with --cookie name=value'],
  ['Sec-Fetch-Site: none', 'must not be Sec-Fetch-Site: the browser sets that itself'],
  ['Proxy-Authorization: SECRET', 'must not be Proxy-Authorization: the browser sets that itself'],
])('%j is none, and its value is not repeated', (line, problem) => {
  expect(parseHeader(line)).toEqual({ problem });
});

it('reads cookies', () => {
  expect(parseCookie('session=a=b c')).toEqual({ value: { name: 'session', value: 'a=b c' } });
  expect(parseCookie('a=SECRET\n')).toEqual({ value: { name: 'a', value: 'SECRET' } });
  for (const text of ['session', '=SECRET', 'a b=SECRET']) {
    expect(parseCookie(text)).toEqual({ problem: 'must be name=value, with a name of letters, digits and dashes' });
  }
  for (const text of ['a=SECRET;b=2', 'a=SECRET\nb']) {
    expect(parseCookie(text)).toEqual({ problem: 'must have a value without semicolons and line breaks (a)' });
  }
});

it('reads logins, and writes them as RFC 7617 does', () => {
  expect(parseLogin('ann:pa:ss')).toEqual({ value: { user: 'ann', password: 'pa:ss' } });
  for (const text of ['SECRET', 'ann:SEC\nRET', ''])
    expect(parseLogin(text)).toEqual({ problem: 'must be user:password, on one line' });
  // The example of the RFC, 2.1.
  expect(authorizationOf({ user: 'test', password: '123£' })).toEqual({
    name: 'Authorization',
    value: 'Basic dGVzdDoxMjPCow==',
  });
});
