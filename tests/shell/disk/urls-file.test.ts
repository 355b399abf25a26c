import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readUrlsFile } from '../../../src/shell/disk/urls-file.ts';
import { folderForEach } from '../../support/folders.ts';

const folder = folderForEach('urls');

const nothing = Readable.from([]);

test('a target a line, a name behind it; the rest says nothing', async () => {
  const file = path.join(folder(), 'urls.txt');
  await writeFile(
    file,
    '\ufeff# pages\r\n\r\nhttps://x.test/#top\t Home page \r\n  ./dist\n/shop/  Shop\n   # not this\n',
  );
  expect(await readUrlsFile(file, nothing)).toEqual([
    { url: 'https://x.test/#top', name: 'Home page', line: 3 },
    { url: './dist', line: 4 },
    { url: '/shop/', name: 'Shop', line: 5 },
  ]);
});

test('- is the standard input', async () => {
  expect(await readUrlsFile('-', Readable.from(['https://x.', 'test/ a\n']))).toEqual([
    { url: 'https://x.test/', name: 'a', line: 1 },
  ]);
});

test.each([
  ['gone.txt', undefined, /gone\.txt cannot be used \(there is no such file or folder\)/],
  ['empty.txt', '# only this\n', /it names no page/],
  ['picture.txt', 'PNG\u0000\u0001', /it is not a list of URLs/],
])('%s is refused in one line', async (name, content, line) => {
  const file = path.join(folder(), name);
  if (content !== undefined) await writeFile(file, content);
  await expect(readUrlsFile(file, nothing)).rejects.toMatchObject({
    code: 'urls-file-unreadable',
    exit: 2,
    message: expect.stringMatching(line),
  });
});
