import { getDomain } from 'tldts';

/**
 * The site of an address: the registered domain (`shop.co.uk` of `https://www.shop.co.uk/`, by the public
 * suffix list, so that two customers of one host are two sites), or the host itself where nobody did: `127.0.0.1`,
 * `localhost`. The empty string for what has no host.
 */
export function siteOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
