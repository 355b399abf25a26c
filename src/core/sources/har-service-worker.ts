import { withoutHash, withoutQueryAndHash } from '../requests/address-parts.ts';
import { headerOf } from '../text/header.ts';
import { type Entry, headersOf, initiatorOf } from './har-entry.ts';
import { mimeTypeOf } from './har-types.ts';

/**
 * What service workers are called, and the parts that they are put together from; scripts that register one are called otherwise.
 * Sources: the documentation of Workbox, Angular, Firebase and OneSignal.
 */
const WORKER_NAME =
  /\/(?:[\w.-]+[-_.])?(?:(?:sw|service[-_]?worker)(?:[-_.][0-9a-f]{8,})?|ngsw-worker|OneSignalSDK\w*Worker|workbox-(?!window)[\w.-]*)(?:\.min)?\.m?js$/i;

/** What pages have as files. */
const FILE_TYPES =
  /^(?:text\/(?:html|css)|(?:text|application)\/(?:x-)?javascript|image\/|font\/|application\/(?:x-)?font)/;

/**
 * What service workers asked for, by who asked: a script that is one by its header or its name, or that the page did not load and
 * that fetches nothing but files of pages. Where the initiator was not recorded: what was asked for once more when a worker had
 * answered it. Source: https://w3c.github.io/ServiceWorker/
 */
export function serviceWorkerRequests(entries: readonly Entry[]): ReadonlySet<Entry> {
  const proven = new Set(entries.filter(isWorkerScript).map(addressOf));
  const others = entries.filter((entry) => !isWorkerScript(entry));
  const loaded = new Set(others.filter((entry) => askersOf(entry).length > 0).map(addressOf));
  const hidden = hiddenWorkers(others);
  const isWorker = (address: string): boolean =>
    proven.has(address) ||
    hidden.has(address) ||
    (WORKER_NAME.test(withoutQueryAndHash(address)) && !loaded.has(address));
  const answeredAt = new Map<string, number>();
  for (const entry of others.filter(isAnsweredByWorker)) {
    const before = answeredAt.get(addressOf(entry)) ?? Number.POSITIVE_INFINITY;
    answeredAt.set(addressOf(entry), Math.min(before, entry.startedAt));
  }
  const isWorkers = (entry: Entry): boolean => {
    const askers = askersOf(entry);
    if (askers.length > 0) return askers.some(isWorker);
    return (
      isWorker(refererOf(entry)) || entry.startedAt >= (answeredAt.get(addressOf(entry)) ?? Number.POSITIVE_INFINITY)
    );
  };
  return new Set(others.filter((entry) => !isAnsweredByWorker(entry) && isWorkers(entry)));
}

/** Scripts of which the file shows only what they ask for: nothing but files that pages have. */
function hiddenWorkers(entries: readonly Entry[]): ReadonlySet<string> {
  const here = new Set(entries.map(addressOf));
  const isHidden = (asker: string | undefined): asker is string =>
    asker !== undefined && !here.has(asker) && /\.m?js$/i.test(withoutQueryAndHash(asker));
  const byAsker = Map.groupBy(entries, (entry) => {
    const [asker, ...more] = new Set(askersOf(entry));
    return more.length === 0 && isHidden(asker) ? asker : '';
  });
  const isOfFiles = (asked: readonly Entry[]): boolean =>
    asked.length > 1 && asked.every(({ response }) => FILE_TYPES.test(mimeTypeOf(response)));
  return new Set([...byAsker].flatMap(([asker, asked]) => (asker !== '' && isOfFiles(asked) ? [asker] : [])));
}

const addressOf = ({ url }: Entry): string => withoutHash(url);

function refererOf({ request }: Entry): string {
  return withoutHash(headerOf(headersOf(request.headers), 'referer') ?? '');
}

/** The addresses of those who asked, as far as they are written down. */
function askersOf({ fields: own }: Entry): readonly string[] {
  const { url = '', stack = [] } = initiatorOf(own) ?? {};
  return [...stack.map((frame) => frame.url), url].filter((each) => each !== '').map(withoutHash);
}

function isAnsweredByWorker({ fields: own, response }: Entry): boolean {
  return own._fetchedViaServiceWorker === true || response._fetchedViaServiceWorker === true;
}

/** Source: Service Workers, "Handle fetch of a service worker script". */
function isWorkerScript({ request }: Entry): boolean {
  const headers = headersOf(request.headers);
  return headerOf(headers, 'service-worker') === 'script' || headerOf(headers, 'sec-fetch-dest') === 'serviceworker';
}
