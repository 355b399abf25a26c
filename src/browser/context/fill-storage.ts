/**
 * Functions that run in pages. They are sent as text: they must not use anything from outside themselves.
 */

import type { OriginState, StateItem } from '../../model/storage-state.ts';

/** Writes local storage and databases of the document's origin. */
export async function fillStorage({
  localStorage: items,
  indexedDB: databases = [],
}: Pick<OriginState, 'localStorage' | 'indexedDB'>): Promise<void> {
  const ARRAYS: Readonly<Record<string, new (buffer: ArrayBuffer) => ArrayBufferView>> = {
    i8: Int8Array,
    ui8: Uint8Array,
    ui8c: Uint8ClampedArray,
    i16: Int16Array,
    ui16: Uint16Array,
    i32: Int32Array,
    ui32: Uint32Array,
    f32: Float32Array,
    f64: Float64Array,
    bi64: BigInt64Array,
    bui64: BigUint64Array,
  };
  const SPECIAL: Readonly<Record<string, unknown>> = {
    null: null,
    NaN: Number.NaN,
    Infinity: Number.POSITIVE_INFINITY,
    '-Infinity': Number.NEGATIVE_INFINITY,
    '-0': -0,
  };
  const bytesOf = (base64: string): ArrayBuffer => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)).buffer;
  /** A value as Playwright encodes what is not JSON: an object with one letter that says what it is. */
  // biome-ignore lint/suspicious/noExplicitAny: what it is shows only here
  const decode = (encoded: any, seen: Map<number, unknown>): unknown => {
    if (typeof encoded !== 'object' || encoded === null) return encoded;
    if ('v' in encoded) return SPECIAL[encoded.v];
    if ('d' in encoded) return new Date(encoded.d);
    if ('bi' in encoded) return BigInt(encoded.bi);
    if ('r' in encoded) return new RegExp(encoded.r.p, encoded.r.f);
    if ('e' in encoded) return Object.assign(new Error(encoded.e.m), { name: encoded.e.n, stack: encoded.e.s });
    if ('ab' in encoded) return bytesOf(encoded.ab.b);
    if ('ta' in encoded) {
      const ArrayOf = ARRAYS[encoded.ta.k];
      return ArrayOf && new ArrayOf(bytesOf(encoded.ta.b));
    }
    if ('ref' in encoded) return seen.get(encoded.ref);
    if ('a' in encoded) {
      const list: unknown[] = [];
      seen.set(encoded.id, list);
      for (const each of encoded.a) list.push(decode(each, seen));
      return list;
    }
    if ('o' in encoded) {
      const object: Record<string, unknown> = {};
      seen.set(encoded.id, object);
      for (const { k, v } of encoded.o) if (k !== '__proto__') object[k] = decode(v, seen);
      return object;
    }
    return undefined;
  };
  const part = (plain: unknown, encoded: unknown): unknown =>
    encoded === undefined ? plain : decode(encoded, new Map());
  const done = <R>(request: IDBRequest<R>): Promise<R> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name, value } of items) localStorage.setItem(name, value);
  for (const { name, version, stores } of databases) {
    const opening = indexedDB.open(name, version);
    opening.onupgradeneeded = () => {
      for (const store of stores) {
        const keyPath = store.keyPathArray ? [...store.keyPathArray] : (store.keyPath ?? null);
        const made = opening.result.createObjectStore(store.name, { keyPath, autoIncrement: store.autoIncrement });
        for (const { name: called, keyPath: one = '', keyPathArray: many, unique, multiEntry } of store.indexes) {
          made.createIndex(called, many ? [...many] : one, { unique, multiEntry });
        }
      }
    };
    const database = await done(opening);
    for (const { name: called, records } of stores) {
      const transaction = database.transaction(called, 'readwrite');
      const over = new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error);
      });
      for (const { key, keyEncoded, value, valueEncoded } of records) {
        const at = part(key, keyEncoded) as IDBValidKey | undefined;
        transaction.objectStore(called).put(part(value, valueEncoded), at);
      }
      await over;
    }
    database.close();
  }
}

/** Fills the session storage of a new tab once, in documents of one origin: who logs out stays so. */
export function fillSession(origin: string, items: readonly StateItem[]): void {
  if (location.origin !== origin || sessionStorage.length > 0) return;
  for (const { name, value } of items) sessionStorage.setItem(name, value);
}
