import { it } from 'vitest';
import type { BackgroundKind } from '../../../src/model/background/verdict.ts';
import type { BackgroundEndpoint } from '../../../src/model/result/result.ts';
import { describeEndpoints, endpointInWords } from '../../../src/wording/completion/endpoints.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

const PAGE = 'https://www.shop.example/garden/chairs';

const endpoint = (kind: BackgroundKind, label: string): BackgroundEndpoint => ({
  kind,
  endpoint: label,
  urls: [],
  requests: 1,
  firstStartedAt: 0,
  lastActivityAt: 0,
  stillOpen: true,
  because: '',
  confidence: 'certain',
  excluded: true,
  visualImpact: 'unknown',
});
const say = (...all: readonly (readonly [BackgroundKind, string])[]): string =>
  describeEndpoints(
    all.map((each) => endpoint(...each)),
    PAGE,
  );

const SHOP = 'https://shop.example';
const polls = ['/a', '/b', '/c'].map((path) => ['poll', `GET ${SHOP}${path}`] as const);
const cache = { ...endpoint('service-worker', `GET ${SHOP}/assets/*`), endpoints: 24, requests: 24 };
const script = endpoint('service-worker', `GET ${SHOP}/sw.js`);
const ONE: readonly (readonly [BackgroundKind, string])[] = [
  ['sse', `GET ${SHOP}/api/prices`],
  ['sse', `GET ${SHOP}/api/v2/alerts?*`],
  ['long-poll', `GET ${SHOP}/garden/chat/poll?*`],
  ['poll', `GET ${SHOP}/order-status/*.json`],
  ['poll', `POST ${SHOP}/graphql (Ticker)`],
  ['websocket', 'GET wss://shop.example/ws'],
  ['http-stream', 'GET https://api.shop.example/events'],
  ['beacon', 'POST https://www.metrics.example/collect'],
  ['hung', 'GET https://ads.example/x'],
  // Escapes, ids and what is no address name nothing.
  ['poll', `GET ${SHOP}/%E2%80%AE/*`],
  ['poll', 'GET not a url'],
  ['poll', `GET https://${'x'.repeat(60)}.test/`],
  ['media', `GET ${SHOP}/garden/chairs/*.m4s`],
];

it('what endpoints are called is approved', () =>
  expectApproved(
    'wording/endpoints',
    outlined({
      ...Object.fromEntries(ONE.map(([kind, label]) => [`${kind} ${label}`, say([kind, label])])),
      'several, in their order': say(['sse', `GET ${SHOP}/prices`], ['long-poll', `GET ${SHOP}/chat`]),
      'several of a kind': say(...polls),
      'more than a sentence can hold': say(
        ...polls,
        ['sse', `GET ${SHOP}/x1`],
        ['beacon', 'GET https://b.example/'],
        ['hung', 'GET /'],
        ['media', 'GET /'],
      ),
      none: say(),
      'several that are one thing': [
        describeEndpoints([cache], PAGE),
        describeEndpoints([cache, script], PAGE),
        describeEndpoints([{ ...script, requests: 3 }], PAGE),
      ],
      'their number beside their name': [endpointInWords(cache), endpointInWords({ ...script, requests: 3 })],
    }),
  ));
