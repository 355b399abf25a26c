import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

const make = async (name: string): Promise<string> =>
  realpath(await mkdtemp(path.join(os.tmpdir(), `quiesce-${name}-`)));
const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** A folder of its own for each test of a file, gone after it. */
export function folderForEach(name: string): () => string {
  let folder = '';
  beforeEach(async () => {
    folder = await make(name);
  });
  afterEach(() => remove(folder));
  return () => folder;
}

/** A folder for all tests of a file, gone after them. */
export function folderForAll(name: string): () => string {
  let folder = '';
  beforeAll(async () => {
    folder = await make(name);
  });
  afterAll(() => remove(folder));
  return () => folder;
}
