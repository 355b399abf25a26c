/** Scheme, host and port of an address, `https://example.com:8443`; the empty string for what is no address. */
export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? '';
}
