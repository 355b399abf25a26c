import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { markedPrefix, removeLeftovers } from '../../../src/shell/disk/leftovers.ts';
import { folderForEach } from '../../support/folders.ts';

const folder = folderForEach('leftovers');

it('removes what a process has left that is gone, and nothing else', async () => {
  const own = markedPrefix('some-');
  const mark = own.slice('some-'.length, -1);
  const machine = mark.slice(0, -process.pid.toString(36).length);
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  const parent = process.ppid.toString(36);
  const gone = dead.toString(36);
  await mkdir(path.join(folder(), `some-${machine}${gone}-abc/inner`), { recursive: true });
  await writeFile(path.join(folder(), `some-${machine}${gone}-abc/inner/file`), '');
  await writeFile(path.join(folder(), `some-${machine}${gone}-def.part`), '');
  const kept = [
    `${own}abc`,
    // Another process that runs, another machine, another prefix, and what only looks alike.
    `some-${machine}${parent}-abc`,
    `some-${machine === 'zzzz' ? 'yyyy' : 'zzzz'}${gone}-abc`,
    `other-${machine}${gone}-abc`,
    'some-thing',
  ];
  for (const name of kept) await writeFile(path.join(folder(), name), '');
  await removeLeftovers(folder(), 'some-');
  expect(await readdir(folder())).toEqual(kept.toSorted());
  await expect(removeLeftovers(path.join(folder(), 'missing'), 'some-')).resolves.toBeUndefined();
});
