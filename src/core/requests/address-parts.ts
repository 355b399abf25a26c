/** An address as it is sent: servers and caches never see what follows the hash. */
export function withoutHash(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}

/** An address without its query, and what follows the hash. */
export const withoutQueryAndHash = (url: string): string => url.replace(/[?#].*$/s, '');

/** A text in which all figures are alike: ids and counters differ from load to load. */
export const withoutFigures = (text: string): string => text.replace(/\d+/g, '0');
