import { siteOf } from '../../core/requests/site.ts';
import type { BackgroundEndpoint } from '../../model/result/result.ts';
import { nounsOf } from '../background/advice.ts';
import { formatCount, joined } from '../text/format.ts';

const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** Groups that a sentence can hold. */
const MOST_GROUPS = 3;

/** What a path can hold and still be read: letters first, no escapes, no ids. */
const WORD = /^[a-z][\w.-]{1,23}$/i;
/** Parts of paths that say how something is served, not what it is. */
const SAYS_NOTHING = new RegExp(
  `^(?:${[
    'api|rest|rpc|ajax|graphql|gql|json|xhr|services?|public|static|index|query|get|fetch|v\\d+',
    'long-?poll(?:ing)?|poll(?:ing)?|events?|event-?source|streams?|streaming|sse|wss?|web-?sockets?|sockets?|socket\\.io|sockjs|hub|cable',
    'live|realtime|push|subscribe|connect|updates?|beacons?|collect|track|ping|logs?|pixel',
  ].join('|')})$`,
  'i',
);

/**
 * Background endpoints as a person would name them in a sentence, without addresses: 'a “prices” stream, three polls and
 * a beacon to metrics.example'. They keep their order; those of one kind are counted. The page's own address decides who
 * is a stranger.
 */
export function describeEndpoints(endpoints: readonly BackgroundEndpoint[], pageUrl: string): string {
  const groups = [...Map.groupBy(endpoints, ({ kind }) => nounsOf(kind)[0]).values()];
  const named = groups.map((group) => {
    const [first] = group;
    if (first === undefined) return '';
    const count = countOf(group);
    return count === 1 ? oneOf(first, pageUrl) : `${number(count)} ${nounsOf(first.kind)[1]}`;
  });
  const left = countOf(groups.slice(MOST_GROUPS).flat());
  const parts = left === 0 ? named : [...named.slice(0, MOST_GROUPS), `${number(left)} more`];
  return joined(parts);
}

/** How many things: an endpoint is one, whatever the number of its requests, and of several that are listed as one each request. */
export function countOf(endpoints: readonly BackgroundEndpoint[]): number {
  return endpoints.reduce((sum, { endpoints: several, requests }) => sum + (several === undefined ? 1 : requests), 0);
}

/** An endpoint as a table without a column for its requests names it; of several, how many requests they are. */
export function endpointInWords({ endpoint, endpoints, requests }: BackgroundEndpoint): string {
  return endpoints === undefined ? endpoint : `${endpoint} (${formatCount(requests, 'request')})`;
}

function oneOf({ kind, endpoint }: BackgroundEndpoint, pageUrl: string): string {
  const [noun] = nounsOf(kind);
  const { url, operation } = partsOf(endpoint);
  if (url === undefined) return withArticle(noun);
  if (siteOf(url.href) !== siteOf(pageUrl)) {
    const host = url.hostname.replace(/^www\./, '');
    return /^[\w.-]{1,40}$/.test(host) ? `${withArticle(noun)} to ${host}` : withArticle(noun);
  }
  const name = operation ?? tellingPart(url.pathname, pageUrl);
  return name === undefined ? withArticle(noun) : `${withArticle(name, '“')}” ${noun}`;
}

/** "GET https://shop.example/graphql?* (Ticker)" as an address and an operation. */
function partsOf(label: string): { readonly url?: URL; readonly operation?: string } {
  const parts = /^[A-Z]+ (\S+)(?: \((\S+)\))?$/i.exec(label);
  const address = parts?.[1];
  if (address === undefined || !URL.canParse(address)) return {};
  const operation = parts?.[2];
  return { url: new URL(address), ...(operation !== undefined && WORD.test(operation) && { operation }) };
}

/** The last part of a path that says what is asked for, and that the page's own path does not have. */
function tellingPart(path: string, pageUrl: string): string | undefined {
  const own = URL.canParse(pageUrl) ? new URL(pageUrl).pathname.split('/') : [];
  const segments = path.split('/').filter((segment) => !own.includes(segment));
  return segments
    .map((segment) => segment.replace(/\.\w{1,5}$/, ''))
    .findLast(isTelling)
    ?.replace(/[-_]+/g, ' ');
}

const isTelling = (segment: string): boolean => WORD.test(segment) && !SAYS_NOTHING.test(segment);

/** "a poll", "an “alerts” stream". */
const withArticle = (words: string, quote = ''): string =>
  `${/^(?:[aeio]|un(?!i)|um|up)/i.test(words) ? 'an' : 'a'} ${quote}${words}`;

const number = (n: number): string => NUMBERS[n] ?? String(n);
