import { describe, expect, it } from 'vitest';
import type { BackgroundEndpoint } from '../../src/model/result.ts';
import type { BackgroundKind } from '../../src/model/verdict.ts';
import { describeEndpoints, endpointInWords } from '../../src/wording/endpoints.ts';

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

describe('an endpoint', () => {
  it.each<[BackgroundKind, string, string]>([
    ['sse', 'GET https://shop.example/api/prices', 'a “prices” stream'],
    ['sse', 'GET https://shop.example/api/v2/alerts?*', 'an “alerts” stream'],
    ['long-poll', 'GET https://shop.example/garden/chat/poll?*', 'a “chat” long poll'],
    ['poll', 'GET https://shop.example/order-status/*.json', 'an “order status” poll'],
    ['poll', 'POST https://shop.example/graphql (Ticker)', 'a “Ticker” poll'],
    ['websocket', 'GET wss://shop.example/ws', 'a socket'],
    ['http-stream', 'GET https://api.shop.example/events', 'a stream'],
    ['beacon', 'POST https://www.metrics.example/collect', 'a beacon to metrics.example'],
    ['hung', 'GET https://ads.example/x', 'a hung request to ads.example'],
    // Escapes, ids and what is no address name nothing.
    ['poll', 'GET https://shop.example/%E2%80%AE/*', 'a poll'],
    ['poll', 'GET not a url', 'a poll'],
    ['poll', `GET https://${'x'.repeat(60)}.test/`, 'a poll'],
    ['media', 'GET https://shop.example/garden/chairs/*.m4s', 'a player'],
  ])('%s %s is %s', (kind, label, words) => {
    expect(say([kind, label])).toBe(words);
  });
});

describe('several', () => {
  it('are a list in their order', () => {
    expect(say(['sse', 'GET https://shop.example/prices'], ['long-poll', 'GET https://shop.example/chat'])).toBe(
      'a “prices” stream and a “chat” long poll',
    );
  });

  it('of a kind are counted, and so is what a sentence cannot hold', () => {
    const polls = ['/a', '/b', '/c'].map((path) => ['poll', `GET https://shop.example${path}`] as const);
    expect(say(...polls)).toBe('three polls');
    expect(
      say(
        ...polls,
        ['sse', 'GET https://shop.example/x1'],
        ['beacon', 'GET https://b.example/'],
        ['hung', 'GET /'],
        ['media', 'GET /'],
      ),
    ).toBe('three polls, a “x1” stream, a beacon to b.example and two more');
  });

  it('of none are nothing', () => {
    expect(say()).toBe('');
  });
});

describe('several endpoints that are one thing', () => {
  const cache = { ...endpoint('service-worker', 'GET https://shop.example/assets/*'), endpoints: 24, requests: 24 };
  const script = endpoint('service-worker', 'GET https://shop.example/sw.js');

  it('are as many as their requests', () => {
    expect(describeEndpoints([cache], PAGE)).toBe('24 requests of the service worker');
    expect(describeEndpoints([cache, script], PAGE)).toBe('25 requests of the service worker');
    expect(describeEndpoints([{ ...script, requests: 3 }], PAGE)).not.toContain('three');
  });

  it('have their number beside their name', () => {
    expect(endpointInWords(cache)).toBe('GET https://shop.example/assets/* (24 requests)');
    expect(endpointInWords({ ...script, requests: 3 })).toBe('GET https://shop.example/sw.js');
  });
});
