import { describe, expect, it } from 'vitest';
import { shapeOfText } from '../../../src/core/background/content/message-shape.ts';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { buildHar, type HarOptions } from '../../../src/core/har/build.ts';
import type { QuiesceEntry } from '../../../src/core/har/format.ts';
import { validateHar } from '../../../src/core/har/validate.ts';
import type { Mark, Request } from '../../../src/model/network/timeline.ts';
import type { Recording } from '../../../src/model/recording/recording.ts';
import { verdictReasonInWords } from '../../../src/wording/background/verdict-reasons.ts';
import { recording, request, response, timeline } from '../../support/factories.ts';

const OPTIONS: HarOptions = { version: '1.0.0' };

function entryOf(one: Request, options: Partial<HarOptions> = {}, parts: Partial<Recording> = {}): QuiesceEntry {
  const har = buildHar(recording(parts), timeline([one]), { ...OPTIONS, ...options });
  expect(validateHar(har)).toEqual([]);
  const [entry] = har.log.entries;
  if (!entry) throw new Error('no entry');
  return entry;
}

describe('entries', () => {
  it('writes one entry for every hop, whatever became of it, in order of start', () => {
    const requests = [
      request({ id: 'a', hop: 0, outcome: 'redirected', endedAt: 10, startedAt: 0 }),
      request({ id: 'a:1', hop: 1, startedAt: 10 }),
      request({ id: 'ws', type: 'websocket', startedAt: 20, endedAt: undefined }),
      request({ id: 'wt', type: 'webtransport', startedAt: 25, endedAt: undefined, response: undefined }),
      request({ id: 'open', startedAt: 30, endedAt: undefined, response: undefined }),
      request({ id: 'bad', startedAt: 40, outcome: 'failed', error: 'net::ERR_CONNECTION_RESET', response: undefined }),
      request({ id: 'gone', startedAt: 50, outcome: 'canceled', error: 'net::ERR_ABORTED', response: undefined }),
      request({ id: 'lost', startedAt: 60, outcome: 'lost', error: 'target-closed', response: undefined }),
    ];
    const shuffled = { ...timeline(), requests: [...requests].reverse() };
    const har = buildHar(recording(), shuffled, OPTIONS);
    expect(har.log.entries.map((entry) => entry._id)).toEqual(['a', 'a:1', 'ws', 'wt', 'open', 'bad', 'gone', 'lost']);
    expect(validateHar(har)).toEqual([]);
    expect(har.log.entries.find((entry) => entry._id === 'bad')?._error).toBe('net::ERR_CONNECTION_RESET');
    expect(har.log.entries.find((entry) => entry._id === 'lost')?.comment).toMatch(/not known/);
    expect(shuffled.requests[0]?.id).toBe('lost');
  });

  it('lets an open request last until the end of observation, and says so', () => {
    const open = entryOf(request({ startedAt: 400, endedAt: undefined, response: undefined }));
    expect(open).toMatchObject({ time: 9600, _pending: true, _outcome: 'open' });
    expect(open.comment).toMatch(/not answered/);
    expect(open.timings.blocked).toBe(9600);
    expect(open.response).toMatchObject({ status: 0, bodySize: -1, headersSize: -1 });

    const streaming = entryOf(request({ startedAt: 400, endedAt: undefined, response: response({ at: 500 }) }));
    expect(streaming).toMatchObject({ time: 9600, _pending: true });
    expect(streaming.timings).toMatchObject({ wait: 100, receive: 9500 });
    expect(streaming.comment).toMatch(/answered, but not ended/);
  });

  it('starts on the axis of the navigation', () => {
    const entry = entryOf(request({ startedAt: 100, wallTime: 5 }));
    expect(entry).toMatchObject({ startedDateTime: '2025-01-02T03:04:05.778Z', _startedAt: 100, _wallTime: 5 });
  });

  it('gives the evidence for a second judgement', () => {
    const entry = entryOf(
      request({
        id: 'r:1',
        hop: 1,
        frameId: 'F',
        loaderId: 'L',
        mainDocument: true,
        keepalive: true,
        target: 'iframe',
        priority: 'High',
        type: 'ping',
        chunks: [{ at: 60.123456789, bytes: 10 }],
        fromPreviousDocument: true,
        response: response({ fromServiceWorker: true, connectionId: '12', connectionReused: true }),
      }),
      {
        inWords: verdictReasonInWords,
        verdicts: [
          {
            requestId: 'r:1',
            kind: 'beacon',
            reason: { code: 'recorded', text: 'keepalive after load' },
            confidence: 'certain',
          },
        ],
      },
    );
    expect(entry).toMatchObject({
      _requestId: 'r',
      _hop: 1,
      _frameId: 'F',
      _loaderId: 'L',
      _mainDocument: true,
      _keepalive: true,
      _target: 'iframe',
      _priority: 'High',
      _resourceType: 'ping',
      _chunks: [{ ts: 60.123456789, bytes: 10 }],
      _fetchedViaServiceWorker: true,
      _fromPreviousDocument: true,
      _connectionId: '12',
      _connectionReused: true,
      _background: {
        kind: 'beacon',
        because: 'keepalive after load',
        reason: { code: 'recorded', text: 'keepalive after load' },
        confidence: 'certain',
      },
    });
  });

  it('writes the initiator as CDP does, with lines from 0 and the timer as the parent', () => {
    const entry = entryOf(
      request({
        initiator: {
          type: 'script',
          url: 'https://example.com/app.js',
          line: 10,
          stack: [{ functionName: 'poll', url: 'https://example.com/app.js', line: 10, column: 3 }],
          scheduledBy: 'setTimeout',
        },
      }),
    );
    expect(entry._initiator).toEqual({
      type: 'script',
      url: 'https://example.com/app.js',
      lineNumber: 9,
      stack: {
        callFrames: [
          { functionName: 'poll', scriptId: '', url: 'https://example.com/app.js', lineNumber: 9, columnNumber: 2 },
        ],
        parent: { description: 'setTimeout', callFrames: [] },
      },
    });
    expect(entryOf(request({ initiator: { type: 'signed-exchange' } }))._initiator).toEqual({ type: 'SignedExchange' });
  });
});

describe('timings', () => {
  it('follows DevTools on a new connection, ssl inside connect, and sums to the duration', () => {
    const entry = entryOf(
      request({
        startedAt: 100,
        endedAt: 400,
        response: response({ at: 310 }),
        timing: {
          requestedAt: 110,
          dnsStart: 115,
          dnsEnd: 135,
          connectStart: 135,
          connectEnd: 195,
          sslStart: 160,
          sslEnd: 195,
          sendStart: 196,
          sendEnd: 198,
          headersEnd: 300,
        },
      }),
    );
    expect(entry.timings).toEqual({
      blocked: 15,
      _blocked_queueing: 10,
      dns: 20,
      connect: 60,
      ssl: 35,
      send: 3,
      wait: 102,
      receive: 100,
    });
    expect(entry.time).toBe(300);
  });

  it('has −1 for the steps that a reused connection does not take', () => {
    const entry = entryOf(
      request({
        startedAt: 0,
        endedAt: 30,
        response: response({ at: 20 }),
        timing: { requestedAt: 0, sendStart: 2, sendEnd: 3, headersEnd: 20 },
      }),
    );
    expect(entry.timings).toEqual({
      blocked: 2,
      _blocked_queueing: -1,
      dns: -1,
      connect: -1,
      ssl: -1,
      send: 1,
      wait: 17,
      receive: 10,
    });
  });

  it('keeps the sum when steps are out of order or beyond the end, as QUIC reports them', () => {
    const entry = entryOf(
      request({
        startedAt: 50,
        endedAt: 80,
        response: response({ at: 500 }),
        timing: { requestedAt: 40, connectStart: 60, connectEnd: 75, sendStart: 55, sendEnd: 56, headersEnd: 500 },
      }),
    );
    expect(entry.time).toBe(30);
    expect(entry.timings).toMatchObject({ blocked: 5, connect: 20, send: 0, wait: 5, receive: 0 });
  });
});

describe('sizes', () => {
  const whole = { transferSize: 1200, bodySize: 1000, contentSize: 4000 };
  it.each([
    ['a plain answer', request(whole), { bodySize: 1000, headersSize: 200, size: 4000, compression: 3000 }],
    [
      'an unknown size',
      request({ contentSize: 7 }),
      { bodySize: -1, headersSize: -1, size: 7, compression: undefined },
    ],
    ['304', request({ ...whole, response: response({ status: 304 }) }), { bodySize: 0, compression: undefined }],
    ['206', request({ ...whole, response: response({ status: 206 }) }), { bodySize: 1000, compression: undefined }],
    ['the disk cache', request({ ...whole, response: response({ fromCache: 'disk' }) }), { bodySize: 0 }],
    ['a service worker', request({ ...whole, response: response({ fromServiceWorker: true }) }), { bodySize: -1 }],
    ['open', request({ ...whole, endedAt: undefined }), { bodySize: -1, headersSize: -1 }],
    ['failed', request({ ...whole, outcome: 'failed' }), { bodySize: -1 }],
    ['chunked framing', request({ ...whole, contentSize: 990 }), { bodySize: 1000, size: 990, compression: undefined }],
    [
      'a header text only',
      request({ transferSize: 120, response: response({ headersText: 'HTTP/1.1 200 OK\r\n\r\n' }) }),
      { bodySize: 101, headersSize: 19 },
    ],
  ])('%s', (_, one, expected) => {
    const { response: written } = entryOf(one);
    const { bodySize, headersSize, content } = written;
    expect({ bodySize, headersSize, size: content.size, compression: content.compression }).toMatchObject(expected);
  });
});

describe('requests and responses', () => {
  it('names protocols, addresses and connections as DevTools does', () => {
    const plain = entryOf(
      request({ response: response({ protocol: 'http/1.1', remoteAddress: '[2001:db8::1]', connectionId: '7' }) }),
    );
    expect(plain.response.httpVersion).toBe('HTTP/1.1');
    expect(plain.request.httpVersion).toBe('HTTP/1.1');
    expect(plain).toMatchObject({ serverIPAddress: '2001:db8::1', connection: '7', _connectionId: '7' });
    const ported = entryOf(request({ response: response({ protocol: 'h3', remoteAddress: '10.1.2.3:8443' }) }));
    expect(ported).toMatchObject({ serverIPAddress: '10.1.2.3', connection: '8443', _remoteAddress: '10.1.2.3:8443' });
    expect(ported.response.httpVersion).toBe('h3');
    const odd = entryOf(request({ response: response({ remoteAddress: 'not an address' }) }));
    expect(odd.serverIPAddress).toBeUndefined();
    expect(odd._remoteAddress).toBe('not an address');
  });

  it('parses cookies and the query, and keeps the redirect', () => {
    const entry = entryOf(
      request({
        url: 'https://example.com/a?x=1&y=a%20b&flag#part',
        requestHeaders: [{ name: 'Cookie', value: 'a=1; b=two=2' }],
        response: response({
          status: 302,
          headers: [
            {
              name: 'set-cookie',
              value:
                's=1; Path=/x; Domain=example.com; HttpOnly; Secure; Expires=Thu, 02 Jan 2025 00:00:00 GMT\nt=2; expires=never',
            },
          ],
          redirectUrl: 'https://example.com/b',
        }),
        outcome: 'redirected',
      }),
      { secrets: true },
    );
    expect(entry.request.url).toBe('https://example.com/a?x=1&y=a%20b&flag');
    expect(entry.request._url).toBe('https://example.com/a?x=1&y=a%20b&flag#part');
    expect(entry.request.queryString).toEqual([
      { name: 'x', value: '1' },
      { name: 'y', value: 'a%20b' },
      { name: 'flag', value: '' },
    ]);
    expect(entry.request.cookies).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: 'two=2' },
    ]);
    expect(entry.response.cookies).toEqual([
      {
        name: 's',
        value: '1',
        path: '/x',
        domain: 'example.com',
        httpOnly: true,
        secure: true,
        expires: '2025-01-02T00:00:00.000Z',
      },
      { name: 't', value: '2' },
    ]);
    expect(entry.response.redirectURL).toBe('https://example.com/b');
  });

  it('writes bodies that were sent, and says when there is none to write', () => {
    const sent = entryOf(
      request({ method: 'POST', postBody: { mimeType: 'application/json', size: 9, text: '{"a":"b"}' } }),
    );
    expect(sent.request).toMatchObject({ bodySize: 9, postData: { mimeType: 'application/json', text: '{"a":"b"}' } });
    const kept = entryOf(request({ method: 'POST', postBody: { mimeType: 'video/webm', size: 123 } }));
    expect(kept.request).toMatchObject({ bodySize: 123, postData: { text: '', _text: 'unknown' } });
  });

  it('keeps bodies of answers only when asked', () => {
    const bodies = [{ id: 'r1', text: '{"access_token":"abc","n":1}', base64: false }];
    const one = request({ response: response({ mimeType: 'application/json' }) });
    expect(entryOf(one, {}, { bodies }).response.content.text).toBeUndefined();
    expect(entryOf(one, { content: true }, { bodies }).response.content.text).toBe(
      '{"access_token":"[redacted]","n":1}',
    );
    expect(entryOf(one, { content: true, secrets: true }, { bodies }).response.content.text).toBe(bodies[0]?.text);
    const image = [{ id: 'r1', text: 'AAAA', base64: true }];
    expect(entryOf(one, { content: true }, { bodies: image }).response.content).toMatchObject({
      text: 'AAAA',
      encoding: 'base64',
    });
    const events = [{ id: 'r1', text: 'data: secret\n\n', base64: false }];
    const stream = request({ response: response({ mimeType: 'text/event-stream' }) });
    expect(entryOf(stream, { content: true }, { bodies: events }).response.content.text).toBe('[redacted]');
  });

  it('writes messages in the form of DevTools, without their payload unless asked', () => {
    const socket = request({
      type: 'websocket',
      endedAt: undefined,
      messages: [
        { at: 60, bytes: 5, direction: 'sent', text: 'hello', opcode: 1 },
        { at: 70, bytes: 9, direction: 'received' },
      ],
    });
    expect(entryOf(socket)._webSocketMessages).toEqual([
      { type: 'send', time: 1735787045.738, opcode: 1, data: '[redacted]', _at: 60, _bytes: 5, _data: 'redacted' },
      { type: 'receive', time: 1735787045.748, opcode: 1, data: '', _at: 70, _bytes: 9, _data: 'unknown' },
    ]);
    expect(entryOf(socket, { secrets: true })._webSocketMessages?.[0]).toMatchObject({ data: 'hello' });
    const stream = request({
      type: 'eventsource',
      endedAt: undefined,
      messages: [{ at: 60, bytes: 2, direction: 'received', text: 'hi', eventName: 'message', eventId: '4' }],
    });
    expect(entryOf(stream)._eventSourceMessages).toEqual([
      {
        time: 1735787045.738,
        eventName: 'message',
        eventId: '4',
        data: '[redacted]',
        _at: 60,
        _bytes: 2,
        _shape: shapeOfText('hi').shape,
        _data: 'redacted',
      },
    ]);
    const tuple = '["book","WOOL",[[1,2]]]';
    const books = request({
      type: 'websocket',
      messages: [{ at: 60, bytes: tuple.length, direction: 'received', text: tuple }],
    });
    const { shape, places, wider } = shapeOfText(tuple);
    expect(entryOf(books)._webSocketMessages).toMatchObject([{ _shape: shape, _places: places, _wider: wider }]);
    const report = '{"rack":4,"load":37}';
    const racks = request({
      type: 'websocket',
      messages: [{ at: 60, bytes: report.length, direction: 'received', text: report }],
    });
    expect(entryOf(racks)._webSocketMessages).toMatchObject([{ _fields: shapeOfText(report).fields }]);
    const transport = request({
      type: 'webtransport',
      endedAt: undefined,
      messages: [{ at: 60, bytes: 0, direction: 'received' }],
    });
    expect(entryOf(transport)._messages).toEqual([{ type: 'receive', data: '', _at: 60, _bytes: 0, _data: 'unknown' }]);
  });
});

describe('the page', () => {
  const marks: readonly Mark[] = [
    { name: 'dom-content-loaded', at: 300, loaderId: 'L' },
    { name: 'load', at: 500, loaderId: 'L' },
    { name: 'first-contentful-paint', at: 200 },
    { name: 'largest-contentful-paint', at: 210, detail: 'img https://example.com/i.png?token=abc' },
    { name: 'largest-contentful-paint', at: 450.5 },
  ];
  const policy = {
    quietWindow: 3000,
    maxInflight: 0,
    timeout: 60_000,
    background: ['*/poll?token=abc*'],
    foreground: [],
    observation: DEFAULT_POLICY.observation,
  };

  it('has the milestones, the verdicts, the policy and the end of observation', () => {
    const har = buildHar(recording({ announcedHops: 3 }), timeline([], { marks, observedUntil: 4500.25 }), {
      ...OPTIONS,
      policy,
      inWords: verdictReasonInWords,
      verdicts: [
        { requestId: 'x', kind: 'poll', reason: { code: 'recorded', text: 'every 1200 ms' }, confidence: 'likely' },
      ],
    });
    const [page] = har.log.pages;
    expect(page).toMatchObject({
      id: 'page_1',
      startedDateTime: '2025-01-02T03:04:05.678Z',
      title: 'https://example.com/',
      pageTimings: {
        onContentLoad: 300,
        onLoad: 500,
        _firstContentfulPaint: 200,
        _largestContentfulPaint: 450.5,
      },
      _observedUntil: 4500.25,
      _navigationStart: Date.UTC(2025, 0, 2, 3, 4, 5, 678),
      _announcedHops: 3,
      _verdicts: [
        {
          requestId: 'x',
          kind: 'poll',
          because: 'every 1200 ms',
          reason: { code: 'recorded', text: 'every 1200 ms' },
          confidence: 'likely',
        },
      ],
      _policy: { ...policy, background: ['*/poll?token=%5Bredacted%5D*'] },
    });
    expect(JSON.stringify(page?._marks)).not.toContain('abc');
    expect(har.log.creator).toEqual({ name: 'quiesce', version: '1.0.0' });
    expect(har.log.browser).toEqual({ name: 'HeadlessChrome', version: '156.0.1.2' });
    expect(validateHar(har)).toEqual([]);
  });

  it('redacts titles that are addresses', () => {
    const har = buildHar(recording(), timeline(), { ...OPTIONS, title: 'https://example.com/?token=abc' });
    expect(har.log.pages[0]?.title).toBe('https://example.com/?token=%5Bredacted%5D');
  });

  it('is valid without any request or mark', () => {
    const har = buildHar(recording(), timeline(), OPTIONS);
    expect(har.log.pages[0]?.pageTimings).toEqual({ onContentLoad: -1, onLoad: -1 });
    expect(validateHar(har)).toEqual([]);
  });
});

describe('hostile recordings', () => {
  const one = request({
    id: '\ud800',
    url: 'https://example.com/\ud800 \n?q=\u0000"<b>',
    method: '',
    startedAt: Number.NaN,
    endedAt: Number.POSITIVE_INFINITY,
    contentSize: Number.NaN,
    transferSize: -5,
    bodySize: -7,
    wallTime: Number.NaN,
    requestHeaders: [
      { name: '', value: 'nameless' },
      { name: 'x', value: 'a\r\nb: c' },
      { name: 'Content-Type', value: 'a/b' },
      { name: 'content-type', value: 'c/d' },
    ],
    timing: { requestedAt: Number.NaN, dnsStart: Number.POSITIVE_INFINITY, dnsEnd: -1e300 },
    chunks: [{ at: Number.NaN, bytes: 1 }],
    messages: [{ at: Number.NaN, bytes: 1, direction: 'sent' }],
    response: response({
      at: Number.NaN,
      status: Number.NaN,
      statusText: '\udfff',
      headers: [{ name: 'set-cookie', value: '=x\n;;\na=b; expires=Sat, 13 Sep 275760 00:00:01 GMT' }],
    }),
  });

  it('are valid HARs all the same', () => {
    const navigation = { url: '', startedAt: Number.NaN, browser: '', userAgent: '' };
    const marks: readonly Mark[] = [{ name: 'load', at: Number.NaN }];
    const har = buildHar(recording({ navigation }), timeline([one], { marks, observedUntil: Number.NaN }), OPTIONS);
    expect(validateHar(har)).toEqual([]);
    expect(JSON.stringify(har)).not.toMatch(/null|\\ud[89a-f]/);
    expect(har.log.entries[0]?.request.headers.map(({ name }) => name)).toEqual(['x', 'Content-Type']);
  });

  it.each(['', 'x', '//host/path', 'https://', `https://e.com/${'a'.repeat(100_000)}`, 'https://é.com/ü?ö=ä'])(
    'accept the address %j',
    (url) => {
      expect(entryOf(request({ url })).request.url).toMatch(/^[\x21-\x7e]+$/);
    },
  );

  it('take 10,000 entries with chunks', () => {
    const requests = Array.from({ length: 10_000 }, (_, index) =>
      request({
        id: `r${index}`,
        startedAt: index,
        endedAt: index + 100,
        url: `https://example.com/api/${index}?session=${index}&q=term&page=2`,
        requestHeaders: Array.from({ length: 12 }, (_item, n) => ({ name: `x-header-${n}`, value: `value ${index}` })),
        chunks: Array.from({ length: 10 }, (_item, n) => ({ at: index + n, bytes: 10 })),
        initiator: {
          type: 'script',
          stack: Array.from({ length: 10 }, () => ({
            functionName: 'f',
            url: 'https://example.com/app.js?v=1',
            line: 1,
            column: 1,
          })),
        },
      }),
    );
    const all = timeline(requests);
    expect(buildHar(recording(), all, OPTIONS).log.entries).toHaveLength(requests.length);
  });

  it('take a stream with many pieces', () => {
    const chunks = Array.from({ length: 200_000 }, (_, index) => ({ at: index / 100, bytes: 1 }));
    expect(entryOf(request({ chunks, endedAt: undefined }))._chunks).toHaveLength(200_000);
  });
});
