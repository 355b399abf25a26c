import type { BackgroundEndpoint, PageCompleteResult } from '../model/result.ts';
import type { BackgroundKind } from '../model/verdict.ts';
import { formatCount, formatValue } from './format.ts';

/** A kind of background traffic, for somebody who has never heard of it. */
export interface KindInWords {
  /** "long poll". */
  readonly name: string;
  /** One plain sentence. */
  readonly meaning: string;
}

/** What counts besides the endpoint itself: the answer that it was left out of. */
type Answer = Pick<PageCompleteResult, 'at' | 'withoutLoadEvent'>;

interface Kind extends KindInWords {
  /** What an engineer can do about one endpoint of the kind; a sentence each. */
  advise(endpoint: BackgroundEndpoint, answer: Answer | undefined): readonly (string | undefined)[];
}

/** Asked again faster than this, every open page is felt by the server, ms. Source: judgement; six questions a minute. */
const OFTEN = 10_000;
const HOUR = 3_600_000;
/** Reports beyond this number could have been one. Source: judgement. */
const MANY_REPORTS = 5;

const FIRST_CONTENT =
  'What it brings first is content: send that with the page itself, so that nobody waits for a second connection.';
const CONNECTION = 'Serve it over HTTP/2 or later: with HTTP/1.1 it holds one of the six connections to its server.';
const CLOSE_ON_LEAVING =
  'Close it on pagehide: an open connection can keep the page out of the browser’s back/forward cache.';

const KINDS: Readonly<Record<BackgroundKind, Kind>> = {
  poll: {
    name: 'poll',
    meaning: 'The page asks the server the same question again and again, by a timer, to see whether there is news.',
    advise: (endpoint, answer) => [firstContent(endpoint), startLater(endpoint, answer), askLess(endpoint)],
  },
  'long-poll': {
    name: 'long poll',
    meaning:
      'Also called Comet: the page asks, the server keeps the answer back until there is news, and the page asks again at once.',
    advise: (endpoint, answer) => [
      firstContent(endpoint),
      startLater(endpoint, answer),
      'Server-sent events or a WebSocket bring the same news over one connection, without a new request for each.',
      endpoint.stillOpen ? CONNECTION : undefined,
    ],
  },
  sse: {
    name: 'event stream',
    meaning: 'Server-sent events: one answer that never ends, into which the server writes news as they happen.',
    advise: (endpoint, answer) => [firstContent(endpoint), startLater(endpoint, answer), CONNECTION],
  },
  'http-stream': {
    name: 'endless answer',
    meaning: 'An ordinary request whose answer the server keeps open and goes on writing, or never ends.',
    advise: (endpoint, answer) => [
      firstContent(endpoint),
      startLater(endpoint, answer),
      'If it is meant to stream, server-sent events come back by themselves after a break. If it is not, let the server end the answer: whoever waits for it waits for ever.',
    ],
  },
  websocket: {
    name: 'WebSocket',
    meaning: 'A connection that stays open as long as the page does, and on which both sides speak when they like.',
    advise: (endpoint, answer) => [firstContent(endpoint), startLater(endpoint, answer), CLOSE_ON_LEAVING],
  },
  webtransport: {
    name: 'WebTransport',
    meaning: 'A connection over HTTP/3 that stays open as long as the page does, and on which both sides speak.',
    advise: (endpoint, answer) => [firstContent(endpoint), startLater(endpoint, answer), CLOSE_ON_LEAVING],
  },
  reconnect: {
    name: 'failing connection',
    meaning: 'Something that fails whenever it is tried, and that the page tries again without an end.',
    advise: ({ period }) => [
      'Find out why it fails (what was seen names the error), then mend it or take it out.',
      `Wait longer after every failure, and give up in the end${period === undefined ? '' : `: now it comes back every ${formatValue(period, 'ms')}`}.`,
    ],
  },
  beacon: {
    name: 'beacon',
    meaning: 'A report that the page sends, of how it is used for example; nobody waits for an answer.',
    advise: (endpoint, answer) => [
      endpoint.confidence === 'certain'
        ? undefined
        : 'Send it with navigator.sendBeacon, which yields to content and survives when the page is left.',
      before(endpoint, answer)
        ? 'Send it when the page is complete, so that it takes nothing from content.'
        : undefined,
      endpoint.requests > MANY_REPORTS
        ? `Gather reports and send them together: these were ${formatCount(endpoint.requests, 'request')}.`
        : undefined,
    ],
  },
  speculative: {
    name: 'prefetch',
    meaning: 'Fetched ahead for a page that the visitor may go to next; this page does not need it.',
    advise: (endpoint, answer) => [
      before(endpoint, answer)
        ? 'Ask for it when the page is complete: until then it takes bandwidth from content.'
        : undefined,
      'Keep the list short: a visitor who goes elsewhere has paid for it.',
    ],
  },
  media: {
    name: 'player',
    meaning: 'Sound or video: a player goes on fetching while it plays.',
    advise: () => [
      'If it need not play by itself, set preload="none" or "metadata" and a poster: then it is fetched when somebody plays it.',
    ],
  },
  'browser-internal': {
    name: 'the browser’s own',
    meaning: 'The browser fetched it for itself, the icon of the tab for example; no page changes by it.',
    advise: () => [],
  },
  hung: {
    name: 'hung request',
    meaning: 'A request that got no answer, or only half of one, and that nothing on the page waits for.',
    advise: (endpoint, answer) => [
      holdsLoad(endpoint, answer)
        ? 'It keeps the load event from firing: fetch it from a script after the load event, or make it lazy.'
        : undefined,
      'Find out why its server does not answer, and set a limit on the page’s side (AbortSignal.timeout).',
    ],
  },
  user: {
    name: 'named by you',
    meaning: 'You said that it is background (--background); nothing else decided that.',
    advise: () => ['Look from time to time whether the page still does without it.'],
  },
};

/** A kind in words; what a later version stored is named as it is. */
export function kindInWords(kind: BackgroundKind): KindInWords {
  return KINDS[kind] ?? { name: kind, meaning: '' };
}

/** What an engineer can do about an endpoint, a sentence each; at least one. */
export function adviceOn(endpoint: BackgroundEndpoint, answer: Answer | undefined): readonly string[] {
  if (!endpoint.excluded) {
    return [
      endpoint.overruledBy?.startsWith('--')
        ? 'It counts because you said so. If it is slow, the page is slow: mend it as you would any other content.'
        : 'The page shows what it brings, so it counts: send its first content with the page, or answer sooner.',
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
  if (holdsLoad(endpoint, answer)) return 'Start it after the load event, which it now holds up.';
  if (endpoint.visualImpact === 'first-content' || !before(endpoint, answer)) return undefined;
  return `Start it when the page is complete: it began at ${formatValue(endpoint.firstStartedAt, 'ms')}, beside content.`;
}

function askLess({ period }: BackgroundEndpoint): string {
  if (period === undefined || period >= OFTEN || period <= 0)
    return 'Pause it while the page is hidden (visibilitychange).';
  // More than two figures would claim to know the timer better than its jitter lets one.
  const often = formatCount(Number((HOUR / period).toPrecision(2)), 'time');
  return `Ask less often, pause while the page is hidden, or let the server push (server-sent events): every open page asks about ${often} an hour.`;
}
