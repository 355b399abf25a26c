import type { ResourceType } from '../../model/network.ts';
import type { TypeTotals } from '../../model/result.ts';
import type { Visit } from '../../model/visit.ts';
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
        transferSize: requests.reduce((sum, request) => sum + (request.transferSize ?? 0), 0),
      },
    ]),
  );
}
