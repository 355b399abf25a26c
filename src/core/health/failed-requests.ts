import type { FailedRequest } from '../../model/health.ts';
import type { ResourceType } from '../../model/network/network.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { Ms } from '../../model/units.ts';
import { isNamedIcon } from '../requests/icon-name.ts';
import { pageUrlOf } from '../requests/page-url.ts';
import { siteOf } from '../requests/site.ts';
import { isFailed } from '../timeline/failed.ts';
import { type Check, type CheckedFact, isOptional } from './check.ts';

/** Failed requests that a finding lists. */
const MAX_REQUESTS = 20;
/**
 * A page that copes with a failure changes its document this soon, ms, to show something else. Source: 100 ms is what feels
 * immediate (RAIL, https://web.dev/articles/rail), twice, for loaded machines.
 */
const SHOWN_WITHIN_MS = 200;
/** A script that asks elsewhere when it is told of a failure does so at once, ms. */
const REPLACED_WITHIN_MS = 50;

/** Without these a page does not look or work as it was written. */
const CODE: ReadonlySet<ResourceType> = new Set(['script', 'stylesheet']);
/** What scripts ask for to show it. */
const DATA: ReadonlySet<ResourceType> = new Set(['fetch', 'xhr', 'eventsource', 'websocket', 'webtransport']);
/** Pages do without these. */
const UNSEEN: ReadonlySet<ResourceType> = new Set([
  'manifest',
  'ping',
  'csp-violation-report',
  'prefetch',
  'preflight',
]);
/** What browsers and their tools ask for by themselves, beside icons. */
const UNSEEN_FILE = /\.(?:webmanifest|map)$/i;

/** Requests of the page's own site that failed, and those of others. Background, and what the page gave up, is no fault. */
export const failedRequests: Check = (visit) => {
  const broken = visit.timeline.requests.filter(
    (request) =>
      !visit.verdicts.has(request.id) &&
      !request.fromPreviousDocument &&
      !UNSEEN.has(request.type) &&
      !isNamedIcon(request.url) &&
      !UNSEEN_FILE.test(pathOf(request.url)) &&
      isFailed(request),
  );
  const own = ownSite(visit);
  // What the page's own policy refuses is its own fault, wherever it was to come from.
  const isOwn = ({ url, error = '' }: Request): boolean => own === '' || siteOf(url) === own || error.endsWith('(csp)');
  return [
    ...factOf('broken-request', broken.filter(isOwn), (request) => isNeeded(request, visit)),
    ...factOf(
      'third-party-failed',
      broken.filter((request) => !isOwn(request)),
      () => false,
    ),
  ];
};

/** The site of the document that is there at the end. */
export function ownSite({ timeline, recording }: Visit): string {
  const document = timeline.requests.findLast(({ mainDocument }) => mainDocument);
  return siteOf(document?.url ?? pageUrlOf(recording));
}

function factOf(
  code: 'broken-request' | 'third-party-failed',
  requests: readonly Request[],
  isNeeded: (request: Request) => boolean,
): readonly CheckedFact[] {
  if (requests.length === 0) return [];
  const failed = requests.map(
    (request): FailedRequest => ({
      url: request.url,
      method: request.method,
      type: request.type,
      status: request.response?.status,
      error: request.response ? undefined : request.error,
      isNeeded: isNeeded(request),
    }),
  );
  // What the page cannot do without is read first.
  const sorted = failed.toSorted((a, b) => Number(b.isNeeded) - Number(a.isNeeded));
  const facts = { requests: failed.length, failed: sorted.slice(0, MAX_REQUESTS) };
  const urls = [...new Set(sorted.map(({ url }) => url))];
  return code === 'third-party-failed'
    ? [{ code, urls, facts: { ...facts, isBroken: false } }]
    : [{ code, urls, facts: { ...facts, isBroken: failed.some((each) => each.isNeeded) } }];
}

/**
 * Can the page not do without it? It can where it got the same elsewhere. Of data, an answer of the 400s is an answer ("not
 * signed in", "no basket yet"), and a page that shows something else then has coped with any other.
 */
function isNeeded(request: Request, visit: Visit): boolean {
  const { type, url, endedAt, response } = request;
  if (isOptional(pathOf(url)) || wasReplaced(request, visit.timeline.requests)) return false;
  if (CODE.has(type) || type === 'document') return true;
  if (!DATA.has(type)) return false;
  const status = response?.status ?? 0;
  if (status >= 400 && status < 500) return false;
  return endedAt === undefined || !showedSoonAfter(endedAt, visit);
}

/** Asked again with success, or something of the kind was asked for instead as soon as it had failed. */
function wasReplaced({ type, url, endedAt = Number.POSITIVE_INFINITY }: Request, all: readonly Request[]): boolean {
  return all.some(
    (other) =>
      other.startedAt >= endedAt &&
      other.type === type &&
      !isFailed(other) &&
      (other.response !== undefined || other.outcome === 'finished') &&
      (fileOf(other.url) === fileOf(url) ||
        (DATA.has(type) && other.initiator?.type === 'script' && other.startedAt - endedAt <= REPLACED_WITHIN_MS)),
  );
}

/** Did a script show something else instead? Known only where the page was filmed. */
const showedSoonAfter = (failedAt: Ms, { recording }: Visit): boolean =>
  (recording.domChanges ?? []).some(
    ({ at, attributes }) => !attributes && at >= failedAt && at - failedAt <= SHOWN_WITHIN_MS,
  );

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

/** The last part of an address: `react.js` of a copy on another server. */
const fileOf = (url: string): string => pathOf(url).split('/').at(-1) || pathOf(url);
