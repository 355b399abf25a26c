import { decoded } from '../access/browser-address.ts';
import { secretsOf } from '../access/secrets.ts';
import type { GivenSecrets } from './erase.ts';
import { createRedactor, keepSecretsBut, type Redactor } from './redact.ts';

/** What keeps secrets out of everything that is written or printed. */
export interface Secrecy {
  /** What the user gave to get into the pages and to the browser. */
  readonly secrets: GivenSecrets;
  /** For everything that is written, except for HARs that are to keep what the page itself says. */
  readonly redact: Redactor;
  /** For what is only printed, on a terminal or in a log: without those given. */
  readonly erase: Redactor;
}

/** Makes of what was given what keeps it from being written down. */
export function secrecyOf({ texts, headers }: GivenSecrets): Secrecy {
  const secrets = { texts: [...new Set(texts)], headers: [...new Set(headers)] };
  return { secrets, redact: createRedactor(secrets.texts, secrets.headers), erase: keepSecretsBut(secrets.texts) };
}

/** The same for pages whose addresses hold logins, too: `https://user:password@host/`. */
export function withLoginsIn<S extends Secrecy>(addresses: readonly (string | undefined)[], known: S): S {
  const { texts, headers } = known.secrets;
  const found = [...new Set(addresses)].flatMap((address) => loginTexts(address));
  if (found.every((text) => texts.includes(text))) return known;
  return { ...known, ...secrecyOf({ texts: [...texts, ...found], headers: [...headers, 'authorization'] }) };
}

/** What of the login in an address must not stand anywhere. A user without a password is a token. */
function loginTexts(address: string | undefined): readonly string[] {
  const { username = '', password = '' } = (address === undefined ? null : URL.parse(address)) ?? {};
  if (username + password === '') return [];
  const basicAuth = { user: decoded(username), password: decoded(password) };
  const asTyped = password === '' ? [username, basicAuth.user] : [`${username}:${password}`];
  return [...asTyped, ...secretsOf({ headers: [], cookies: [], basicAuth })];
}
