import type { OriginState, StateCookie, StateItem, StorageState } from '../../model/storage-state.ts';
import { originOf } from '../requests/origin.ts';
import { looksSecret } from './secret-names.ts';

/** Names of this machine. */
const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
export const isLoopbackName = (host: string): boolean => LOOPBACK.includes(host);
/** So many secrets are looked for everywhere, those first that look like some. */
const MOST_SECRETS = 500;
/** Longer values hardly stand anywhere as a whole; what they consist of does. */
const LONGEST_VALUE = 4_096;

/**
 * The state as the page at this address finds it: what was saved at one port and name of this machine is found at another,
 * where nothing was saved there.
 */
export function stateAt(url: string, state: StorageState): StorageState {
  const { hostname } = new URL(url);
  if (!isLoopbackName(hostname)) return state;
  const own = originOf(url);
  const cookies = state.cookies.map(
    (cookie): StateCookie => (isLoopbackName(cookie.domain) ? { ...cookie, domain: hostname } : cookie),
  );
  const isThere = state.origins.some(({ origin }) => origin === own);
  const of = (isMeant: (name: string) => boolean): OriginState | undefined =>
    state.origins.find(({ origin }) => isMeant(new URL(origin).hostname));
  const elsewhere = of((name) => name === hostname) ?? of(isLoopbackName);
  const moved = isThere || elsewhere === undefined ? [] : [{ ...elsewhere, origin: own }];
  return { cookies, origins: [...state.origins, ...moved] };
}

/** All values of it, and all texts inside them, that must not stand in anything that is written. */
export function secretsOfState({ cookies, origins }: StorageState): readonly string[] {
  const found = new Set<string>(cookies.map(({ value }) => value));
  const add = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length <= LONGEST_VALUE) found.add(value);
      const inner = jsonIn(value);
      if (inner !== undefined) add(inner);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(add);
  };
  const addItems = (items: readonly StateItem[] = []): void => {
    for (const { value } of items) add(value);
  };
  for (const { localStorage, sessionStorage, indexedDB = [] } of origins) {
    addItems(localStorage);
    addItems(sessionStorage);
    for (const { stores } of indexedDB) for (const { records } of stores) add(records);
  }
  // An address of a page is no secret, and stands everywhere.
  const secrets = [...found].filter((value) => !isPlainAddress(value));
  return [...secrets.filter(looksSecret), ...secrets.filter((value) => !looksSecret(value))].slice(0, MOST_SECRETS);
}

/** An object or a list that was stored as text. */
function jsonIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function isPlainAddress(value: string): boolean {
  const { protocol = '', search = '', hash = '', username = '' } = URL.parse(value) ?? {};
  return /^https?:$/.test(protocol) && search + hash + username === '';
}
