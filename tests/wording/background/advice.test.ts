import { describe, expect, test } from 'vitest';
import { KINDS as ALL_KINDS } from '../../../src/model/background/kinds.ts';
import type { BackgroundKind } from '../../../src/model/background/verdict.ts';
import type { BackgroundEndpoint } from '../../../src/model/result/result.ts';
import { adviceOn, kindInWords } from '../../../src/wording/background/advice.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

const KINDS = Object.keys(ALL_KINDS) as readonly BackgroundKind[];

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

const late: Parameters<typeof adviceOn>[1] = { at: 1240, withoutLoadEvent: ['https://shop.example/x'] };
const beside = { firstStartedAt: 340 };

test('advice is approved', () =>
  expectApproved(
    'wording/background-advice',
    outlined({
      ...Object.fromEntries(
        KINDS.map((kind) => {
          const { name, meaning } = kindInWords(kind);
          return [`${name} (${kind})`, [meaning, ...adviceOn(endpoint(kind), ANSWER)]];
        }),
      ),
      'a stream that began beside content': advice('sse', beside),
      'and brings content': advice('sse', { ...beside, visualImpact: 'first-content' }),
      // What was beside its content nobody knows.
      'of a page that never was complete': adviceOn(endpoint('sse', beside), undefined),
      'an endless response that holds up the load event': advice('http-stream', {}, late),
      'a hung request that holds up the load event': advice('hung', {}, late),
      'a poll every second, in half a minute, and at once': [1002, 30_000, 0].map((period) =>
        advice('poll', { period }),
      ),
      'a beacon that may be another thing': advice('beacon', { confidence: 'likely' }),
      'many beacons': advice('beacon', { requests: 1200 }),
      'a poll that the user wants counted': advice('poll', {
        excluded: false,
        overruling: { code: 'foreground', pattern: '/x' },
      }),
      'a poll that is seen': advice('poll', { excluded: false, overruledBy: 'the page looks different without it' }),
    }),
  ));

test('a kind of a later version is named as it is', () => {
  const later = endpoint('quantum-poll' as BackgroundKind);
  expect(kindInWords(later.kind)).toEqual({ name: 'quantum-poll', meaning: '' });
  expect(adviceOn(later, ANSWER)).toEqual(adviceOn(endpoint('browser-internal'), ANSWER));
});
