import { expect, it } from 'vitest';
import { isOneUser } from '../../../src/core/access/one-user.ts';
import { secretsOf } from '../../../src/core/access/secrets.ts';
import { secretsOfState, stateAt } from '../../../src/core/access/storage-state.ts';
import type { StorageState } from '../../../src/model/storage-state.ts';

const at = (origin: string, value: string) => ({ origin, localStorage: [{ name: 'who', value }] });
const whoAt = (url: string, state: StorageState) =>
  stateAt(url, state).origins.find(({ origin }) => origin === new URL(url).origin)?.localStorage[0]?.value;

it('what was saved at one port of this machine is found at another', () => {
  const state = {
    cookies: [
      { name: 'a', value: '1', domain: 'localhost', path: '/' },
      { name: 'b', value: '2', domain: 'shop.test', path: '/' },
    ],
    origins: [
      at('http://127.0.0.1:3000', 'numbers'),
      at('http://localhost:3000', 'name'),
      at('https://shop.test', 'shop'),
    ],
  };
  expect(whoAt('http://localhost:8080/a', state)).toBe('name');
  expect(whoAt('http://127.0.0.1:8080/', state)).toBe('numbers');
  expect(whoAt('http://localhost:3000/', state)).toBe('name');
  expect(whoAt('http://[::1]:1/', state)).toBe('numbers');
  expect(stateAt('http://127.0.0.1:8080/', state).cookies.map(({ domain }) => domain)).toEqual([
    '127.0.0.1',
    'shop.test',
  ]);
  expect(stateAt('http://localhost:8080/', state).origins).toHaveLength(4);
  // Elsewhere an origin is an origin.
  expect(stateAt('https://shop.test:8443/', state)).toBe(state);
});

it('all its values are secrets, and texts inside them, but no plain addresses', () => {
  const state: StorageState = {
    cookies: [{ name: 'a', value: 'in a cookie', domain: 'x', path: '/' }],
    origins: [
      {
        origin: 'http://x',
        localStorage: [
          { name: 'session', value: JSON.stringify({ user: { name: 'Jane Doe' }, ids: ['id-12345'], n: 1234567 }) },
          { name: 'page', value: 'http://x/shop/' },
          { name: 'back', value: 'http://x/shop/?token=1' },
          { name: 'short', value: 'on' },
        ],
        sessionStorage: [{ name: 'step', value: 'checkout' }],
        indexedDB: [
          {
            name: 'd',
            version: 1,
            stores: [
              {
                name: 's',
                autoIncrement: true,
                records: [{ valueEncoded: { o: [{ k: 'k', v: 'in a record' }], id: 1 } }],
                indexes: [],
              },
            ],
          },
        ],
      },
    ],
  };
  const given = { headers: [], cookies: [], state };
  const secrets = secretsOf(given);
  expect(secrets).toEqual(
    expect.arrayContaining([
      'in a cookie',
      'Jane Doe',
      'id-12345',
      'http://x/shop/?token=1',
      'checkout',
      'in a record',
    ]),
  );
  expect(secrets).not.toContain('http://x/shop/');
  expect(secrets).not.toContain('on');
  expect(isOneUser(given)).toBe(true);
  const many = Array.from({ length: 2_000 }, (_, i) => ({ name: `${i}`, value: `a word ${i}` }));
  const token = 'ghp_0123456789abcdefABCDEF0123456789abcd';
  const large = {
    cookies: [],
    origins: [{ origin: 'http://x', localStorage: [...many, { name: 't', value: token }] }],
  };
  expect(secretsOfState(large)[0]).toBe(token);
  expect(secretsOfState(large).length).toBeLessThan(many.length);
});
