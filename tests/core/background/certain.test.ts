import { describe, expect, it } from 'vitest';
import { beacon } from '../../../src/core/background/beacon.ts';
import { browserInternal } from '../../../src/core/background/browser-internal.ts';
import { serviceWorker } from '../../../src/core/background/service-worker.ts';
import { speculative } from '../../../src/core/background/speculative.ts';
import type { Request } from '../../../src/model/timeline.ts';
import type { Detector } from '../../../src/model/verdict.ts';
import { request, response } from '../../support/factories.ts';
import { POLICY } from '../../support/scripted.ts';

const flagged = ({ detect }: Detector, ...requests: readonly Request[]): readonly string[] =>
  detect({ requests, marks: [], observedUntil: 9_000 }, POLICY.observation).map(({ requestId }) => requestId);
const header = (name: string, value = '1') => ({ requestHeaders: [{ name, value }] });

describe('what is certain without a proof', () => {
  it.each([
    ['Purpose', 'prefetch', true],
    ['Sec-Purpose', 'prefetch;prerender', true],
    ['Next-Router-Prefetch', '1', true],
    ['HX-Preloaded', 'true', true],
    ['Next-Router-Prefetch', '0', false],
    ['RSC', '1', false],
  ])('the header %s: %s says prefetch: %s', (name, value, says) => {
    expect(flagged(speculative, request({ type: 'fetch', ...header(name, value) }))).toHaveLength(says ? 1 : 0);
  });

  it('a response without a body is, whoever asked and whenever', () => {
    const none = response({ status: 204 });
    const empty = response({ status: 202, headers: [{ name: 'Content-Length', value: '0' }] });
    expect(flagged(beacon, request({ type: 'image', initiator: { type: 'parser' }, response: none }))).toHaveLength(1);
    expect(flagged(beacon, request({ type: 'fetch', outcome: 'canceled', response: none }))).toHaveLength(1);
    expect(flagged(beacon, request({ type: 'fetch', method: 'POST', response: empty }))).toHaveLength(1);
    // Who asks for something may wait to hear that there is nothing.
    expect(flagged(beacon, request({ type: 'fetch', method: 'GET', response: empty }))).toEqual([]);
    expect(flagged(beacon, request({ type: 'script', method: 'POST', response: empty }))).toEqual([]);
  });

  it('a dictionary is, unless the page uses it itself', () => {
    const dictionary = response({ headers: [{ name: 'Use-As-Dictionary', value: 'match="/*"' }] });
    const byLink = { initiator: { type: 'parser' }, response: dictionary } as const;
    expect(flagged(browserInternal, request({ type: 'other', ...byLink }))).toHaveLength(1);
    expect(flagged(browserInternal, request({ type: 'script', ...byLink }))).toEqual([]);
  });
});

describe("a service worker's own cache", () => {
  const page = request({ id: 'page', target: 'page', startedAt: 100, endedAt: 300, response: response({ at: 290 }) });
  const own = request({
    id: 'own',
    target: 'service-worker',
    startedAt: 500,
    endedAt: 900,
    response: response({ at: 880 }),
  });

  it('is what nothing of the page waits for', () => {
    expect(flagged(serviceWorker, page, own)).toEqual(['own']);
  });

  it('is not what a request of the page is answered with', () => {
    const through = response({ at: 890, fromServiceWorker: true });
    const asked = request({ id: 'asked', target: 'page', startedAt: 490, endedAt: 910, response: through });
    expect(flagged(serviceWorker, page, asked, own)).toEqual([]);
    // Answered from the cache, it did not wait for the copy that is renewed.
    const early = { ...asked, endedAt: 520, response: response({ at: 510, fromServiceWorker: true }) };
    expect(flagged(serviceWorker, page, early, own)).toEqual(['own']);
  });

  it('is not what the page waited for to ask through it', () => {
    const through = response({ at: 1_200, fromServiceWorker: true });
    const next = request({ id: 'next', target: 'page', startedAt: 950, endedAt: 1_210, response: through });
    expect(flagged(serviceWorker, page, own, next)).toEqual([]);
  });
});
