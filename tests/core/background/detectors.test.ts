import { describe, expect, it } from 'vitest';
import { HUNG_AFTER_MS } from '../../../src/core/background/hung.ts';
import { classify, detectors, type Overrides } from '../../../src/core/background/index.ts';
import type { Script, Scripted } from '../../scripted.ts';
import { page, timelineOf } from '../../scripted.ts';

const NOTHING: Overrides = { background: [], foreground: [] };
/** Kind by path of what is flagged, with how many requests. */
const flagged = (script: Script, overrides = NOTHING) => {
  const timeline = timelineOf(script);
  const verdicts = classify(timeline, overrides);
  const found: Record<string, string> = {};
  for (const request of timeline.requests) {
    const verdict = verdicts.get(request.id);
    const path = new URL(request.url).pathname;
    if (verdict) found[path] = `${verdict.kind} ${Number(found[path]?.split(' ')[1] ?? 0) + 1}`;
  }
  return found;
};
const every = (ms: number, times: number, make: (from: number) => Scripted, from = 500): readonly Scripted[] =>
  Array.from({ length: times }, (_, i) => make(from + i * ms));

describe('the list of detectors', () => {
  it('has unique names', () => {
    expect(new Set(detectors.map((each) => each.name)).size).toBe(detectors.length);
  });

  it.each(detectors)('$name finds nothing in an empty timeline and in a plain page', (detector) => {
    expect(detector.detect({ requests: [], marks: [], observedUntil: 0 })).toEqual([]);
    expect(
      detector.detect(
        timelineOf({ requests: page({ path: '/a', from: 50, to: 90, initiator: 'parser' }), until: 4_000 }),
      ),
    ).toEqual([]);
  });

  it.each(detectors)(
    '$name leaves the timeline alone, says why, and speaks only of requests that exist',
    (detector) => {
      const timeline = timelineOf({
        requests: page(
          { path: '/ws', from: 10, type: 'websocket' },
          { path: '/sse', from: 10, type: 'eventsource' },
          { path: '/hung', from: 10, unanswered: true },
          ...every(1_000, 24, (from) => ({ path: '/poll', from, to: from + 20 })),
          { path: '/ping', from: 90, to: 99, type: 'ping', method: 'POST' },
          { path: '/next', from: 90, to: 99, type: 'prefetch' },
          { path: '/favicon.ico', from: 90, to: 99, type: 'other', initiator: 'other' },
        ),
        until: 24_000,
      });
      const before = structuredClone(timeline);
      const ids = new Set(timeline.requests.map((request) => request.id));
      for (const verdict of detector.detect(timeline)) {
        expect(ids).toContain(verdict.requestId);
        expect(verdict.because).not.toBe('');
      }
      expect(timeline).toEqual(before);
    },
  );
});

describe('background', () => {
  it('knows sockets and event streams', () => {
    const requests = page(
      { path: '/ws', from: 10, type: 'websocket' },
      { path: '/wt', from: 10, type: 'webtransport' },
      { path: '/es', from: 10, type: 'eventsource' },
      { path: '/fetched', from: 10, mimeType: 'text/event-stream', pieces: [20, 40] },
    );
    expect(flagged({ requests, until: 3_000 })).toEqual({
      '/ws': 'websocket 1',
      '/wt': 'webtransport 1',
      '/es': 'sse 1',
      '/fetched': 'sse 1',
    });
  });

  it('knows a steady poll, and keeps its first answer', () => {
    const requests = page(...every(1_000, 4, (from) => ({ path: `/stock?t=${from}`, from, to: from + 30 })));
    expect(flagged({ requests, until: 3_900 })).toEqual({ '/stock': 'poll 3' });
  });

  it('knows a jittered poll', () => {
    const jitter = [0, 1_080, 1_950, 3_110, 3_990];
    const requests = page(...jitter.map((at) => ({ path: '/stock', from: 500 + at, to: 530 + at })));
    expect(flagged({ requests, until: 5_000 })).toEqual({ '/stock': 'poll 4' });
  });

  it('knows a long poll, the first one too', () => {
    const requests = page(
      { path: '/chat?since=0', from: 300, to: 2_800 },
      { path: '/chat?since=1', from: 2_850, to: 5_300 },
      { path: '/chat?since=2', from: 5_340 },
    );
    expect(flagged({ requests, until: 5_400 })).toEqual({ '/chat': 'long-poll 3' });
  });

  it('knows beacons, prefetches and the icon of the tab', () => {
    const requests = page(
      { path: '/ping', from: 90, to: 99, type: 'ping', method: 'POST' },
      { path: '/csp', from: 90, to: 99, type: 'csp-violation-report', method: 'POST' },
      { path: '/pixel', from: 90, to: 99, type: 'image', pieces: [95] },
      { path: '/collect', from: 90, to: 99, status: 204 },
      { path: '/next', from: 90, to: 99, type: 'prefetch' },
      { path: '/favicon.ico', from: 90, to: 99, type: 'other', initiator: 'other' },
    );
    expect(flagged({ requests, until: 3_000 })).toEqual({
      '/ping': 'beacon 1',
      '/csp': 'beacon 1',
      '/pixel': 'beacon 1',
      '/collect': 'beacon 1',
      '/next': 'speculative 1',
      '/favicon.ico': 'browser-internal 1',
    });
  });

  it('gives up a request that was never answered, but not before its time', () => {
    const requests = page({ path: '/hung', from: 100, unanswered: true });
    expect(flagged({ requests, until: 100 + HUNG_AFTER_MS - 1 })).toEqual({});
    expect(flagged({ requests, until: 100 + HUNG_AFTER_MS })).toEqual({ '/hung': 'hung 1' });
  });

  it('knows a preflight by what it asks for', () => {
    const timeline = timelineOf({ requests: page({ path: '/ws', from: 10, type: 'websocket' }), until: 100 });
    const [document, socket] = timeline.requests;
    if (!document || !socket) throw new Error('two requests were scripted');
    const preflight = {
      ...socket,
      id: 'p',
      type: 'preflight' as const,
      initiator: { type: 'preflight' as const, requestId: socket.id },
    };
    const alone = { ...preflight, id: 'q', initiator: { type: 'preflight' as const, requestId: document.id } };
    const verdicts = classify({ ...timeline, requests: [document, socket, preflight, alone] }, NOTHING);
    expect(verdicts.get('p')?.kind).toBe('browser-internal');
    expect(verdicts.has('q')).toBe(false);
  });
});

describe('never background', () => {
  it('the document, whatever it does', () => {
    const requests: Scripted[] = [{ path: '/', from: 0, type: 'document', mimeType: 'text/html', unanswered: true }];
    expect(flagged({ requests, dcl: null, load: null, until: 40_000 })).toEqual({});
  });

  it('a picture that is missing', () => {
    const requests = page({ path: '/gone.png', from: 90, to: 95, type: 'image', status: 404, pieces: [94] });
    expect(flagged({ requests, until: 3_000 })).toEqual({});
  });

  it('a preflight, for its empty answer alone', () => {
    const requests = page({ path: '/api', from: 90, to: 95, type: 'preflight', method: 'OPTIONS', status: 204 });
    expect(flagged({ requests, until: 3_000 })).toEqual({});
  });

  it('a script that the parser stands at', () => {
    const requests = page({ path: '/app.js', from: 20, type: 'script', unanswered: true });
    expect(flagged({ requests, dcl: null, load: null, until: 40_000 })).toEqual({});
  });

  it('a slow answer that ends', () => {
    expect(flagged({ requests: page({ path: '/slow', from: 100, to: 9_000 }), until: 12_000 })).toEqual({});
  });

  it('a chain of requests for the next page of a list', () => {
    const chain = every(200, 8, (from) => ({ path: `/list?page=${from}`, from, to: from + 195 }));
    expect(flagged({ requests: page(...chain), until: 2_150 })).toEqual({});
  });

  it('a poll for a job that is done', () => {
    const requests = page(...every(1_000, 4, (from) => ({ path: '/job', from, to: from + 30 })));
    expect(flagged({ requests, until: 3_500 + 3_000 })).toEqual({});
  });

  it('an event stream through fetch that ends', () => {
    const requests = page({ path: '/answer', from: 100, to: 2_000, mimeType: 'text/event-stream', pieces: [300, 900] });
    expect(flagged({ requests, until: 5_000 })).toEqual({});
  });

  it('requests of many endpoints in a rhythm', () => {
    const requests = page(...every(1_000, 5, (from) => ({ path: `/tile-${from}.png`, from, to: from + 30 })));
    expect(flagged({ requests, until: 5_000 })).toEqual({});
  });
});

describe('the user has the last word', () => {
  const requests = page({ path: '/es', from: 10, type: 'eventsource' }, { path: '/api', from: 10, to: 20 });

  it('adds and takes away', () => {
    expect(flagged({ requests, until: 100 }, { background: ['*/api'], foreground: [] })).toEqual({
      '/es': 'sse 1',
      '/api': 'user 1',
    });
    expect(flagged({ requests, until: 100 }, { background: [], foreground: ['/es'] })).toEqual({});
  });
});
