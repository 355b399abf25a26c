import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readBytes, readText } from '../../../src/shell/disk/read-pieces.ts';
import { folderForEach } from '../../support/folders.ts';

const folder = folderForEach('read');

const MEGABYTE = 1024 * 1024;
const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536, 'x'));
    },
  });

describe('a file', () => {
  it('is read as it is', async () => {
    const file = path.join(folder(), 'a');
    for (const size of [0, 1, 5_000, 3 * MEGABYTE]) {
      const bytes = Buffer.alloc(size, 'é');
      await writeFile(file, bytes);
      expect((await readBytes(file, { most: 4 * MEGABYTE })).equals(bytes)).toBe(true);
    }
  });

  it('that is too large is not read', async () => {
    const file = path.join(folder(), 'a');
    await writeFile(file, 'x'.repeat(100));
    await expect(readBytes(file, { most: 99 })).rejects.toMatchObject({ limit: { most: 99 } });
    await expect(readBytes(path.join(folder(), 'none'), { most: 99 })).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(readBytes(folder(), { most: 99 })).rejects.toMatchObject({ code: 'EISDIR' });
  });
});

describe.skipIf(process.platform === 'win32')('what has no end, or no beginning', () => {
  it('a device is given up when it is too large', async () => {
    await expect(readBytes('/dev/zero', { most: 2 * MEGABYTE })).rejects.toMatchObject({
      message: 'it is larger than 2 MB',
    });
  });

  it('a pipe is read to the end of what is written, however late that begins', async () => {
    const pipe = path.join(folder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = readText(pipe, endless(), { most: MEGABYTE });
    // Opening it to write waits for the reader.
    const writer = createWriteStream(pipe);
    await once(writer, 'open');
    writer.write('first ');
    await new Promise<void>((resolve) => writer.end('second', resolve));
    expect(await reading).toBe('first second');
  });

  it('a pipe to which nothing is written is given up', async () => {
    const pipe = path.join(folder(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(readBytes(pipe, { most: 1, patience: 60 })).rejects.toMatchObject({
      limit: { patience: 60 },
    });
  });
});

describe('a stream', () => {
  it('without end is given up when it is too large, and closed', async () => {
    const stream = endless();
    await expect(readText('-', stream, { most: MEGABYTE })).rejects.toMatchObject({
      message: 'it is larger than 1 MB',
    });
    expect(stream.destroyed).toBe(true);
  });

  it('in which nothing comes is given up', async () => {
    const silent = new Readable({ read() {} });
    silent.push('a');
    await expect(readText('-', silent, { most: MEGABYTE, patience: 60 })).rejects.toMatchObject({
      message: 'nothing arrived within 0.06 s',
    });
    silent.destroy();
  });

  it('of texts and bytes is read as it comes', async () => {
    const mixed = (async function* () {
      yield 'a';
      yield Buffer.from('é');
    })();
    expect(await readText('-', mixed, { most: 10 })).toBe('aé');
  });
});
