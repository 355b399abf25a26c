import type { Header } from '../../model/network/network.ts';
import { isSecretName, looksSecret, withoutCredentials } from '../access/secret-names.ts';
import { createEraser } from '../access/secrets.ts';

/*
 * Which parts of a recording are secrets, and what stands in their place.
 *
 * What goes: cookies' values, credentials in headers, in addresses (user names, parameters, fragments) wherever an
 * address stands, in bodies that were sent, and every message of a socket or an event stream.
 * What stays: names, paths, sizes, times, and the shape of all of it, so that the endpoints and with them the
 * judgement are the same as before.
 *
 * A value is a secret when its name says so (`token`, `X-Amz-Signature`, `user[password]` …) or when it looks like one
 * whatever its name (see `looksSecret`). The lists lean towards too much: a lost cache buster costs nothing.
 */

/** What stands where a secret was. */
export const REDACTED = '[redacted]';

/** The same inside of an address or a form, where brackets have to be written like this (RFC 3986, 2.2). */
export const REDACTED_IN_URL = '%5Bredacted%5D';

/** Rewrites the parts of a recording that may hold secrets. */
export interface Redactor {
  /** An address, absolute or not. */
  url(url: string): string;
  /** An address pattern with `*`, such that it matches redacted addresses. */
  pattern(pattern: string): string;
  /** Prose or a header value, in which addresses may stand. */
  text(text: string): string;
  header(header: Header): Header;
  /** A body that was sent, or a body that was kept. */
  body(text: string, mimeType: string): string;
  /** The payload of a message. */
  payload(text: string): string;
}

/** Lets everything through. */
export const KEEP_SECRETS: Redactor = {
  url: (url) => url,
  pattern: (pattern) => pattern,
  text: (text) => text,
  header: (header) => header,
  body: (text) => text,
  payload: (text) => text,
};

/** As many texts are remembered, each no longer than this: what repeats are addresses and the words of results. */
const REMEMBERED = 5_000;
const LONGEST_REMEMBERED = 300;

/** The same, without doing it again for a text that came before. */
function remembering(redact: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const redacted = redact(text);
    if (text.length > LONGEST_REMEMBERED) return redacted;
    if (known.size >= REMEMBERED) known.clear();
    known.set(text, redacted);
    return redacted;
  };
}

/**
 * A redactor that remembers what it has seen: stacks, referrers and results repeat the same few texts again and again.
 * `secrets` are what the user gave to get into the page: they are taken out wherever they stand, whatever stands around them;
 * `headers`, in lower case, are those whose values are taken out however short they are.
 */
export function createRedactor(secrets: readonly string[] = [], headers: readonly string[] = []): Redactor {
  const url = remembering(redactUrl);
  const redact: Redactor = {
    url,
    pattern: (pattern) => {
      const redacted = url(pattern);
      return pattern.endsWith('*') && !redacted.endsWith('*') ? `${redacted}*` : redacted;
    },
    text: remembering(redactText),
    header: (header) =>
      headers.includes(header.name.toLowerCase()) ? { name: header.name, value: REDACTED } : redactHeader(header, url),
    body: redactBody,
    payload: (text) => (text === '' ? '' : REDACTED),
  };
  return withoutSecrets(secrets, redact);
}

/** Keeps what the page itself says, but not what the user gave to get into it. */
export function keepSecretsBut(secrets: readonly string[]): Redactor {
  return withoutSecrets(secrets, KEEP_SECRETS);
}

/** Takes out the given secrets first, then does what the other one does. */
function withoutSecrets(secrets: readonly string[], then: Redactor): Redactor {
  const erase = createEraser(secrets);
  if (!erase) return then;
  return {
    url: (url) => then.url(erase(url, REDACTED_IN_URL)),
    // Where the secret was, anything matches: so do redacted addresses.
    pattern: (pattern) => then.pattern(erase(pattern, '*')),
    text: (text) => then.text(erase(text, REDACTED)),
    header: ({ name, value }) => then.header({ name, value: erase(value, REDACTED) }),
    body: (text, mimeType) => then.body(erase(text, REDACTED), mimeType),
    payload: (text) => then.payload(erase(text, REDACTED)),
  };
}

/** Names whose values are versions of files: their hashes are as public as the files. */
const VERSION_NAMES: ReadonlySet<string> = new Set(['v', 'ver', 'version', 'rev', 'revision', 'build', 'etag']);

/** Addresses and JSON nest in each other's values; deeper than this they are taken out whole. */
const DEEPEST = 4;

/** The value of a parameter or field, undefined when there is nothing to hide in it. */
function redactedValue(name: string, value: string, depth: number): string | undefined {
  if (value === '') return undefined;
  if (isSecretName(name)) return REDACTED;
  if (!VERSION_NAMES.has(name.toLowerCase()) && looksSecret(value)) return REDACTED;
  if (!/[=?#@{["]|:\/\/|eyJ/.test(value)) return undefined;
  if (depth >= DEEPEST) return REDACTED;
  const inner = /^\s*[{[]/.test(value)
    ? (redactedJson(value, depth + 1) ?? redactText(value, depth + 1))
    : /^[a-z][a-z\d+.-]*:\/\/|^[/?#]/i.test(value)
      ? redactUrl(value, depth + 1)
      : redactText(/^[^\s=&]+=/.test(value) ? redactQuery(value, depth + 1) : value, depth + 1);
  return inner === value ? undefined : inner;
}

// Addresses

/** An address without its secrets. Works on the text, not on a parsed URL: hostile ones must keep their form too. */
export function redactUrl(url: string, depth = 0): string {
  const hashAt = url.indexOf('#');
  const beforeHash = hashAt === -1 ? url : url.slice(0, hashAt);
  const queryAt = beforeHash.indexOf('?');
  const place = queryAt === -1 ? beforeHash : beforeHash.slice(0, queryAt);
  const query = queryAt === -1 ? '' : `?${redactQuery(beforeHash.slice(queryAt + 1), depth)}`;
  const fragment = hashAt === -1 ? '' : `#${redactFragment(url.slice(hashAt + 1), depth)}`;
  return `${redactPlace(place)}${query}${fragment}`;
}

function redactPlace(place: string): string {
  const start = /^(?:[a-z][a-z\d+.-]{0,30}:)?\/\//i.exec(place)?.[0] ?? '';
  const slash = start === '' ? 0 : place.indexOf('/', start.length);
  const authority = start === '' ? '' : place.slice(start.length, slash === -1 ? undefined : slash);
  const path = place.slice(start.length + authority.length);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const user = host === authority ? '' : `${REDACTED_IN_URL}@`;
  // Java's way to keep a session without cookies: /path;jsessionid=…
  const steps = path.replace(/;([^=;/]{1,64})=([^;/]*)/g, (whole, name: string, value: string) =>
    redactedValue(decode(name), decode(value), DEEPEST) === undefined ? whole : `;${name}=${REDACTED_IN_URL}`,
  );
  return `${start}${user}${host}${withoutCredentials(steps, REDACTED_IN_URL)}`;
}

function redactQuery(query: string, depth: number): string {
  return query
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (at === -1) return looksSecret(decode(pair)) ? REDACTED_IN_URL : pair;
      const name = decode(pair.slice(0, at));
      const redacted = redactedValue(name, decode(pair.slice(at + 1)), depth);
      // A random value can also hide in the name's place: `?eyJ…=`.
      const label = looksSecret(name) ? REDACTED_IN_URL : pair.slice(0, at);
      const value = redacted === undefined ? pair.slice(at + 1) : encodeURIComponent(redacted.toWellFormed());
      return `${label}=${value}`;
    })
    .join('&');
}

function redactFragment(fragment: string, depth: number): string {
  const queryAt = fragment.indexOf('?');
  if (queryAt !== -1) {
    return `${withoutCredentials(fragment.slice(0, queryAt), REDACTED_IN_URL)}?${redactQuery(fragment.slice(queryAt + 1), depth)}`;
  }
  return redactQuery(fragment, depth);
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

// Text and headers

/**
 * What may hold a secret in prose, such as the message of a script's error: addresses, also from the root on; a login, with its
 * kind; a name and its value, also in JSON in a text. Bounded, so that hostile text takes no longer.
 */
const IN_PROSE = new RegExp(
  [
    /(?<address>\b(?:https?|wss?|ftp):\/\/[^\s"'<>]+|(?<![\w/.~%-])\/[^\s"'<>?]{0,300}\?[^\s"'<>]+)/,
    /(?<header>\bauthorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:Bearer|Basic|Digest|Token)\s{1,3})[\w.+/=~-]{4,600}/,
    /(?<kind>\b(?:Bearer|Basic|Digest|Token)\s{1,3})(?<login>[\w.+/=~-]{8,600})/,
    /(?<name>\b[a-z][\w.-]{0,60})(?<sign>(?:\\?["'])?\s{0,3}[=:]\s{0,3}(?![=>]))(?:(?<quote>\\?["'])(?<quoted>[^"'\\\n]{1,600})\k<quote>|(?!(?:Bearer|Basic|Digest|Token)\s)(?<bare>[^\s"'\\<>,;&)}\]]{3,600}))/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

/** Prose without the secrets in it. */
export function redactText(text: string, depth = 0): string {
  if (text.length < 8) return text;
  return withoutCredentials(/[/:=]|\s/.test(text) ? redactProse(text, depth) : text, REDACTED);
}

function redactProse(text: string, depth: number): string {
  const search = new RegExp(IN_PROSE);
  let redacted = '';
  let done = 0;
  for (let found = search.exec(text); found; found = search.exec(text)) {
    const {
      address,
      header = '',
      kind = '',
      login,
      name = '',
      sign = '',
      quote = '',
      quoted,
      bare,
    } = found.groups ?? {};
    const isSecret = login === undefined ? isSecretPair(name, sign, quoted, bare) : isLogin(login);
    if (address === undefined && header === '' && !isSecret) {
      // What is no secret's name may stand before one: "refused: password=…".
      search.lastIndex = found.index + Math.max(1, kind.length, name.length + sign.length);
      continue;
    }
    const kept = `${header}${kind}${name}${sign}${quote}${REDACTED}${quote}`;
    redacted += text.slice(done, found.index) + (address === undefined ? kept : redactUrl(address, depth));
    done = search.lastIndex;
  }
  return done === 0 ? text : redacted + text.slice(done);
}

/** "Bearer authentication" and "invalid token supplied." are prose. */
function isLogin(text: string): boolean {
  return /[\d+=]|[a-z][A-Z]/.test(text.replace(/[./]+$/, ''));
}

/** Names that in prose mostly are no secret's: "code=1006", "key: Enter". */
const EVERYDAY: ReadonlySet<string> = new Set(['code', 'key', 'sign']);
/** A place in a script, a port, a path, a part of a selector, and what is no value. */
const NO_SECRET = /^(?:\d+(?::\d+)+$|\d+\/|\.{0,2}\/|nth-|null\b|undefined\b|true\b|false\b)/i;

function isSecretPair(name: string, sign: string, quoted: string | undefined, bare = ''): boolean {
  const value = quoted ?? bare;
  if (!isSecretName(name) || isRedacted(value) || NO_SECRET.test(value)) return false;
  // A host with its port, a script with its line.
  if (sign.includes(':') && name.includes('.')) return false;
  if (EVERYDAY.has(name.toLowerCase())) return looksSecret(value);
  // "Unexpected token: eof" is prose, too.
  return quoted !== undefined || sign.includes('=') || (value.length >= 8 && /\d/.test(value));
}

const isRedacted = (value: string): boolean => /^(?:\[|%5B)redacted/i.test(value);

/** Names that the rules for names would take, but that hold nothing secret. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-request-headers',
  'proxy-authenticate',
  'www-authenticate',
  'sec-websocket-accept',
  'sec-websocket-key',
  'sec-token-binding',
]);

/** Ends like a key's name, but is a cache's. */
const HARMLESS_KEY = /^(?:surrogate|x-cache|cache|x-surrogate|xkey|sec-websocket|idempotency|x-idempotency)-?key$/;

/** A header line with its secrets taken out; its name stays, and so do the names of cookies and the kind of a login. */
export function redactHeader(header: Header, url: (url: string) => string = redactUrl): Header {
  const { name, value } = header;
  const redacted = redactHeaderValue(name.trim().toLowerCase(), value, url);
  return redacted === value ? header : { name, value: redacted };
}

function redactHeaderValue(name: string, value: string, url: (url: string) => string): string {
  if (value === '') return value;
  switch (name) {
    case 'cookie':
    case 'cookie2':
      return value.split(';').map(redactPair).join(';');
    case 'set-cookie':
    case 'set-cookie2':
      // Chrome joins several with a line break.
      return value
        .split('\n')
        .map((line) => {
          const [pair = '', ...attributes] = line.split(';');
          return [redactPair(pair), ...attributes].join(';');
        })
        .join('\n');
    case 'authorization':
    case 'proxy-authorization': {
      const scheme = /^\s*([A-Za-z][\w-]{0,30})\s+\S/.exec(value)?.[1];
      return scheme === undefined ? REDACTED : `${scheme} ${REDACTED}`;
    }
    case 'link':
      return value.replace(/<([^<>]*)>/g, (_, address: string) => `<${url(address)}>`);
  }
  if (HARMLESS_HEADERS.has(name)) return value;
  if (isSecretName(name) || (name.endsWith('key') && !HARMLESS_KEY.test(name))) return REDACTED;
  if (ADDRESS_HEADERS.has(name) || value.startsWith('/') || /^[a-z]{2,5}:\/\/\S*$/i.test(value)) return url(value);
  return redactText(value);
}

const ADDRESS_HEADERS: ReadonlySet<string> = new Set([
  'referer',
  'location',
  'content-location',
  'refresh',
  ':path',
  'x-original-url',
  'x-rewrite-url',
  'x-forwarded-uri',
]);

function redactPair(pair: string): string {
  const at = pair.indexOf('=');
  // A cookie without a name is all value (RFC 6265bis, 5.7).
  if (at === -1) return pair.trim() === '' ? pair : `${/^\s*/.exec(pair)?.[0] ?? ''}${REDACTED}`;
  return pair.slice(at + 1).trim() === '' ? pair : `${pair.slice(0, at)}=${REDACTED}`;
}

// Bodies

/** A body without its secrets: fields of forms and JSON one by one, anything that is not understood as a whole. */
export function redactBody(text: string, mimeType: string): string {
  if (text === '') return text;
  const essence = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  if (essence === 'application/x-www-form-urlencoded') return redactQuery(text, 0);
  if (essence.startsWith('multipart/')) return redactedMultipart(text, mimeType) ?? REDACTED;
  // `sendBeacon` sends JSON as text/plain.
  const json = /[/+]json$|csp-report$/.test(essence) || essence === 'text/plain' || essence === '';
  return (json ? redactedJson(text, 0) : undefined) ?? REDACTED;
}

/** JSON with the secret fields taken out, as it was when there are none; undefined when it is not JSON. */
function redactedJson(text: string, depth: number): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return REDACTED;
    const redacted = redactNode('', parsed, false, depth);
    return redacted === parsed ? text : JSON.stringify(redacted);
  } catch {
    // Not JSON, or nested so deep that walking it overflows the stack.
    return undefined;
  }
}

/** The same object when nothing in it is a secret. Everything under a secret name goes, its own names stay. */
function redactNode(name: string, node: unknown, secret: boolean, depth: number): unknown {
  if (node === null || typeof node === 'boolean') return node;
  if (typeof node === 'number') return secret ? REDACTED : node;
  if (typeof node === 'string') {
    if (secret) return node === '' ? node : REDACTED;
    return redactedValue(name, node, depth) ?? node;
  }
  if (Array.isArray(node)) {
    const items = node.map((item) => redactNode(name, item, secret, depth));
    return items.every((item, index) => item === node[index]) ? node : items;
  }
  let changed = false;
  const fields = Object.entries(node as object).map(([key, value]): [string, unknown] => {
    const redacted = redactNode(key, value, secret || isSecretName(key), depth);
    changed ||= redacted !== value;
    return [key, redacted];
  });
  // `fromEntries` defines fields, so that a field named `__proto__` stays one.
  return changed ? Object.fromEntries(fields) : node;
}

/** Parts keep their headers; files and secret fields lose their content. Undefined when the form is not understood. */
function redactedMultipart(text: string, mimeType: string): string | undefined {
  const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(mimeType);
  const delimiter = boundary?.[1] ?? boundary?.[2];
  if (delimiter === undefined || !text.includes(`--${delimiter}`)) return undefined;
  return text
    .split(`--${delimiter}`)
    .map((part, index) => {
      const gap = /\r?\n\r?\n/.exec(part);
      // Before the first delimiter and after the last one there is nothing that a form needs.
      if (index === 0) return part.trim() === '' ? part : REDACTED;
      if (!gap) return /^(?:--)?\s*$/.test(part) ? part : REDACTED;
      const head = part.slice(0, gap.index + gap[0].length);
      const value = part.slice(head.length);
      const content = value.replace(/\r?\n$/, '');
      const name = /[;\s]name="([^"]*)"/i.exec(head)?.[1] ?? '';
      const isFile = /[;\s]filename\*?=/i.test(head) || /content-type:/i.test(head);
      const redacted = isFile && content !== '' ? REDACTED : redactedValue(name, content, 0);
      return redacted === undefined ? part : `${head}${redacted}${value.slice(content.length)}`;
    })
    .join(`--${delimiter}`);
}
