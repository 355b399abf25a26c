import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../../src/shell/disk/store.ts';
import { folderForEach } from '../../support/folders.ts';

const folder = folderForEach('store');
let store: Store;
beforeEach(async () => {
  store = await openStore(folder());
});

test('a text may come in pieces, made one by one or waited for', async () => {
  const pieces = function* () {
    yield 'ä';
    yield '';
    yield 'b\n';
  };
  const waited = async function* () {
    yield* pieces();
  };
  await store.write('a/one.txt', pieces());
  await store.write('two.txt', waited());
  expect(await readFile(path.join(folder(), 'a', 'one.txt'), 'utf8')).toBe('äb\n');
  expect(await readFile(path.join(folder(), 'two.txt'), 'utf8')).toBe('äb\n');
});

test('a piece that cannot be made leaves the file as it was, and is told as what it is', async () => {
  await store.write('file.txt', 'before');
  const broken = new Error('no such page');
  const pieces = async function* () {
    yield 'after';
    throw broken;
  };
  await expect(store.write('file.txt', pieces())).rejects.toBe(broken);
  expect(await readdir(folder())).toEqual(['file.txt']);
  expect(await store.read('file.txt')).toBe('before');
});

test('a file that cannot be written is told with what to do', async () => {
  await mkdir(path.join(folder(), 'taken'));
  await writeFile(path.join(folder(), 'taken', 'x'), '');
  await expect(store.write('taken', ['in', 'pieces'])).rejects.toMatchObject({
    code: 'write-failed',
    message: expect.not.stringContaining('kept'),
  });
  await store.write('first', 'x');
  await expect(store.write('taken', 'x')).rejects.toMatchObject({ message: /Files written before are kept\.$/ });
  await store.remove('first');
  expect(await readdir(folder())).toEqual(['taken']);
});

test('folders are made where there are none, and removed with what they were made for', async () => {
  const deep = path.join(folder(), 'a', 'b', 'c');
  const made = await openStore(deep);
  expect(await readdir(folder())).toEqual(['a']);
  await (await openStore(deep)).discard();
  expect(await readdir(path.join(folder(), 'a', 'b'))).toEqual(['c']);
  await made.discard();
  expect(await readdir(folder())).toEqual([]);
});

test('a file in the place of a folder is told, and left', async () => {
  await writeFile(path.join(folder(), 'taken'), 'mine');
  await expect(openStore(path.join(folder(), 'taken', 'results'))).rejects.toMatchObject({ code: 'out-not-writable' });
  expect(await readFile(path.join(folder(), 'taken'), 'utf8')).toBe('mine');
});

// Node's own mkdir never ends there.
test.runIf(process.platform === 'linux')('a file system that takes no folders is told', async () => {
  await expect(openStore('/proc/quiesce/results')).rejects.toMatchObject({ code: 'out-not-writable' });
});

test('a folder is held by one job at a time', async () => {
  await store.hold();
  const held = { code: 'out-in-use', message: expect.stringContaining(`Process ${process.pid} is writing`) };
  await expect(openStore(folder())).rejects.toMatchObject(held);
  await store.release();
  const [one, other] = [await openStore(folder()), await openStore(folder())];
  await one.hold();
  await expect(other.hold()).rejects.toMatchObject(held);
  await one.release();
  expect(await readdir(folder())).toEqual([]);
  await other.hold();
  await other.release();
});

test('a folder is held by a process that runs, and not by one that has ended', async () => {
  const module = path.resolve('src/shell/disk/store.ts');
  const program = `import { openStore } from ${JSON.stringify(module)};
    await (await openStore(${JSON.stringify(folder())})).hold();
    console.log('held');
    setInterval(() => undefined, 1_000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  await expect(openStore(folder())).rejects.toMatchObject({
    message: expect.stringContaining(`Process ${holder.pid} is`),
  });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await (await openStore(folder())).hold();
});
