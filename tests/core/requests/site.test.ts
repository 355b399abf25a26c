import { expect, it } from 'vitest';
import { siteOf } from '../../../src/core/requests/site.ts';

it.each([
  ['https://www.shop.co.uk/a', 'shop.co.uk'],
  ['https://cdn.example.com:8443/', 'example.com'],
  ['https://one.vercel.app/', 'one.vercel.app'],
  ['https://two.github.io/', 'two.github.io'],
  ['http://127.0.0.1:4000/', '127.0.0.1'],
  ['http://localhost:4000/', 'localhost'],
  ['http://[::1]:4000/', '[::1]'],
  ['no address', ''],
])('%s belongs to %s', (url, site) => {
  expect(siteOf(url)).toBe(site);
});
