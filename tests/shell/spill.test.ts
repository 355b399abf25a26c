import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSpill } from '../../src/shell/spill.ts';
import { openStore, type Store } from '../../src/shell/store.ts';

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-spill-'));
  store = await openStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('values come back as they were, and leave nothing behind', async () => {
  const spill = await openSpill(store);
  const values = [
    { a: [1, undefined, Number.NaN], map: new Map([['x', 1]]) },
    'text',
    { cookie: 's3cret-cookie'.repeat(50) },
  ];
  const spilled = await Promise.all(values.map((value) => spill.put(value)));
  for (const [i, each] of spilled.entries()) expect(await each.read()).toEqual(values[i]);
  expect(await readdir(folder)).toHaveLength(1);
  await spill.close();
  expect(await readdir(folder)).toEqual([]);
});

test('nobody else can read them, or change them unnoticed', async () => {
  const spill = await openSpill(store);
  const spilled = await spill.put({ cookie: 's3cret-cookie'.repeat(50) });
  const [inside = ''] = await readdir(folder);
  const file = path.join(folder, inside, '1');
  const bytes = await readFile(file);
  expect(bytes.includes('s3cret')).toBe(false);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  await writeFile(file, bytes);
  await expect(spilled.read()).rejects.toThrow();
  await spill.close();
});
