/** Untrusted JSON, field by field: what is not there, or not of its kind, is undefined. */
export type Fields = Readonly<Record<string, unknown>>;

/** Nothing that happens in a page load lies further than a day from its start, ms; what a file says beyond is a mistake. */
export const LONGEST_MS = 24 * 60 * 60 * 1000;

/** More bytes than this are none: at 100 Mbit/s they would take a day. */
export const MOST_BYTES = 1e12;

/** An object's fields; none for anything else. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** An array; empty for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text; undefined for anything else. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A finite number. WebPageTest writes some numbers as text. */
export function finite(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A number that is known: −1 stands for "not known" in HAR only. */
export function positive(value: unknown): number | undefined {
  const number = finite(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/** A number of bytes that is known and that a load can bring. */
export function size(value: unknown): number | undefined {
  const bytes = positive(value);
  return bytes !== undefined && bytes <= MOST_BYTES ? bytes : undefined;
}

/** A moment within a day of the start of its page. */
export function moment(value: unknown): number | undefined {
  const number = finite(value);
  return number !== undefined && Math.abs(number) <= LONGEST_MS ? number : undefined;
}

/** How long something took, when that is known and not beyond a day. */
export function duration(value: unknown): number | undefined {
  const number = moment(value);
  return number !== undefined && number >= 0 ? number : undefined;
}

/** An object with the key only if there is a value. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

/** Bytes of a text in UTF-8. */
export function utf8Length(value: string): number {
  let length = 0;
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
