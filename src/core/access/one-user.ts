import type { Access } from '../../model/access.ts';
import { isSecretName, looksSecret } from './secret-names.ts';

/** Names of headers and cookies that identify a user, besides those of secrets. */
const WHO =
  /account|client|customer|device|e-?mail|guid|identity|login|member|person|profile|tenant|user|uuid|visitor/i;

/** `id` as a word of a name: `customer_id`, `shopId`, `uid`. */
const ID = /(?:^|[^a-z])u?ids?(?![a-z])|[a-z](?:Id|ID)(?![a-z])/;

/** A choice ("1", "de-DE", "variant-b"): short, and without the long number that a person may have. */
const CHOICE = /^(?!.*\d{5})[\w .,;:=*/+-]{0,30}$/;

/**
 * Do all loads come as one user? A login says so, and a header or a cookie that may identify a user: by its name, by a value
 * that looks like a secret, or by one that is no short choice (a language, a consent, a variant). It leans towards yes: then
 * loads only wait for each other.
 */
export function isOneUser({
  headers,
  cookies,
  basicAuth,
  state,
}: Pick<Access, 'headers' | 'cookies' | 'basicAuth' | 'state'>): boolean {
  return (
    basicAuth !== undefined ||
    state !== undefined ||
    [...headers, ...cookies].some(
      ({ name, value }) =>
        isSecretName(name) || WHO.test(name) || ID.test(name) || looksSecret(value) || !CHOICE.test(value),
    )
  );
}
