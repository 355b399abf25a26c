import { expect, test } from 'vitest';
import {
  elide,
  plain,
  recordingFile,
  type StoredKind,
  safeHref,
  shortName,
  storedName,
} from '../../../src/wording/text/text.ts';

test('what cannot be seen is named', () => {
  expect(plain('a\u001b[31mb')).toBe('a[U+001B][31mb');
  expect(plain('invoice\u202efdp.exe')).toBe('invoice[U+202E]fdp.exe');
  expect(plain('a\u2066b\u2028c\u200bd')).toBe('a[U+2066]b[U+2028]c[U+200B]d');
  expect(plain('a\u115fb\u3164c\uffa0d\u034fe\u2800')).toBe('a[U+115F]b[U+3164]c[U+FFA0]d[U+034F]e[U+2800]');
  expect(plain('a\ufe0fb\u{e0100}c\u{e0041}\ufffad')).toBe('a[U+FE0F]b[U+E0100]c[U+E0041][U+FFFA]d');
  expect(plain('⚠️ ❤︎ 1️⃣ 1\ufe0f')).toBe('⚠️ ❤︎ 1️⃣ 1[U+FE0F]');
  expect(plain('a\r\n\tb')).toBe('a b');
  expect(plain('half \ud83d pair')).toBe('half \ufffd pair');
  expect(plain('naïve 日本語 👩‍🔬 é')).toBe('naïve 日本語 👩‍🔬 é');
});

test('the middle goes first', () => {
  expect(elide('abcdefghij', 10)).toBe('abcdefghij');
  expect(elide('abcdefghij', 5)).toBe('ab…ij');
  expect(elide('abcdefghij', 1)).toBe('a…');
  expect(elide('😀😀😀😀', 4).isWellFormed()).toBe(true);
});

test('only http and https are followed', () => {
  expect(safeHref('https://shop.example/a?b=c')).toBe('https://shop.example/a?b=c');
  expect(safeHref('HTTP://shop.example/')).toBe('HTTP://shop.example/');
  for (const url of [
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' https://shop.example/',
    'data:text/html,<script>1</script>',
    'file:///etc/hosts',
    '//shop.example/',
    'https://shop.example/\u202egpj',
    'https://',
    'blob:https://shop.example/1',
  ]) {
    expect(safeHref(url), url).toBeUndefined();
  }
});

test.each<[StoredKind, readonly string[], readonly string[]]>([
  ['har', ['run-1.har', 'shop.example-run-0.har.gz', 'shard-1-run-1-basket.HAR'], ['evidence/x.har', 'x.har.html']],
  ['trace', ['trace.json.gz', '2-shop-trace.json.gz'], ['result.json', 'a.json.gz', 'traces/trace.json.gz']],
  ['lighthouse', ['lighthouse.html', 'base-lighthouse.html'], ['index.html', 'pages/lighthouse.html', 'a.html']],
  ['picture', ['evidence/01-first.png', 'x.jpg', 'a/b/c.JPEG'], ['evidence/x.svg', `${'a/'.repeat(150)}b.png`]],
])('a result may name files of ours beside it and no other: %s', (kind, names, others) => {
  const end = names[0]?.replace(/^.*?\./, '.') ?? '';
  const elsewhere = [
    `../x${end}`,
    `/x${end}`,
    `//host/x${end}`,
    `a/../x${end}`,
    `a//x${end}`,
    `.x${end}`,
    `a\\x${end}`,
  ];
  for (const name of names) expect(storedName(kind, name), name).toBe(name);
  for (const name of [
    ...others,
    ...elsewhere,
    `javascript:x${end}`,
    end,
    `index.html\n${names[0]}`,
    '..',
    '',
    undefined,
  ]) {
    expect(storedName(kind, name), name).toBeUndefined();
  }
});

test.each([
  ['https://shop.example/', 'shop.example/'],
  ['https://shop.example/a/b.js?v=1#top', 'b.js?v=1'],
  ['https://shop.example/a/', 'a/'],
  ['https://shop.example?x', 'shop.example/?x'],
  ['data:image/png;base64,AAAA', 'data:image/png,…'],
  ['about:blank', 'about:blank'],
  ['', ''],
])('%s is called %s', (url, name) => {
  expect(shortName(url)).toBe(name);
});

test('a recording is linked wherever it lies, and nothing else', () => {
  for (const path of ['run-1.har', '../a.har', '../../x/shop%20floor.har.gz', 'a/b.HAR'])
    expect(recordingFile(path)).toBe(path);
  for (const path of [
    '/a.har',
    '//host/a.har',
    'javascript:a.har',
    'a/../b.har',
    'a.html',
    'https://a/b.har',
    '.har',
    'a b.har',
    undefined,
  ]) {
    expect(recordingFile(path), path).toBeUndefined();
  }
});
