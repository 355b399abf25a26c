import type { BackgroundKind } from '../../model/background/verdict.ts';
import type { BackgroundEndpoint, PageCompleteResult } from '../../model/result/result.ts';
import { formatCount, formatValue } from '../text/format.ts';

/** A kind of background traffic, for readers who have never heard of it. */
export interface KindInWords {
  /** "long poll". */
  readonly name: string;
  /** One plain sentence. */
  readonly meaning: string;
}

/** What counts besides the endpoint itself: the answer that it was left out of. */
type Answer = Pick<PageCompleteResult, 'at' | 'withoutLoadEvent'>;

interface Kind extends KindInWords {
  /** As one would say it in a sentence of one endpoint and of several. */
  readonly nouns: readonly [one: string, several: string];
  /** What an engineer can do about one endpoint of the kind; a sentence each. */
  advise(endpoint: BackgroundEndpoint, answer: Answer | undefined): readonly (string | undefined)[];
}

/** Asked again faster than this, every open page is felt by the server, ms. Source: judgement; six questions a minute. */
const OFTEN = 10_000;
const HOUR = 3_600_000;
/** Reports beyond this number could have been one. Source: judgement. */
const MANY_REPORTS = 5;

const FIRST_CONTENT =
  'Its first data is content. Send that data with the page itself, so that users do not wait for a second connection.';
const CONNECTION =
  'Serve it over HTTP/2 or later: with HTTP/1.1, it occupies one of the six connections to its server.';
const CLOSE_ON_LEAVING =
  'Close it on pagehide: an open connection can keep the page out of the browser’s back/forward cache.';

const KINDS: Readonly<Record<BackgroundKind, Kind>> = {
  poll: {
    name: 'poll',
    nouns: ['poll', 'polls'],
    meaning: 'The page repeats the same request on a timer, to check for new data.',
    advise: (endpoint, answer) => [firstContent(endpoint), startLater(endpoint, answer), askLess(endpoint)],
  },
  'long-poll': {
    name: 'long poll',
    nouns: ['long poll', 'long polls'],
    meaning:
      'Also called Comet. The page sends a request, the server responds only when it has new data, and the page sends the next request at once.',
    advise: (endpoint, answer) => [
      firstContent(endpoint),
      startLater(endpoint, answer),
      'Server-sent events or a WebSocket deliver the same data over one connection, without a new request each time.',
      endpoint.stillOpen ? CONNECTION : undefined,
    ],
  },
  sse: {
    name: 'event stream',
    nouns: ['stream', 'streams'],
    meaning: 'Server-sent events: one response that never ends, in which the server sends new data as it arrives.',
    advise: (endpoint, answer) => [firstContent(endpoint), startLater(endpoint, answer), CONNECTION],
  },
  'http-stream': {
    name: 'endless response',
    nouns: ['stream', 'streams'],
    meaning: 'An ordinary request whose response stays open: the server keeps sending data, or never ends it.',
    advise: (endpoint, answer) => [
      firstContent(endpoint),
      startLater(endpoint, answer),
      'If it is meant to stream, use server-sent events, which reconnect by themselves. If not, make the server end the response, or clients wait for it forever.',
    ],
  },
  websocket: {
    name: 'WebSocket',
    nouns: ['socket', 'sockets'],
    meaning: 'A connection that stays open as long as the page does, and on which both sides can send at any time.',
    advise: (endpoint, answer) => [firstContent(endpoint), startLater(endpoint, answer), CLOSE_ON_LEAVING],
  },
  webtransport: {
    name: 'WebTransport',
    nouns: ['WebTransport session', 'WebTransport sessions'],
    meaning: 'A connection over HTTP/3 that stays open as long as the page does, and on which both sides can send.',
    advise: (endpoint, answer) => [firstContent(endpoint), startLater(endpoint, answer), CLOSE_ON_LEAVING],
  },
  reconnect: {
    name: 'failing connection',
    nouns: ['failing connection', 'failing connections'],
    meaning: 'A request that always fails, and that the page repeats endlessly.',
    advise: ({ period }) => [
      'Find out why it fails (the error is shown with the requests), then fix or remove it.',
      `Wait longer after each failure, and give up at some point${period === undefined ? '' : `. Now it is repeated every ${formatValue(period, 'ms')}`}.`,
    ],
  },
  beacon: {
    name: 'beacon',
    nouns: ['beacon', 'beacons'],
    meaning: 'A report that the page sends, for example about its use. Nothing waits for the response.',
    advise: (endpoint, answer) => [
      endpoint.confidence === 'certain'
        ? undefined
        : 'Send it with navigator.sendBeacon, which has a lower priority than content and also works when the user leaves the page.',
      before(endpoint, answer) ? 'Send it after page complete, so that it does not compete with content.' : undefined,
      endpoint.requests > MANY_REPORTS
        ? `Send several reports in one request: this page sent ${formatCount(endpoint.requests, 'request')}.`
        : undefined,
    ],
  },
  speculative: {
    name: 'prefetch',
    nouns: ['prefetch', 'prefetches'],
    meaning: 'Fetched for a page that the user may open next. This page does not need it.',
    advise: (endpoint, answer) => [
      before(endpoint, answer)
        ? 'Request it after page complete: until then, it takes bandwidth from content.'
        : undefined,
      'Keep the list short: users who do not open that page download it for nothing.',
    ],
  },
  media: {
    name: 'player',
    nouns: ['player', 'players'],
    meaning: 'Audio or video: a player keeps downloading while it plays.',
    advise: () => [
      'If it does not need to start by itself, set preload="none" or "metadata" and a poster. Then it is downloaded only when a user plays it.',
    ],
  },
  'browser-internal': {
    name: 'the browser’s own',
    nouns: ['request of the browser itself', 'requests of the browser itself'],
    meaning: 'The browser fetched it for itself, for example the icon of the tab. It does not change the page.',
    advise: () => [],
  },
  'service-worker': {
    name: 'service worker’s cache',
    nouns: ['request of the service worker', 'requests of the service worker'],
    meaning: 'The service worker fetched it for its own cache, for later visits. Nothing on this page waited for it.',
    advise: (endpoint, answer) => [
      before(endpoint, answer)
        ? 'Register the service worker after the load event, so that filling its cache does not compete with content.'
        : undefined,
    ],
  },
  'no-effect': {
    name: 'without effect',
    nouns: ['request without effect', 'requests without effect'],
    meaning: 'Quiesce loaded the page without it: the screenshot and the document were the same.',
    advise: (endpoint, answer) => [
      before(endpoint, answer) ? 'Send it after page complete, so that it does not compete with content.' : undefined,
      'If it is a report, navigator.sendBeacon sends it with a low priority, and also when the user leaves the page.',
    ],
  },
  hung: {
    name: 'hung request',
    nouns: ['hung request', 'hung requests'],
    meaning: 'A request without a response, or with only a part of one, that nothing on the page waits for.',
    advise: (endpoint, answer) => [
      holdsLoad(endpoint, answer)
        ? 'It delays the load event. Fetch it from a script after the load event, or load it lazily.'
        : undefined,
      'Find out why its server does not respond, and set a timeout in the page (AbortSignal.timeout).',
    ],
  },
  user: {
    name: 'named by you',
    nouns: ['request named by hand', 'requests named by hand'],
    meaning: 'You marked it as background with --background.',
    advise: () => ['Check from time to time that the page still does not need it.'],
  },
};

/** A kind in words; what a later version stored is named as it is. */
export function kindInWords(kind: BackgroundKind): KindInWords {
  return KINDS[kind] ?? { name: kind, meaning: '' };
}

/** A kind as one would say it of one endpoint and of several; one that a later version stored is traffic all the same. */
export function nounsOf(kind: BackgroundKind): Kind['nouns'] {
  return KINDS[kind]?.nouns ?? ['background request', 'background requests'];
}

/** What an engineer can do about an endpoint, a sentence each; at least one. */
export function adviceOn(endpoint: BackgroundEndpoint, answer: Answer | undefined): readonly string[] {
  if (!endpoint.excluded) {
    return [
      endpoint.overruling?.code === 'foreground'
        ? 'It counts because you marked it with --foreground. If it is slow, the page is slow: treat it like any other content.'
        : 'The page shows its data, so it counts. Send its first content with the page, or make the server respond sooner.',
    ];
  }
  const advice = KINDS[endpoint.kind]?.advise(endpoint, answer).filter((sentence) => sentence !== undefined) ?? [];
  return advice.length > 0 ? advice : ['Nothing to do.'];
}

const before = ({ firstStartedAt }: BackgroundEndpoint, answer: Answer | undefined): boolean =>
  answer?.at !== undefined && firstStartedAt < answer.at;

const holdsLoad = ({ urls }: BackgroundEndpoint, answer: Answer | undefined): boolean =>
  urls.some((url) => answer?.withoutLoadEvent?.includes(url) === true);

const firstContent = ({ visualImpact }: BackgroundEndpoint): string | undefined =>
  visualImpact === 'first-content' ? FIRST_CONTENT : undefined;

/** Of what brings content first nobody would want that it begins later. */
function startLater(endpoint: BackgroundEndpoint, answer: Answer | undefined): string | undefined {
  if (holdsLoad(endpoint, answer)) return 'Start it after the load event, which it now delays.';
  if (endpoint.visualImpact === 'first-content' || !before(endpoint, answer)) return undefined;
  return `Start it after page complete: it started at ${formatValue(endpoint.firstStartedAt, 'ms')}, together with content.`;
}

function askLess({ period }: BackgroundEndpoint): string {
  if (period === undefined || period >= OFTEN || period <= 0)
    return 'Pause it while the page is hidden (visibilitychange).';
  // More than two figures would claim to know the timer better than its jitter lets one.
  const often = formatCount(Number((HOUR / period).toPrecision(2)), 'time');
  return `Send it less often, pause it while the page is hidden, or let the server push (server-sent events). Each open page sends it about ${often} per hour.`;
}
