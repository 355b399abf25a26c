import type { Cookie, Login } from '../../model/access.ts';
import type { Header } from '../../model/network/network.ts';

/** A name of a header or a cookie. Source: RFC 9110, 5.6.2 "token". */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers that are not the user's to say: the browser or the connection does, and a wrong one breaks the request. */
const NOT_THEIRS: ReadonlySet<string> = new Set(
  'host connection content-length transfer-encoding keep-alive upgrade te trailer expect'.split(' '),
);

/** 'Name: value'. What is wrong is said without the value: it may be a secret. */
export function parseHeader(line: string): { readonly value: Header } | { readonly problem: string } {
  const at = line.indexOf(':');
  const name = at === -1 ? '' : line.slice(0, at).trim();
  if (!TOKEN.test(name)) {
    return { problem: "must be 'Name: value', with a name of letters, digits and dashes" };
  }
  const value = line.slice(at + 1).trim();
  if (name.toLowerCase() === 'cookie') {
    return { problem: 'must not be a Cookie: give cookies with --cookie name=value' };
  }
  if (NOT_THEIRS.has(name.toLowerCase()) || /^(sec-|proxy-)/i.test(name)) {
    return { problem: `must not be ${name}: the browser sets that itself` };
  }
  if (!isFieldValue(value)) return { problem: `must have a value of one line of Latin letters (${name})` };
  return { value: { name, value } };
}

/** 'name=value'. */
export function parseCookie(text: string): { readonly value: Cookie } | { readonly problem: string } {
  const at = text.indexOf('=');
  const name = at === -1 ? '' : text.slice(0, at).trim();
  if (!TOKEN.test(name)) return { problem: 'must be name=value, with a name of letters, digits and dashes' };
  const value = text.slice(at + 1).trim();
  // Source: RFC 6265, 4.1.1; blanks and quotes are common and understood everywhere.
  if (!isFieldValue(value) || value.includes(';')) {
    return { problem: `must have a value without semicolons and line breaks (${name})` };
  }
  return { value: { name, value } };
}

/** 'user:password'; the password may hold colons. */
export function parseLogin(text: string): { readonly value: Login } | { readonly problem: string } {
  const at = text.indexOf(':');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 7617 forbids them.
  if (at === -1 || /[\u0000-\u001f\u007f]/.test(text)) return { problem: 'must be user:password, on one line' };
  return { value: { user: text.slice(0, at), password: text.slice(at + 1) } };
}

/** The header that logs in without being asked. Source: RFC 7617, in UTF-8. */
export function authorizationOf({ user, password }: Login): Header {
  return { name: 'Authorization', value: `Basic ${base64(`${user}:${password}`)}` };
}

/** Base64 of a text in UTF-8. */
export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** What can stand in a header's value: one line of Latin-1. Source: RFC 9110, 5.5. */
function isFieldValue(value: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
}
