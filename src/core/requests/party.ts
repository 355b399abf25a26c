import entities from 'third-party-web/dist/entities-nostats.json' with { type: 'json' };
import { parse } from 'tldts';
import { siteOf } from './site.ts';

/** Names by domain, `example.com`, or by a domain with all below it, `*.example.com`. Made when it is first needed. */
let names: ReadonlyMap<string, string> | undefined;

/**
 * Who runs the host of an address, by the list that Lighthouse uses, too: 'Google Tag Manager'. Undefined where nobody is
 * known. What a customer rents from a host (`shop.example.net`, where everybody can have a name under `example.net`) is not
 * the host's: there the list must name the very domain.
 */
export function entityOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const { domain, isPrivate } = parse(hostname, { allowPrivateDomains: true });
  if (domain === null) return undefined;
  names ??= new Map(
    entities.flatMap(({ name, domains }) => domains.map((each) => [each.toLowerCase(), name] as const)),
  );
  const itself = names.get(hostname);
  if (itself !== undefined || isPrivate) return itself;
  for (let parent = hostname; parent.length >= domain.length; parent = parent.slice(parent.indexOf('.') + 1)) {
    const name = names.get(`*.${parent}`);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The owner of an address: the company that runs its host, or its site where none is known. The empty string for what has no host. */
export function partyOf(url: string): string {
  return entityOf(url) ?? siteOf(url);
}

/** The same as a page sees it: what is of its own site, and what has no host, is its own, even if another company runs a part of that site. */
export function partyOnPage(pageUrl: string, url: string): string {
  const site = siteOf(url);
  return site === '' || site === siteOf(pageUrl) ? partyOf(pageUrl) : partyOf(url);
}

/** The same, and whether that is another than the page's own. */
export function ownershipOf(pageUrl: string, url: string): { readonly party: string; readonly thirdParty: boolean } {
  const party = partyOnPage(pageUrl, url);
  return { party, thirdParty: party !== partyOf(pageUrl) };
}
