/*
 * Does a name or a value tell that it is a secret? The lists lean towards too much: a lost cache buster costs nothing.
 */

/** Words that make a name a secret's wherever they stand in it. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  `token secret password passwd passphrase passcode pass pwd pw jwt credential signature sig hmac auth authorization
   authentication apikey session sessionid sid csrf xsrf otp totp pin cvv cvc ssn assertion ticket bearer dpop
   samlresponse samlrequest cookie`.split(/\s+/),
);

/** Names that are a secret's only when nothing else is said: `code` is OAuth's, `country_code` is not. */
const SECRET_NAMES: ReadonlySet<string> = new Set(['key', 'code', 'sign']);

/** Words before `key` or `code` that make it a secret; a sort key or a country code is none. */
const SECRET_BEFORE_KEY: ReadonlySet<string> = new Set(
  `api app access secret private session encryption subscription auth shared account consumer signing master license
   functions function client service storage stream user google maps write`.split(/\s+/),
);
const SECRET_BEFORE_CODE: ReadonlySet<string> = new Set(
  'auth authorization device verification security access reset invite login'.split(' '),
);

/** Names written without a gap: `accesstoken`, `PHPSESSID`. */
const SECRET_GLUED =
  /token|secret|passw|apikey|accesskey|privatekey|sessionid|sessid|credential|signature|cardnumber|codeverifier/;

const nameVerdicts = new Map<string, boolean>();
/** Bounds the memory of `nameVerdicts`: names come from pages, and a page can make up any number of them. */
const KNOWN_NAMES = 5000;

/** Does a parameter, field or header of this name hold a secret? */
export function isSecretName(name: string): boolean {
  const known = nameVerdicts.get(name);
  if (known !== undefined) return known;
  const verdict = judgeName(name.slice(0, 200));
  if (nameVerdicts.size >= KNOWN_NAMES) nameVerdicts.clear();
  nameVerdicts.set(name, verdict);
  return verdict;
}

function judgeName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  const only = words.length === 1 ? words[0] : undefined;
  if (only !== undefined && SECRET_NAMES.has(only)) return true;
  for (const [index, word] of words.entries()) {
    if (SECRET_WORDS.has(word) || (word.endsWith('s') && SECRET_WORDS.has(word.slice(0, -1)))) return true;
    const before = words[index - 1] ?? '';
    if (word === 'key' && SECRET_BEFORE_KEY.has(before)) return true;
    if (word === 'code' && SECRET_BEFORE_CODE.has(before)) return true;
  }
  return SECRET_GLUED.test(words.join(''));
}

/** From this length on a value can be a random key: 128 bits in hexadecimal, 144 in base64. */
const HEX_KEY = 32;
const BASE64_KEY = 24;
/** In random base64 about 0.6 of the neighbours differ in kind (upper, lower, digit); in CamelCase about 0.35. */
const RANDOM_CHANGES = 0.4;

/** Does a value look like a secret whatever its name is? A UUID does not: those are mostly ids of things. */
export function looksSecret(value: string): boolean {
  if (value.length < 12) return false;
  if (withoutCredentials(value, '') !== value) return true;
  if (value.length >= HEX_KEY && /^[\da-f]+$/i.test(value)) return true;
  return value.length >= BASE64_KEY && /^[\w+/-]+={0,2}$/.test(value) && isRandom(value);
}

function isRandom(value: string): boolean {
  let changes = 0;
  let kinds = 0;
  let before = 0;
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index);
    const kind = code >= 97 ? 1 : code >= 65 && code <= 90 ? 2 : code >= 48 && code <= 57 ? 4 : 0;
    kinds |= kind;
    if (kind !== before) changes += 1;
    before = kind;
  }
  return kinds === 7 && changes >= value.length * RANDOM_CHANGES;
}

/**
 * Credentials that show by themselves: a JSON Web Token, and the keys of services that mark theirs (Stripe, GitHub,
 * GitLab, Slack, AWS, Google). The look-behind also keeps the search linear on hostile text.
 */
const CREDENTIALS =
  /(?<![\w-])(?:eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)*|[spr]k_(?:live|test)_\w{16,}|gh[pousr]_\w{30,}|github_pat_\w{30,}|glpat-[\w-]{20,}|xox[a-z]-[\w-]{10,}|A[KS]IA[\dA-Z]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,})/g;

/** A text with the credentials in it replaced. */
export function withoutCredentials(text: string, marker: string): string {
  return text.replace(CREDENTIALS, marker);
}
