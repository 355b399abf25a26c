import type { VerdictReason } from '../model/background/reason.ts';
import * as json from './requests/har-fields.ts';

/*
 * How Quiesce's own fields are kept in a HAR: each is written and read by one row of a table. What is read is untrusted;
 * what is written has no secrets, no half characters, and no number that JSON cannot hold.
 */

/** What writing needs to know. */
export interface Writing {
  /** Takes secrets out (core/har/redact.ts). */
  readonly redact: {
    url(url: string): string;
    pattern(pattern: string): string;
    text(text: string): string;
  };
  /** Puts the reasons of verdicts and rules into words. */
  readonly inWords: (reason: VerdictReason) => string;
}

/** How one value is kept. */
export interface Codec<T, Written = T> {
  /** Undefined for what is not there, or not of its kind. */
  read(value: unknown): T | undefined;
  /** Undefined for what is to be left out. */
  write(value: T, writing: Writing): Written | undefined;
}

/** What a codec reads. */
export type ReadBy<C> = C extends { read(value: unknown): infer T } ? Exclude<T, undefined> : never;
/** What it writes. */
export type WrittenBy<C> = C extends { write(value: never, writing: Writing): infer T } ? Exclude<T, undefined> : never;

// Numbers and flags

/** A number that can have been measured: beyond 2^53 two of them sum to Infinity, which JSON cannot write. */
export function measured(value: number | undefined): number | undefined {
  return value !== undefined && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined;
}

const number = (read: (value: unknown) => number | undefined): Codec<number> => ({ read, write: measured });

/** A time on the page. */
export const moment = number(json.moment);
export const duration = number(json.duration);
export const size = number(json.size);
export const count = number(json.positive);
export const finite = number(json.finite);

/** True, or not there. */
export const flag: Codec<true> = { read: (value) => value === true || undefined, write: (value) => value };

export const boolean: Codec<boolean> = {
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  write: (value) => value,
};

// Texts

const string = (write: Codec<string>['write']): Codec<string> => ({ read: json.text, write });

/** Half a surrogate pair is no character: readers in other languages refuse the whole file. */
export const clean = (text: string): string => text.toWellFormed();

/** A text without secrets: an id, a name that the browser gives. */
export const plain = string(clean);
/** A text in which secrets may stand. */
export const text = string((value, { redact }) => redact.text(clean(value)));
export const url = string((value, { redact }) => redact.url(clean(value)));
/** Patterns are redacted as addresses are, so that they still match. */
export const pattern = string((value, { redact }) => redact.pattern(clean(value)));

/** One of a few names. */
export const oneOf = <const T extends string>(names: readonly T[]): Codec<T> => ({
  read: (value) => names.find((name) => name === value),
  write: (value) => value,
});

interface Unread extends Codec<unknown> {
  readonly unread: true;
}

/** What people read in the file, and Quiesce does not. */
export const unread: Unread = { unread: true, read: () => undefined, write: withTexts };

/** The same value with every text in it redacted. */
export function withTexts(value: unknown, writing: Writing): unknown {
  if (typeof value === 'string') return text.write(value, writing);
  if (Array.isArray(value)) return value.map((each) => withTexts(each, writing));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTexts(each, writing)]));
}

// Lists and objects

/** The same, with another value in place of none. */
export const or = <T, W>(codec: Codec<T, W>, fallback: T & W): Codec<T, W> => ({
  read: (value) => codec.read(value) ?? fallback,
  write: (value, writing) => codec.write(value, writing) ?? fallback,
});

function known<A, B>(items: readonly A[], of: (item: A) => B | undefined): B[] {
  const all: B[] = [];
  for (const item of items) {
    const one = of(item);
    if (one !== undefined) all.push(one);
  }
  return all;
}

/** A list, without those of its items that are none. */
export const listOf = <T, W>(item: Codec<T, W>): Codec<readonly T[], W[]> => ({
  read: (value) => (Array.isArray(value) ? known(value, (each) => item.read(each)) : undefined),
  write: (value, writing) => known(value, (each) => item.write(each, writing)),
});

interface Rows {
  readonly [name: string]: { read(value: unknown): unknown; write(value: never, writing: Writing): unknown };
}
type Row<T> = Codec<Exclude<T, undefined>, unknown> | Unread;
type OptionalKey<T> = { [K in keyof T & string]-?: object extends Pick<T, K> ? K : never }[keyof T & string];
type RowsOf<T, Strict extends string> = { readonly [K in Exclude<keyof T & string, OptionalKey<T>>]: Row<T[K]> } & {
  readonly [K in OptionalKey<T> as `${K}${K extends Strict ? '!' : '?'}`]: Row<T[K]>;
};

type Readable<R> = { readonly [K in keyof R as K extends `${string}${'?' | '!'}` ? never : K]: ReadBy<R[K]> } & {
  readonly [K in keyof R as K extends `${infer Name}${'?' | '!'}` ? Name : never]?: ReadBy<R[K]>;
};
type Writable<R> = { [K in keyof R as K extends `${string}${'?' | '!'}` ? never : K]: WrittenBy<R[K]> } & {
  [K in keyof R as K extends `${infer Name}${'?' | '!'}` ? Name : never]?: WrittenBy<R[K]>;
};

/** A row for each field, without the mark of its name. */
const tableOf = (rows: Rows) =>
  Object.entries(rows).map(([key, codec]) => {
    const mark = /[?!]?$/.exec(key)?.[0] ?? '';
    return { name: key.slice(0, key.length - mark.length), mark, codec: codec as Codec<unknown> };
  });

/**
 * Fields that stand among others. `name?` may be missing; so may `name!`, but where it is there, and not of its kind,
 * nothing is read.
 */
export function fieldsOf<const R extends Rows>(rows: R) {
  const table = tableOf(rows);
  return {
    read(value: unknown): Readable<R> | undefined {
      const stored = json.fields(value);
      const read: Record<string, unknown> = {};
      for (const { name, mark, codec } of table) {
        const field = stored[name];
        if (field === undefined && mark !== '') continue;
        const known = codec.read(field);
        if (known !== undefined) read[name] = known;
        else if (mark !== '?') return undefined;
      }
      return read as Readable<R>;
    },
    write(value: Readable<R>, writing: Writing): Writable<R> {
      // A copy, for an object that many keys are added to is slow.
      const written: Record<string, unknown> = { ...value };
      for (const { name, codec } of table) {
        const field = written[name];
        if (field !== undefined) written[name] = codec.write(field, writing);
      }
      return written as Writable<R>;
    },
  };
}

/** A whole object: the compiler asks for a row for each of its fields. Without a required one nothing of it is written. */
export function object<T extends object, Strict extends string = never>(rows: RowsOf<T, Strict>): Codec<T> {
  const table = tableOf(rows as Rows);
  return {
    read: fieldsOf(rows as Rows).read as Codec<T>['read'],
    write(value, writing) {
      const written: Partial<Record<string, unknown>> = {};
      for (const { name, mark, codec } of table) {
        const field = (value as typeof written)[name];
        const kept = field === undefined ? undefined : codec.write(field, writing);
        if (kept !== undefined) written[name] = kept;
        else if (mark === '') return undefined;
      }
      return written as T;
    },
  };
}
