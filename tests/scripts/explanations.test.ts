import { expect, test } from 'vitest';
import { explanationsOf } from '../../scripts/explanations.ts';

const ROOT = 'https://example.test/docs';
const of = (text: string) => explanationsOf({ 'a.md': text }, ROOT);

test('takes the first paragraph, list or table below each heading', () => {
  const text =
    '# All of it\n\nFirst `x`.\n\nSecond.\n\n## What is "y"?\n\n- one\n- two\n\n## A table\n\n| a |\n|---|\n| b |\n';
  const found = of(text);
  expect(Object.keys(found).toSorted()).toEqual(['a.md#a-table', 'a.md#all-of-it', 'a.md#what-is-y']);
  expect(found['a.md#all-of-it']).toBe('<p>First <code>x</code>.</p>');
  expect(found['a.md#what-is-y']).toContain('<li>one</li>');
  expect(found['a.md#a-table']).toContain('<td>b</td>');
});

test('takes what a paragraph leads to', () => {
  expect(of('## A\n\nThese:\n\n- one\n\nMore.')['a.md#a']).toMatch(/^<p>These:<\/p>\n<ul>\n<li>one<\/li>\n<\/ul>$/);
});

test('passes over headings without words of their own, and over headings in code', () => {
  expect(of('# A\n\n## B\n\n```sh\n# no heading\n\necho\n```\n\n## C\n\nText.')).toEqual({ 'a.md#c': '<p>Text.</p>' });
});

test('of two headings alike, the anchor is that of the first', () => {
  expect(of('## A\n\nFirst.\n\n## A\n\nSecond.')).toEqual({ 'a.md#a': '<p>First.</p>' });
});

test('leads to the web, also from one document to another, and keeps HTML as text', () => {
  const text = '## A\n\n[here](#a) [there](b.md#c) [out](https://x.test/) `<link>` <b>bold</b>';
  const html = of(text)['a.md#a'] ?? '';
  expect([...html.matchAll(/href="([^"]*)" rel="noopener/g)].map(([, href]) => href)).toEqual([
    `${ROOT}/a.md#a`,
    `${ROOT}/b.md#c`,
    'https://x.test/',
  ]);
  expect(html).toContain('&lt;link&gt;');
  expect(html).toContain('&lt;b&gt;bold');
});
