import type { Access } from '../../model/access.ts';
import { byteLength } from '../text/byte-length.ts';
import { eraseCut } from './cut-secrets.ts';
import { authorizationOf, base64 } from './headers.ts';
import { secretsOfState } from './storage-state.ts';

/**
 * What must not stand in anything that is written, when it was given to get into a page: the values of headers, cookies
 * and a storage state, the password, and what follows the scheme in `Bearer …`. User names are no secrets.
 */
export function secretsOf({
  headers,
  cookies,
  basicAuth,
  state,
}: Pick<Access, 'headers' | 'cookies' | 'basicAuth' | 'state'>): readonly string[] {
  const values = [
    ...headers.map(({ value }) => value),
    ...cookies.map(({ value }) => value),
    ...(basicAuth ? [basicAuth.password, authorizationOf(basicAuth).value] : []),
  ];
  const tokens = values.flatMap((value) => /^[A-Za-z][\w-]*\s+(\S.*)$/.exec(value)?.[1] ?? []);
  const kept = state ? secretsOfState(state) : [];
  return [...new Set([...values, ...tokens, ...kept])].filter(isLongEnough);
}

/**
 * Shorter values (`1`, `true`, `test`) are common words: to take them out wherever they stand would take half of every
 * address with them. Their headers and cookies are redacted by name all the same.
 */
const SHORTEST = 6;

function isLongEnough(value: string): boolean {
  return value.length >= SHORTEST;
}

/** Takes secrets out of texts, in every form in which a page may have written them. */
export type Eraser = (text: string, marker: string) => string;

/** An eraser for these secrets; undefined when there are none. */
export function createEraser(secrets: readonly string[]): Eraser | undefined {
  const forms = new Set(secrets.filter(isLongEnough).flatMap(formsOf).filter(isLongEnough));
  if (forms.size === 0) return undefined;
  // The longest first: one may be a part of another.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(sorted.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');
  // Cut ones first: a secret may begin with another one.
  return (text, marker) => eraseCut(text, sorted, marker, SHORTEST).replace(pattern, () => marker);
}

/** As it is, in addresses and forms, in JSON, in HTML, and in base64. */
function formsOf(secret: string): readonly string[] {
  const wellFormed = secret.toWellFormed();
  const encoded = encodeURIComponent(wellFormed);
  return [
    secret,
    encoded,
    encoded.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    encodeURI(wellFormed),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    base64(wellFormed),
    base64(wellFormed).replace(/=+$/, ''),
    ...inBase64(wellFormed),
  ];
}

/**
 * The letters that stand for it in the base64 of any text around it (`user:secret`), in both alphabets and in addresses.
 * Three bytes are four letters: there are three ways to begin, and a letter at either end may belong to what is beside it.
 */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + byteLength(secret)) * 8) / 6);
    const letters = base64('\0'.repeat(before) + secret).slice(first, end);
    return [letters, letters.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(letters)];
  });
}
