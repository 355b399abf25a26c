import { describe, expect, it } from 'vitest';
import { beacon } from '../../../src/core/background/detectors/beacon.ts';
import { browserInternal } from '../../../src/core/background/detectors/browser-internal.ts';
import { installedForPage, serviceWorker } from '../../../src/core/background/detectors/service-worker.ts';
import { speculative } from '../../../src/core/background/detectors/speculative.ts';
import type { Detector } from '../../../src/model/background/verdict.ts';
import type { Request } from '../../../src/model/network/timeline.ts';
import { request, response } from '../../support/factories.ts';
import { POLICY } from '../../support/scripted.ts';

const flagged = ({ detect }: Detector, ...requests: readonly Request[]): readonly string[] =>
  detect({ requests, marks: [], observedUntil: 9_000 }, POLICY.observation, []).map(({ requestId }) => requestId);
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
    // A page may show what the headers say.
    expect(flagged(beacon, request({ type: 'fetch', method: 'HEAD', response: empty }))).toEqual([]);
    // Who asks for something may wait to hear that there is nothing.
    expect(flagged(beacon, request({ type: 'fetch', method: 'GET', response: empty }))).toEqual([]);
    expect(flagged(beacon, request({ type: 'script', method: 'POST', response: empty }))).toEqual([]);
  });

  it('a response is without a body also where nothing says so, and nothing came', () => {
    const post = { type: 'fetch', method: 'POST', response: response({ status: 202 }), contentSize: 0 } as const;
    expect(flagged(beacon, request({ ...post, bodySize: 9 }))).toHaveLength(1);
    expect(flagged(beacon, request({ ...post, bodySize: 180 }))).toEqual([]);
    expect(flagged(beacon, request({ ...post, bodySize: 0, outcome: 'canceled' }))).toEqual([]);
  });

  it('a response without a body is not, where the page waits for it to go on', () => {
    const from = (file: string, scheduledBy?: string) => ({
      initiator: {
        type: 'script',
        stack: [{ functionName: 'go', url: file, line: 1, column: 1 }],
        ...(scheduledBy && { scheduledBy }),
      } as const,
    });
    const opened = request({
      id: 'opened',
      method: 'POST',
      endedAt: 900,
      response: response({ status: 204, at: 899 }),
      ...from('a.js'),
    });
    const next = { id: 'next', url: 'https://example.com/me', startedAt: 905, endedAt: 990 };
    expect(flagged(beacon, opened)).toEqual(['opened']);
    expect(flagged(beacon, opened, request({ ...next, ...from('a.js') }))).toEqual([]);
    // Something else of the page began just then.
    expect(flagged(beacon, opened, request({ ...next, ...from('b.js') }))).toEqual(['opened']);
    expect(flagged(beacon, opened, request({ ...next, ...from('a.js', 'setInterval') }))).toEqual(['opened']);
    expect(flagged(beacon, opened, request({ ...next, startedAt: 1_400, ...from('a.js') }))).toEqual(['opened']);
    const before = request({ ...next, id: 'before', startedAt: 100, endedAt: 200 });
    expect(flagged(beacon, opened, before, request({ ...next, ...from('a.js') }))).toEqual(['opened']);
    const other = request({ id: 'other', url: 'https://example.com/x', startedAt: 100, endedAt: 903 });
    expect(flagged(beacon, opened, other, request({ ...next, ...from('a.js') }))).toEqual(['opened']);
  });

  it('a prefetch is, unless the page reads it after all', () => {
    const url = 'https://example.com/next.json';
    const ahead = request({ id: 'ahead', type: 'prefetch', url, startedAt: 100, endedAt: 900 });
    const again = { id: 'again', type: 'fetch', startedAt: 500, endedAt: 910 } as const;
    const fromCache = response({ at: 905, fromCache: 'prefetch' });
    expect(flagged(speculative, ahead)).toEqual(['ahead']);
    expect(flagged(speculative, ahead, request({ ...again, url: `${url}#top`, response: fromCache }))).toEqual([]);
    // It could not be stored: what was fetched ahead was of no use.
    expect(flagged(speculative, ahead, request({ ...again, url }))).toEqual(['ahead']);
    expect(flagged(speculative, ahead, request({ ...again, response: fromCache }))).toEqual(['ahead']);
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

  describe('that the page reads', () => {
    const url = 'https://example.com/stored.json';
    const stored = { ...own, url };
    const read = request({
      id: 'read',
      target: 'page',
      url,
      startedAt: 2_000,
      endedAt: 2_010,
      response: response({ at: 2_005, fromServiceWorker: true }),
    });

    it('is content, with what had come before it', () => {
      const before = { ...own, id: 'before', endedAt: 700, response: response({ at: 690 }) };
      expect(flagged(serviceWorker, page, before, stored, read)).toEqual([]);
      const timeline = { requests: [page, before, stored, read], marks: [], observedUntil: 9_000 };
      expect(installedForPage(timeline).map(({ id }) => id)).toEqual(['before', 'own']);
    });

    it('is not, where the page asks for something else, or the worker fetches it anew', () => {
      expect(flagged(serviceWorker, page, stored, { ...read, url: 'https://example.com/other' })).toEqual(['own']);
      const anew = { ...stored, id: 'anew', startedAt: 2_001, endedAt: 2_004, response: response({ at: 2_003 }) };
      expect(flagged(serviceWorker, page, stored, read, anew)).toEqual(['own']);
      const later = response({ at: 6_005, fromServiceWorker: true });
      const news = { ...read, startedAt: 6_000, endedAt: 6_010, response: later };
      expect(flagged(serviceWorker, page, stored, news)).toEqual(['own']);
    });
  });
});
