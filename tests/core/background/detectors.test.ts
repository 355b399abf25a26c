import { describe, expect, it } from 'vitest';
import { classify, detectors, type Overrides } from '../../../src/core/background/index.ts';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { verdictReasonInWords } from '../../../src/wording/background/verdict-reasons.ts';
import type { Script, Scripted } from '../../support/scripted.ts';
import { page, timelineOf } from '../../support/scripted.ts';

const NOTHING: Overrides = DEFAULT_POLICY;
const { observation } = DEFAULT_POLICY;
/** Kind by path of what is flagged, with how many requests. */
const flagged = (script: Script, overrides = NOTHING) => {
  const timeline = timelineOf(script);
  const { verdicts } = classify(timeline, overrides);
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
    expect(detector.detect({ requests: [], marks: [], observedUntil: 0 }, observation)).toEqual([]);
    expect(
      detector.detect(
        timelineOf({ requests: page({ path: '/a', from: 50, to: 90, initiator: 'parser' }), until: 4_000 }),
        observation,
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
      for (const verdict of detector.detect(timeline, observation)) {
        expect(ids).toContain(verdict.requestId);
        expect(verdictReasonInWords(verdict.reason)).not.toMatch(/^$|undefined|NaN/);
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
    expect(flagged({ requests, until: 100 + observation.silentMs - 1 })).toEqual({});
    expect(flagged({ requests, until: 100 + observation.silentMs })).toEqual({ '/hung': 'hung 1' });
    const givenUp = (to: number) =>
      flagged({ requests: page({ path: '/hung', from: 100, to, unanswered: true, failed: true }), until: 60_000 });
    expect(givenUp(100 + observation.silentMs - 1)).toEqual({});
    expect(givenUp(100 + observation.silentMs)).toEqual({ '/hung': 'hung 1' });
  });

  it('knows a poll from the second time on, when setInterval asks', () => {
    const ask = (timer: Scripted['timer']) =>
      flagged({
        requests: page(
          { path: '/news', from: 500, to: 530, ...(timer && { timer }) },
          { path: '/news', from: 5_000, to: 5_030, ...(timer && { timer }) },
        ),
        until: 5_500,
      });
    expect(ask('setInterval')).toEqual({ '/news': 'poll 1' });
    expect(ask('setTimeout')).toEqual({});
  });

  it('knows a poll that backs off', () => {
    const starts = [500, 1_500, 3_500, 7_500, 15_500];
    const requests = page(...starts.map((from) => ({ path: '/stock', from, to: from + 30 })));
    expect(flagged({ requests, until: 16_000 })).toEqual({ '/stock': 'poll 4' });
  });

  it('takes no failure for the first answer: what is asked again until it comes is content, and what repeats it is not', () => {
    const failed = [500, 800, 1_400].map((from) => ({ path: '/stock', from, to: from + 30, status: 503 }));
    const answered = [2_600, 10_600, 18_600].map((from) => ({ path: '/stock', from, to: from + 30 }));
    expect(flagged({ requests: page(...failed, ...answered), until: 19_000 })).toEqual({ '/stock': 'poll 2' });
    // Who never gets an answer is not waited for.
    const never = answered.map((each) => ({ ...each, status: 503 }));
    expect(flagged({ requests: page(...failed, ...never), until: 19_000 })).toEqual({ '/stock': 'reconnect 6' });
  });

  it('keeps a list that was loaded in an even rhythm, of which something is asked for again much later', () => {
    const list = every(345, 5, (from) => ({ path: `/cards/${from}`, from, to: from + 320 }));
    const again = (at: number) => ({ path: '/cards/845', from: at, to: at + 40 });
    const found = (...later: readonly number[]) =>
      flagged({ requests: page(...list, ...later.map(again)), until: 23_000 });
    expect(found(12_000, 22_000)).toEqual({ '/cards/845': 'poll 2' });
    // One question, asked quickly at first and then slowly, is a poll from its second on.
    const slower = [500, 1_500, 2_500, 3_500, 13_500, 23_500];
    const asked = slower.map((from) => ({ path: '/stock', from, to: from + 30 }));
    expect(flagged({ requests: page(...asked), until: 24_000 })).toEqual({ '/stock': 'poll 5' });
    // A tab that slept, and a rhythm that slows down, have not stopped.
    const poll = every(1_000, 12, (from) => ({ path: '/stock', from, to: from + 30 }));
    const slept = every(1_000, 3, (from) => ({ path: '/stock', from, to: from + 30 }), 19_500);
    expect(flagged({ requests: page(...poll, ...slept), until: 22_000 })).toEqual({ '/stock': 'poll 14' });
  });

  it('knows who asks without a rhythm and without an end', () => {
    const starts = [500, 700, 2_900, 3_100, 6_000, 6_300, 6_400, 9_500, 10_400];
    const requests = page(...starts.map((from) => ({ path: '/stock', from, to: from + 30 })));
    expect(flagged({ requests, until: 10_600 })).toEqual({ '/stock': 'poll 8' });
  });

  it('tells two questions at one endpoint apart, asked in turn', () => {
    const room = (id: number, at: number) =>
      every(1_000, 5, (from) => ({ path: `/room/${id}/who`, from, to: from + 9 }), at);
    const other = [700, 1_000, 1_900].map((from) => ({ path: '/room/3/who', from, to: from + 9 }));
    const requests = page(...room(1, 500), ...room(2, 720), ...other);
    expect(flagged({ requests, until: 5_000 })).toEqual({ '/room/1/who': 'poll 4', '/room/2/who': 'poll 4' });
  });

  it('keeps the first answers of all questions that are asked at once, and differ by their bodies', () => {
    const panels = every(3_000, 4, (from) => ({ path: '/query', from })).flatMap(({ from }) =>
      ['cpu', 'mem', 'net'].map((body, i): Scripted => {
        const at = from + i * 4;
        return { path: '/query', method: 'POST', from: at, to: at + 300 + i * 200, body: JSON.stringify({ body }) };
      }),
    );
    expect(flagged({ requests: page(...panels), until: 11_000 })).toEqual({ '/query': 'poll 9' });
    // The same question of a slow server, asked by a timer, is none.
    const again = panels.map((each) => ({ ...each, body: '{}' }));
    expect(flagged({ requests: page(...again), until: 11_000 })).not.toEqual({ '/query': 'poll 9' });
  });

  it('tells the operations of one GraphQL address apart', () => {
    const ask = (name: string, from: number): Scripted => ({
      path: '/graphql',
      method: 'POST',
      from,
      to: from + 30,
      body: JSON.stringify({ operationName: name }),
    });
    const content = ['Menu', 'Cart', 'Offers', 'Footer'].map((name, i) => ask(name, 100 + i * 1_000));
    const polled = every(1_000, 5, (from) => ask('Unread', from), 620);
    expect(flagged({ requests: page(...content, ...polled), until: 5_000 })).toEqual({ '/graphql': 'poll 4' });
  });

  it('knows a long poll whose first answer comes at once: that one is content', () => {
    const requests = page(
      { path: '/chat', from: 300, to: 340 },
      { path: '/chat', from: 350, to: 4_000 },
      { path: '/chat', from: 4_010, to: 4_200 },
      { path: '/chat', from: 4_210 },
    );
    expect(flagged({ requests, until: 8_000 })).toEqual({ '/chat': 'long-poll 3' });
  });

  it('knows bodies that do not end, and when their first piece came', () => {
    const requests = page(
      { path: '/log', from: 100, mimeType: 'application/x-ndjson', pieces: [200, 900, 1_700, 2_500] },
      { path: '/frame', from: 100, type: 'document', mimeType: 'text/html', pieces: [150, 1_000, 2_000, 3_000] },
      { path: '/camera', from: 100, to: 900, type: 'image', mimeType: 'multipart/x-mixed-replace', pieces: [300] },
    );
    const timeline = timelineOf({ requests, until: 3_200 });
    expect(flagged({ requests, until: 3_200 })).toEqual({
      '/log': 'http-stream 1',
      '/frame': 'http-stream 1',
      '/camera': 'http-stream 1',
    });
    const { verdicts } = classify(timeline, NOTHING);
    expect([...verdicts.values()].map(({ counts }) => counts?.to)).toEqual([200, 150, 300]);
  });

  it.each(['websocket', 'eventsource', 'fetch'] as const)('knows a %s that fails and comes back', (type) => {
    const attempts = [300, 1_300, 3_300].map(
      (from): Scripted => ({
        path: '/live',
        type,
        from,
        to: from + 20,
        failed: true,
        unanswered: true,
      }),
    );
    expect(flagged({ requests: page(...attempts), until: 5_000 })).toEqual({ '/live': 'reconnect 3' });
  });

  it('knows what players fetch', () => {
    const requests = page(
      { path: '/song.mp3', from: 90, type: 'media', initiator: 'parser' },
      { path: '/live.m3u8', from: 90, to: 99, mimeType: 'application/vnd.apple.mpegurl' },
      { path: '/seg1.m4s', from: 120, to: 300, mimeType: 'application/octet-stream' },
    );
    expect(flagged({ requests, until: 1_000 })).toEqual({
      '/song.mp3': 'media 1',
      '/live.m3u8': 'media 1',
      '/seg1.m4s': 'media 1',
    });
  });

  it('knows a job that goes on when it is done: content until its result', () => {
    const asked = every(1_000, 10, (from) => ({ path: '/job', from, to: from + 50, status: from < 4_000 ? 202 : 200 }));
    expect(flagged({ requests: page(...asked), until: 10_000 })).toEqual({ '/job': 'poll 5' });
  });

  it('knows a report that outlives the page', () => {
    const requests = page({ path: '/rum', method: 'POST', from: 30, to: 90, keepalive: true });
    expect(flagged({ requests, until: 1_000 })).toEqual({ '/rum': 'beacon 1' });
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
    const { verdicts } = classify({ ...timeline, requests: [document, socket, preflight, alone] }, NOTHING);
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

  it('the pages of a list that ends with the recording', () => {
    const numbered = (address: (i: number) => string) => {
      const pages = every(1_600, 6, (from) => ({ path: address((from - 500) / 1_600), from, to: from + 1_595 }));
      return flagged({ requests: page(...pages), until: 500 + 6 * 1_600 - 5 });
    };
    expect(numbered((i) => `/list?page=${i}`)).toEqual({});
    expect(numbered((i) => `/list?limit=20&offset=${i * 20}`)).toEqual({});
    expect(numbered((i) => `/list/page/${i}`)).toEqual({});
    // What counts by another name may be a place in a stream of news.
    expect(numbered((i) => `/news?since=${i}`)).toEqual({ '/news': 'long-poll 6' });
  });

  it('a long poll that may have been the last page of a list', () => {
    const { verdicts } = classify(
      timelineOf({
        requests: page(...every(2_000, 6, (from) => ({ path: `/list?cursor=${from}`, from, to: from + 1_990 }))),
        until: 12_490,
      }),
      NOTHING,
    );
    const decided = [...verdicts.values()].map(({ decidedAt = 0 }) => decidedAt);
    expect(decided).toHaveLength(6);
    for (const at of decided) expect(at).toBeGreaterThan(12_490);
  });

  it('a picture of which it is not known how large it is', () => {
    const picture = { path: '/photo.jpg', from: 90, to: 900, type: 'image' } as const;
    expect(flagged({ requests: page({ ...picture, status: 304 }), until: 3_000 })).toEqual({});
    expect(flagged({ requests: page({ ...picture, length: 60_000 }), until: 3_000 })).toEqual({});
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

  it('a stream read through fetch that ends, whatever its pauses', () => {
    const pieces = [300, 700, 1_900, 3_500, 5_000];
    const requests = page({ path: '/answer', from: 100, to: 5_100, mimeType: 'text/plain', pieces });
    expect(flagged({ requests, until: 9_000 })).toEqual({});
  });

  it('an EventSource that brought everything and was closed', () => {
    const done = { path: '/es', from: 100, type: 'eventsource', messages: [200, 400, 600], to: 620 } as const;
    expect(flagged({ requests: page({ ...done, canceled: true }), until: 900 })).toEqual({});
    // Ended by the server it may come back; when it does not, it was content.
    expect(flagged({ requests: page(done), until: 900 })).toEqual({ '/es': 'sse 1' });
    expect(flagged({ requests: page(done), until: 5_000 })).toEqual({});
  });

  it('a download that takes long', () => {
    const steady = page({
      path: '/big',
      from: 100,
      pieces: Array.from({ length: 90 }, (_, i) => 200 + i * 100),
      length: 9e6,
    });
    expect(flagged({ requests: steady, until: 9_250 })).toEqual({});
  });

  it('a question that is asked again until it is answered', () => {
    const failed = [300, 800, 1_600].map((from): Scripted => ({ path: '/api', from, to: from + 20, status: 503 }));
    const answered = page(...failed, { path: '/api', from: 2_500, to: 2_600 });
    for (const until of [2_600, 3_500, 6_000]) expect(flagged({ requests: answered, until })).toEqual({});
  });

  it('lists that are fetched page by page, slowly or with pauses, once they are done', () => {
    const slow = every(1_700, 5, (from) => ({ path: `/list?page=${from}`, from, to: from + 1_650 }));
    expect(flagged({ requests: page(...slow), until: 500 + 5 * 1_700 + 1_000 })).toEqual({});
    const paced = every(500, 8, (from) => ({ path: `/list?page=${from}`, from, to: from + 200 }));
    expect(flagged({ requests: page(...paced), until: 500 + 8 * 500 + 3_000 })).toEqual({});
  });

  it('a list of things that are fetched one after the other, however long it is', () => {
    const photos = (pause: number): readonly Scripted[] =>
      every(180, 90, (from) => ({ path: `/photo/${from}`, from, to: from + 180 - pause }));
    expect(flagged({ requests: page(...photos(2)), until: 16_000 })).toEqual({});
    expect(flagged({ requests: page(...photos(30)), until: 16_000 })).toEqual({});
  });

  it('content that could not be sent because streams held all connections', () => {
    const streams = Array.from(
      { length: 6 },
      (_, i): Scripted => ({ path: `/es${i}`, from: 100, type: 'eventsource' }),
    );
    const requests = page(...streams, {
      path: '/photo.jpg',
      from: 300,
      type: 'image',
      initiator: 'parser',
      unanswered: true,
    });
    const found = flagged({ requests, until: 300 + observation.silentMs + 1_000 });
    expect(found).not.toHaveProperty('/photo.jpg');
  });
});

describe('the user has the last word', () => {
  const requests = page({ path: '/es', from: 10, type: 'eventsource' }, { path: '/api', from: 10, to: 20 });

  it('adds and takes away', () => {
    expect(flagged({ requests, until: 100 }, { ...NOTHING, background: ['*/api'] })).toEqual({
      '/es': 'sse 1',
      '/api': 'user 1',
    });
    expect(flagged({ requests, until: 100 }, { ...NOTHING, foreground: ['/es'] })).toEqual({});
    const { overruled } = classify(timelineOf({ requests, until: 100 }), { ...NOTHING, foreground: ['/es'] });
    expect([...overruled.values()]).toMatchObject([{ kind: 'sse', by: { code: 'foreground', pattern: '/es' } }]);
  });
});
