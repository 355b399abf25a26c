import { redactUrl } from '../../core/har/redact.ts';
import { originOf } from '../../core/requests/origin.ts';
import { joined } from './format.ts';

/** Longest address that a sentence can hold and still be read. */
const LONGEST_NAME = 60;

/**
 * Addresses, in a text, as a sentence names them: without the page's own origin, and without the query, which mostly is
 * longer than what it tells. `?*` stays: it names an endpoint.
 */
export function nameOf(text: string, pageUrl: string): string {
  const origin = originOf(pageUrl);
  // "the load event", a selector: what is no address is named as it is.
  return text.replace(/[a-z][\w+.-]*:\/\/\S+/gi, (url) => shortened(url, origin));
}

function shortened(url: string, origin: string): string {
  const local = origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  const name = local.replace(/#.*$/s, '').replace(/\?(?!\*$).*$/s, '');
  if (name.length <= LONGEST_NAME) return name;
  // First: of a token that is cut, nobody would know afterwards that it was one.
  const safe = redactUrl(name);
  return safe.length <= LONGEST_NAME ? safe : `${safe.slice(0, LONGEST_NAME / 2)}…${safe.slice(-LONGEST_NAME / 2)}`;
}

/** A list for a sentence, cut after three. */
export function listNames(names: readonly string[], pageUrl = ''): string {
  if (names.length === 0) return 'nothing it could name';
  // Files that only their queries tell apart have one name.
  return joined([...new Set(names.map((name) => nameOf(name, pageUrl)))], 3);
}
