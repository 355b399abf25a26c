import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readResultText } from '../../../src/shell/disk/stored-results.ts';
import { folderForEach } from '../../support/folders.ts';

const folder = folderForEach('results');

test('a result is read as text', async () => {
  const file = path.join(folder(), 'result.json');
  await writeFile(file, '{"é":1}');
  expect(await readResultText({ name: 'x', path: file })).toBe('{"é":1}');
});

test('one that is too large is refused in one line, and so is a device', async () => {
  const file = path.join(folder(), 'result.json');
  await writeFile(file, '');
  await truncate(file, 257 * 1024 * 1024);
  for (const each of [file, ...(process.platform === 'win32' ? [] : ['/dev/zero'])]) {
    await expect(readResultText({ name: 'x', path: each })).rejects.toMatchObject({
      code: 'result-unreadable',
      message: expect.stringMatching(/it is larger than 256 MB/),
    });
  }
});
