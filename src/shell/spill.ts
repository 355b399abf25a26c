import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Store } from './store.ts';

/** A value that lies on the disk. */
export interface Spilled<T> {
  /** Reads it back; a copy each time. */
  read(): Promise<T>;
}

/** Keeps on the disk, until `close`, what memory should not hold. */
export interface Spill {
  /** Anything that can be cloned. Rejects with a `UsageError` when it cannot be written. */
  put<T>(value: T): Promise<Spilled<T>>;
  close(): Promise<void>;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Recordings are long lists of alike texts: the fastest level leaves a tenth of them. */
const FASTEST = 1;

/**
 * A place for large values in a folder of its own below the store's. Recordings hold what no file may show (cookies,
 * tokens): everything is encrypted with a key that only this process has and that is gone with it.
 */
export async function openSpill(store: Store): Promise<Spill> {
  const folder = path.basename(await mkdtemp(path.join(store.folder, '.spill-')));
  const key = randomBytes(32);
  let count = 0;
  return {
    async put<T>(value: T): Promise<Spilled<T>> {
      count += 1;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const hidden = [cipher.update(deflateRawSync(serialize(value), { level: FASTEST })), cipher.final()];
      const file = await store.write(
        path.join(folder, String(count)),
        Buffer.concat([iv, ...hidden, cipher.getAuthTag()]),
      );
      return {
        async read() {
          const bytes = await readFile(file);
          const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
          decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
          const shown = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
          return deserialize(inflateRawSync(Buffer.concat(shown))) as T;
        },
      };
    },
    close: () => rm(path.join(store.folder, folder), { recursive: true, force: true }),
  };
}
