import type { InventoryItem } from '../../model/compare/comparison.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import { operationOf } from '../background/operation.ts';
import { siteOf } from '../requests/site.ts';
import { countedUntil } from '../time/completed-at.ts';
import { MASK, withoutHashes } from './content-hash.ts';
import { withoutOwnOrigin } from './own-origin.ts';
import { requestTimings } from './request-timing.ts';

/** What one load fetched, each name once, in order of first start. */
export type Inventory = readonly InventoryItem[];

/** A parameter without a value that is a value itself: `style.css?1697041`, `app.js?3f2a1b9c`. */
const BARE_VALUE = /^[\w.-]*\d[\w.-]*$/;
/** What is in the document already is not fetched. */
const NOT_FETCHED = /^(?:data|blob):/i;

/**
 * What the page fetched until it was complete, by names that stay the same from build to build (`nameOfRequest`).
 * Background traffic is not in it, not even the part of it that counts: it is reported as an endpoint. Several requests under one name are added up, also files that differ in nothing but
 * their hash: `requests` tells how many there were. Sizes are bytes on the wire with headers; unknown ones count as 0.
 */
export function inventoryOf(visit: Visit): Inventory {
  const { complete, timeline, verdicts } = visit;
  const until = countedUntil(complete, timeline);
  const document = documentOf(visit);
  const pageUrl = document?.url ?? visit.recording.navigation.url;
  const ownSite = siteOf(pageUrl);
  const timingOf = requestTimings(timeline);
  const items = new Map<string, InventoryItem>();
  for (const request of timeline.requests) {
    if (request.fromPreviousDocument || request.outcome === 'blocked' || verdicts.has(request.id)) continue;
    // How much of what comes later is seen depends on how long one watches.
    if (request.startedAt > until || NOT_FETCHED.test(request.url)) continue;
    const name = nameOfRequest(request, pageUrl);
    const known = items.get(name);
    const isForeign = siteOf(request.url) !== ownSite;
    const timing = known ? known.timing : timingOf(request);
    items.set(name, {
      name,
      url: known?.url ?? request.url,
      type: known?.type ?? request.type,
      requests: (known?.requests ?? 0) + 1,
      transferSize: (known?.transferSize ?? 0) + (request.transferSize ?? 0),
      ...(isForeign && { thirdParty: hostOf(request.url) }),
      ...(request.outcome === 'redirected' && { redirects: true }),
      ...((known?.page || request.id === document?.id) && { page: true }),
      timing,
    });
  }
  return [...items.values()];
}

/**
 * Method and address of a request without what changes from build to build: the page's own origin, content hashes and
 * build ids, the values of the query. A redirect is another thing than what is behind it.
 */
function nameOfRequest(
  { method, url, postBody, outcome }: Pick<Request, 'method' | 'url' | 'postBody' | 'outcome'>,
  pageUrl: string,
): string {
  const operation = postBody && operationOf(postBody);
  return [
    `${method} ${nameOfAddress(url, pageUrl)}`,
    ...(operation === undefined ? [] : [`(${operation})`]),
    ...(outcome === 'redirected' ? ['(redirect)'] : []),
  ].join(' ');
}

/** The address of `nameOfRequest`: `/assets/app.*.js?v=*`. */
export function nameOfAddress(address: string, pageUrl: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const names = [...new Set(url.search.slice(1).split('&').map(parameterName))].filter((name) => name !== '').sort();
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  const base = url.host === '' ? url.protocol : `${url.protocol}//${url.host}`;
  return withoutOwnOrigin(base + withoutHashes(url.pathname), pageUrl) + query;
}

function parameterName(parameter: string): string {
  const equals = parameter.indexOf('=');
  if (equals >= 0) return `${parameter.slice(0, equals)}=${MASK}`;
  return BARE_VALUE.test(parameter) ? MASK : parameter;
}

/** The last document of the page. */
function documentOf({ timeline }: Visit): Request | undefined {
  return timeline.requests.findLast(({ mainDocument, outcome }) => mainDocument && outcome !== 'redirected');
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
