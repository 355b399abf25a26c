import { isSecretName, looksSecret } from './secret-names.ts';

/**
 * The address of a running browser as it may be written down. A path may be a session's or hold a token, as parameters and
 * logins do: who knows them can drive the browser. Throws on what is no URL: settings have checked it.
 */
export function shownAddress(address: string): string {
  const { protocol, host, pathname, search } = new URL(address);
  return `${protocol}//${host}${pathname.length > 1 || search !== '' ? '/…' : ''}`;
}

/** What of such an address must not stand anywhere, also not in what others say of it. */
export function secretsInAddress(address: string): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { username, password, pathname, searchParams } = new URL(address);
  const login = decoded(password === '' ? username : password);
  const parameters = [...searchParams].flatMap(([name, value]) =>
    isSecretName(name) || looksSecret(value) ? value : [],
  );
  const parts = pathname.split('/').map(decoded).filter(looksSecret);
  return [login, ...parameters, ...parts].filter((text) => text !== '');
}

/** Percent-encoded text as it reads, or as it is where it is none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
