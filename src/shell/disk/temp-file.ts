import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { atExit } from '../process/at-exit.ts';
import { temporaryIn, writeFailed } from './store.ts';

/** A value in a temporary file. */
export interface TempFile<T> {
  /** Reads it; a new copy each time. */
  read(): Promise<T>;
}

/** Values that are too large for memory; `close` removes them. */
export interface TempFiles {
  /** Anything that can be cloned. Rejects with a `QuiesceError` when it cannot be written. */
  put<T>(value: T): Promise<TempFile<T>>;
  close(): Promise<void>;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** The fastest compression: recordings repeat the same texts, and shrink to a tenth. */
const FASTEST = 1;

/**
 * Keeps large values in one file in the folder, one after the other; the first value creates the file. Recordings hold
 * secrets (cookies, tokens), so the file is encrypted with a key that only this process has.
 */
export function openTempFiles(folder: string): TempFiles {
  const file = temporaryIn(folder, 'tmp');
  const key = randomBytes(32);
  let opened: Promise<FileHandle> | undefined;
  // A program that is ended at once closes nothing.
  let cancelAtExit: (() => void) | undefined;
  let end = 0;
  return {
    async put<T>(value: T): Promise<TempFile<T>> {
      const bytes = encrypt(deflateRawSync(serialize(value), { level: FASTEST }), key);
      // Reserved before anything is waited for: several values may be put at once.
      const position = end;
      end += bytes.length;
      try {
        cancelAtExit ??= atExit(() => rmSync(file, { force: true }));
        opened ??= open(file, 'wx+', 0o600);
        const handle = await opened;
        await writeAll(handle, bytes, position);
        return tempFile<T>(handle, position, bytes.length, key);
      } catch (error) {
        throw writeFailed(file, error);
      }
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
      await rm(file, { force: true });
      cancelAtExit?.();
    },
  };
}

/** Apart from `put`: what reads a value must not hold its bytes. */
function tempFile<T>(handle: FileHandle, position: number, length: number, key: Uint8Array): TempFile<T> {
  return {
    read: async () => deserialize(inflateRawSync(decrypt(await readAll(handle, length, position), key))) as T,
  };
}

function encrypt(bytes: Uint8Array, key: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(bytes: Uint8Array, key: Uint8Array): Buffer {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function readAll(handle: FileHandle, length: number, position: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    // The file was cut short by another program: what is missing fails the check of its tag.
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes;
}
