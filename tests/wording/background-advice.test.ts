import { describe, expect, test } from 'vitest';
import type { BackgroundEndpoint } from '../../src/model/result.ts';
import type { BackgroundKind } from '../../src/model/verdict.ts';
import { adviceOn, kindInWords } from '../../src/wording/background-advice.ts';

const KINDS: readonly BackgroundKind[] = [
  'websocket',
  'webtransport',
  'sse',
  'http-stream',
  'long-poll',
  'poll',
  'reconnect',
  'beacon',
  'speculative',
  'media',
  'browser-internal',
  'hung',
  'user',
];

const endpoint = (kind: BackgroundKind, more: Partial<BackgroundEndpoint> = {}): BackgroundEndpoint => ({
  kind,
  endpoint: 'GET https://shop.example/x',
  urls: ['https://shop.example/x'],
  requests: 3,
  firstStartedAt: 2000,
  lastActivityAt: 9000,
  stillOpen: false,
  because: '',
  confidence: 'certain',
  excluded: true,
  visualImpact: 'none',
  ...more,
});
const ANSWER = { at: 1240 };
const advice = (
  kind: BackgroundKind,
  more: Partial<BackgroundEndpoint> = {},
  answer: Parameters<typeof adviceOn>[1] = ANSWER,
) => adviceOn(endpoint(kind, more), answer).join(' ');

describe.each(KINDS)('%s', (kind) => {
  test('is explained and advised on in whole sentences', () => {
    const { name, meaning } = kindInWords(kind);
    expect(name.length).toBeGreaterThan(3);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    for (const firstStartedAt of [10, 2000])
      for (const visualImpact of ['none', 'first-content', 'continuous', 'unknown'] as const)
        for (const sentence of adviceOn(endpoint(kind, { firstStartedAt, visualImpact }), ANSWER))
          expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});

test('what began beside content is to begin later, unless it brings content', () => {
  expect(advice('sse', { firstStartedAt: 340 })).toMatch(/^Start it after page complete: it started at 340 ms/);
  expect(advice('sse')).not.toContain('Start it');
  expect(advice('sse', { firstStartedAt: 340, visualImpact: 'first-content' })).toMatch(/^Its first data is content/);
  expect(advice('sse', { firstStartedAt: 340, visualImpact: 'first-content' })).not.toContain('Start it');
  // Of a page that never was complete nobody knows what was beside its content.
  expect(adviceOn(endpoint('sse', { firstStartedAt: 340 }), undefined).join(' ')).not.toContain('Start it');
});

test('what holds up the load event is told so', () => {
  const answer = { at: 1240, withoutLoadEvent: ['https://shop.example/x'] };
  expect(advice('http-stream', {}, answer)).toContain('Start it after the load event, which it now delays.');
  expect(advice('hung', {}, answer)).toMatch(/^It delays the load event/);
  expect(advice('hung')).not.toContain('load event');
});

test('a poll is told how often it asks, where it does so often', () => {
  expect(advice('poll', { period: 1002 })).toContain('Each open page sends it about 3,600 times per hour');
  expect(advice('poll', { period: 30_000 })).toBe('Pause it while the page is hidden (visibilitychange).');
  expect(advice('poll')).toBe('Pause it while the page is hidden (visibilitychange).');
  expect(advice('poll', { period: 0 })).not.toContain('∞');
});

test('reports that go out aside and late need nothing', () => {
  expect(advice('beacon')).toBe('Nothing to do.');
  expect(advice('beacon', { confidence: 'likely' })).toContain('navigator.sendBeacon');
  expect(advice('beacon', { requests: 1200 })).toContain('this page sent 1,200 requests');
  expect(advice('browser-internal')).toBe('Nothing to do.');
});

test('what counts all the same is content, and advised on as such', () => {
  expect(advice('poll', { excluded: false, overruling: { code: 'foreground', pattern: '/x' } })).toContain(
    'because you marked it with --foreground',
  );
  expect(advice('poll', { excluded: false, overruledBy: 'the page looks different without it' })).toContain(
    'The page shows its data',
  );
});

test('a kind of a later version is named as it is', () => {
  const later = endpoint('quantum-poll' as BackgroundKind);
  expect(kindInWords(later.kind)).toEqual({ name: 'quantum-poll', meaning: '' });
  expect(adviceOn(later, ANSWER)).toEqual(['Nothing to do.']);
});
