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
  ['no colon'],
  [': x'],
  ['Bad Name: x'],
  ['X-A: SECRET\r\nX-B: 2'],
  ['X-A: SECRET\nHost: evil'],
  ['X-A: \u0000SECRET'],
  ['X-Ä: x'],
  ['X-A: SECRET 日本'],
  ['Host: evil'],
  ['content-length: 3'],
  ['Cookie: a=SECRET'],
  ['Sec-Fetch-Site: none'],
  ['Proxy-Authorization: SECRET'],
])('%j is none, and its value is not repeated', (line) => {
  expect(parseHeader(line)).toEqual({ problem: expect.stringMatching(/^must (?!.*SECRET)/) });
});

it('reads cookies', () => {
  expect(parseCookie('session=a=b c')).toEqual({ cookie: { name: 'session', value: 'a=b c' } });
  for (const text of ['session', '=SECRET', 'a b=SECRET', 'a=SECRET;b=2', 'a=SECRET\n']) {
    if (text.endsWith('\n')) expect(parseCookie(text)).toEqual({ cookie: { name: 'a', value: 'SECRET' } });
    else expect(parseCookie(text)).toEqual({ problem: expect.stringMatching(/^must (?!.*SECRET)/) });
  }
  expect(parseCookie('a=SECRET\nb')).toEqual({ problem: expect.stringMatching(/^must (?!.*SECRET)/) });
});

it('reads logins, and writes them as RFC 7617 does', () => {
  expect(parseLogin('ann:pa:ss')).toEqual({ login: { user: 'ann', password: 'pa:ss' } });
  for (const text of ['SECRET', 'ann:SEC\nRET', ''])
    expect(parseLogin(text)).toEqual({ problem: expect.stringMatching(/^must (?!.*SEC)/) });
  // The example of the RFC, 2.1.
  expect(authorizationOf({ user: 'test', password: '123£' })).toEqual({
    name: 'Authorization',
    value: 'Basic dGVzdDoxMjPCow==',
  });
});
