import { expect, test } from 'vitest';
import { headersFor } from '../../../src/core/access/headers-for.ts';
import type { StateCookie } from '../../../src/model/storage-state.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const cookie = (name: string, own: Partial<StateCookie> = {}): StateCookie => ({
  ...{ name, value: `value of ${name}`, domain: 'shop.test', path: '/' },
  ...own,
});

function namesAt(url: string, ...cookies: readonly StateCookie[]): readonly string[] {
  const [line] = headersFor(url, { headers: [], cookies: [], state: { cookies, origins: [] } }, NOW);
  return line?.value.split('; ').map((pair) => pair.replace(/=.*/, '')) ?? [];
}

test('a cookie is sent where a browser would send it', () => {
  const cookies = [
    cookie('host'),
    cookie('subdomains', { domain: '.shop.test' }),
    cookie('other', { domain: 'other.test' }),
    cookie('below', { path: '/basket' }),
    cookie('folder', { path: '/basket/' }),
    cookie('secure', { secure: true }),
    cookie('later', { expires: NOW.getTime() / 1000 + 1 }),
    cookie('gone', { expires: NOW.getTime() / 1000 - 1 }),
  ];
  expect(namesAt('http://shop.test/', ...cookies)).toEqual(['host', 'subdomains', 'later']);
  expect(namesAt('https://shop.test/basket', ...cookies)).toEqual(['host', 'subdomains', 'below', 'secure', 'later']);
  expect(namesAt('http://shop.test/basket/1', ...cookies)).toEqual(['host', 'subdomains', 'below', 'folder', 'later']);
  expect(namesAt('http://shop.test/baskets', ...cookies)).toEqual(['host', 'subdomains', 'later']);
  expect(namesAt('http://www.shop.test/', ...cookies)).toEqual(['subdomains']);
  expect(namesAt('http://evilshop.test/', ...cookies)).toEqual([]);
});

test('what was saved at one port of this machine is sent to another', () => {
  const saved = cookie('session', { domain: 'localhost', secure: true });
  expect(namesAt('http://127.0.0.1:8080/', saved)).toEqual(['session']);
});

test('two cookies of one name are both sent where both paths are asked for', () => {
  const cookies = [cookie('step'), cookie('step', { path: '/basket', value: 'in the basket' })];
  const [line] = headersFor(
    'http://shop.test/basket',
    { headers: [], cookies: [], state: { cookies, origins: [] } },
    NOW,
  );
  expect(line?.value).toBe('step=value of step; step=in the basket');
});

test('a cookie that is given replaces the one that was saved', () => {
  const state = { cookies: [cookie('session'), cookie('language')], origins: [] };
  const given = { headers: [], cookies: [{ name: 'session', value: 'mine' }], state };
  expect(headersFor('http://shop.test/', given, NOW)).toEqual([
    { name: 'Cookie', value: 'session=mine; language=value of language' },
  ]);
});
