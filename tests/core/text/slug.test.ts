import { expect, test } from 'vitest';
import { slugOf, uniqueSlugs } from '../../../src/core/text/slug.ts';

test.each([
  ['Home page', 'home-page'],
  ['/shop/Basket/', 'shop-basket'],
  ['../../etc/passwd', 'etc-passwd'],
  ['Über uns: 東京', 'über-uns-東京'],
  ['C:\\con|<>"?*', 'c-con'],
  ['\u202egpj.exe', 'gpj.exe'],
  ['a'.repeat(300), 'a'.repeat(48)],
  ['.hidden.', 'hidden'],
  ['!!!', ''],
])('%j in file names', (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});

test('no two are the same', () => {
  expect(uniqueSlugs(['a', 'a', 'a-2', 'a', '', ''])).toEqual(['a', 'a-2', 'a-2-2', 'a-3', 'page', 'page-2']);
});
