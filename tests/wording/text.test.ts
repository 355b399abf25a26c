import { expect, test } from 'vitest';
import { elide, nestedFile, plain, recordingFile, safeHref, shortName, siblingFile } from '../../src/wording/text.ts';

test('what cannot be seen is named', () => {
  expect(plain('a\u001b[31mb')).toBe('a[U+001B][31mb');
  expect(plain('invoice\u202efdp.exe')).toBe('invoice[U+202E]fdp.exe');
  expect(plain('a\u2066b\u2028c\u200bd')).toBe('a[U+2066]b[U+2028]c[U+200B]d');
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

test('links to files stay beside the report', () => {
  expect(siblingFile('run-1.har')).toBe('run-1.har');
  for (const name of ['../run-1.har', '/run-1.har', 'a/b.har', 'javascript:1', '..', '', undefined]) {
    expect(siblingFile(name), name).toBeUndefined();
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

test('only files at or below the report are linked', () => {
  expect(nestedFile('evidence/01-first.png')).toBe('evidence/01-first.png');
  expect(nestedFile('run-1.har')).toBe('run-1.har');
  for (const path of [
    '../x.png',
    'a/../x',
    '/etc/passwd',
    '//host/x',
    'a//b',
    'javascript:x',
    '',
    'a/.hidden',
    undefined,
  ]) {
    expect(nestedFile(path), path).toBeUndefined();
  }
  expect(nestedFile(`${'a/'.repeat(500)}b`)).toBeUndefined();
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
  ]) {
    expect(recordingFile(path), path).toBeUndefined();
  }
});
