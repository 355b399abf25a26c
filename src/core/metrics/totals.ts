import type { ResourceType } from '../../model/network/network.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { SiteTotals, TypeTotals } from '../../model/result/result.ts';
import type { Bytes } from '../../model/units.ts';
import { entityOf, ownershipOf } from '../requests/party.ts';
import { siteOf } from '../requests/site.ts';
import { neededRequests } from './transfer-size.ts';

/** What the page needed up to page-complete, by type: only types that there are. Undefined where it was never complete. */
export function totalsByType(visit: Visit): Partial<Record<ResourceType, TypeTotals>> | undefined {
  const needed = neededRequests(visit);
  if (!needed) return undefined;
  return Object.fromEntries(
    [...Map.groupBy(needed, ({ type }) => type)].map(([type, requests]) => [
      type,
      {
        requests: requests.length,
        transferSize: sizeOf(requests),
      },
    ]),
  );
}

/**
 * What the page needed up to page-complete, by site, the most bytes first. Undefined where it was never complete. Its own
 * site is that of the document that it ended at; what has no site, such as `data:`, stands in the document and is its own.
 */
export function totalsBySite(visit: Visit): readonly SiteTotals[] | undefined {
  const needed = neededRequests(visit);
  if (!needed) return undefined;
  const document = visit.timeline.requests.findLast((request) => request.mainDocument);
  const ownUrl = document?.url ?? visit.recording.navigation.url;
  const ownSite = siteOf(ownUrl);
  // One site may have hosts of several: tags and statistics under google.com.
  const byHost = Map.groupBy(needed, ({ url }) => `${siteOf(url) || ownSite}\n${entityOf(url) ?? ''}`);
  return [...byHost.values()]
    .map((requests): SiteTotals => {
      const [{ url }] = requests as [Request];
      return {
        site: siteOf(url) || ownSite,
        entity: entityOf(url),
        party: ownershipOf(ownUrl, url).thirdParty ? 'third' : 'first',
        requests: requests.length,
        transferSize: sizeOf(requests),
      };
    })
    .toSorted((a, b) => b.transferSize - a.transferSize);
}

const sizeOf = (requests: readonly Request[]): Bytes =>
  requests.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
