import { describe, expect, it } from 'vitest';
import { isOneUser } from '../../../src/core/access/one-user.ts';

const NOBODY = { headers: [], cookies: [] };

describe('all loads come as one user', () => {
  it.each([
    ['Authorization', 'Bearer abc'],
    ['X-User', '7'],
    ['X-Forwarded-Email', 'ann@example.com'],
    ['PHPSESSID', 'abc'],
    ['sid', '1'],
    ['uid', '1'],
    ['customerId', '8'],
    ['shop_id', '8'],
    ['remember', '1234567'],
    ['prefs', 'dGhpcyBpcyBub3QgYSBjaG9pY2U9PQ1234abcd'],
    ['state', '%7B%22name%22%3A%22Ann%22%7D'],
    ['greeting', 'ann@example.com'],
  ])('with %s: %s, as a header and as a cookie', (name, value) => {
    expect(isOneUser({ ...NOBODY, headers: [{ name, value }] })).toBe(true);
    expect(isOneUser({ ...NOBODY, cookies: [{ name, value }] })).toBe(true);
  });

  it('with a login', () => {
    expect(isOneUser({ ...NOBODY, basicAuth: { user: 'ann', password: '1' } })).toBe(true);
  });
});

describe('loads have nothing in common', () => {
  it.each([
    ['X-Preview', '1'],
    ['Accept-Language', 'de-DE,de;q=0.9'],
    ['DNT', '1'],
    ['consent', 'true'],
    ['variant', 'checkout-b'],
    ['video', 'off'],
    ['theme', ''],
  ])('with %s: %s', (name, value) => {
    expect(isOneUser({ headers: [{ name, value }], cookies: [{ name, value }] })).toBe(false);
  });

  it('without anything', () => {
    expect(isOneUser(NOBODY)).toBe(false);
  });
});
