import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTempFiles } from '../../../src/shell/disk/temp-file.ts';
import { folderForEach } from '../../support/folders.ts';

const folder = folderForEach('temp');

test('values come back as they were, and leave nothing behind', async () => {
  const temp = openTempFiles(folder());
  const values = [
    { a: [1, undefined, Number.NaN], map: new Map([['x', 1]]) },
    'text',
    { cookie: 's3cret-cookie'.repeat(50) },
  ];
  const kept = await Promise.all(values.map((value) => temp.put(value)));
  for (const [i, each] of kept.entries()) expect(await each.read()).toEqual(values[i]);
  expect(await readdir(folder())).toHaveLength(1);
  await temp.close();
  expect(await readdir(folder())).toEqual([]);
});

test('nobody else can read them, or change them unnoticed', async () => {
  const temp = openTempFiles(folder());
  const kept = await temp.put({ cookie: 's3cret-cookie'.repeat(50) });
  const [inside = ''] = await readdir(folder());
  const file = path.join(folder(), inside);
  const bytes = await readFile(file);
  expect(bytes.includes('s3cret')).toBe(false);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  await writeFile(file, bytes);
  await expect(kept.read()).rejects.toThrow();
  await temp.close();
});
