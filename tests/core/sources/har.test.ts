import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildHar } from '../../../src/core/har/build.ts';
import { validateHar } from '../../../src/core/har/validate.ts';
import { type HarRecording, readHar } from '../../../src/core/sources/har.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { NetworkEvent, ResourceType } from '../../../src/model/network.ts';
import type { Mark, Timeline } from '../../../src/model/timeline.ts';
import { recording } from '../../factories.ts';

// The same cases in every run: a red build must be about the change, not about luck.
fc.configureGlobal({ seed: 20250102 });

function only(har: unknown): HarRecording {
  const { recordings } = readHar(har);
  expect(recordings).toHaveLength(1);
  const [first] = recordings;
  if (!first) throw new Error('nothing read');
  return first;
}

function folded({ events, marks, observedUntil }: HarRecording): Timeline {
  return foldTimeline(events, marks, observedUntil);
}

// Round trip

const ms = fc.double({ min: 0, max: 50_000, noNaN: true, noDefaultInfinity: true });
const word = fc.string({ unit: 'grapheme', maxLength: 12 });
const token = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_'), minLength: 1, maxLength: 8 });
const header = fc.record({ name: token.filter((name) => name.toLowerCase() !== 'content-type'), value: word });
const TYPES: readonly ResourceType[] = [
  'document',
  'script',
  'fetch',
  'xhr',
  'eventsource',
  'websocket',
  'webtransport',
  'ping',
];

const initiator = fc.record(
  {
    type: fc.constantFrom('parser', 'script', 'preload', 'preflight', 'signed-exchange', 'other'),
    url: fc.webUrl(),
    line: fc.integer({ min: 1, max: 9999 }),
    stack: fc.array(
      fc.record({ functionName: word, url: fc.webUrl(), line: fc.integer({ min: 0 }), column: fc.integer({ min: 0 }) }),
      { minLength: 1, maxLength: 3 },
    ),
    scheduledBy: fc.constantFrom('setTimeout', 'Promise.then', ''),
  },
  { requiredKeys: ['type'] },
);

const steps = fc.record(
  {
    requestedAt: ms,
    dnsStart: ms,
    dnsEnd: ms,
    connectStart: ms,
    connectEnd: ms,
    sslStart: ms,
    sslEnd: ms,
    sendStart: ms,
    sendEnd: ms,
    headersEnd: ms,
  },
  { requiredKeys: ['requestedAt'] },
);

/** The events of one hop as a source could give them; whether they make sense is not asked. */
const hop = fc.record({
  start: ms,
  answer: fc.option(
    fc.record({
      after: ms,
      status: fc.constantFrom(200, 204, 206, 301, 302, 304, 404, 500),
      statusText: word,
      mimeType: fc.constantFrom('text/html', 'text/event-stream', ''),
      headers: fc.array(header, { maxLength: 3 }),
      protocol: fc.option(fc.constantFrom('http/1.1', 'h2', 'h3', 'http/1.0'), { nil: undefined }),
      timing: fc.option(steps, { nil: undefined }),
      remoteAddress: fc.option(fc.constantFrom('10.0.0.1', '[::1]', '10.0.0.1:80', 'odd'), { nil: undefined }),
      fromCache: fc.option(fc.constantFrom('memory', 'disk', 'prefetch'), { nil: undefined }),
      fromServiceWorker: fc.option(fc.constant(true), { nil: undefined }),
      encodedBytes: fc.option(fc.nat({ max: 1000 }), { nil: undefined }),
      connectionId: fc.option(token, { nil: undefined }),
      connectionReused: fc.option(fc.boolean(), { nil: undefined }),
      redirectUrl: fc.option(fc.webUrl(), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  chunks: fc.array(fc.record({ after: ms, bytes: fc.nat() }), { maxLength: 4 }),
  messages: fc.array(
    fc.record({ after: ms, bytes: fc.nat(), text: fc.option(word, { nil: undefined }), sent: fc.boolean() }),
    { maxLength: 3 },
  ),
  end: fc.option(
    fc.record({
      after: ms,
      kind: fc.constantFrom('finished', 'failed', 'canceled', 'lost'),
      encodedBytes: fc.option(fc.nat(), { nil: undefined }),
    }),
    { nil: undefined },
  ),
  lateAnswer: fc.boolean(),
  url: fc.webUrl({ withFragments: true, withQueryParameters: true }),
  method: fc.constantFrom('GET', 'POST', 'HEAD'),
  type: fc.constantFrom(...TYPES),
  headers: fc.array(header, { maxLength: 3 }),
  initiator: fc.option(initiator, { nil: undefined }),
  extra: fc.record(
    {
      priority: fc.constantFrom('High', 'VeryLow'),
      frameId: token,
      loaderId: token,
      mainDocument: fc.boolean(),
      keepalive: fc.boolean(),
      wallTime: ms,
      postBody: fc.record({ mimeType: fc.constantFrom('text/plain', ''), size: fc.nat(), text: word }),
    },
    { requiredKeys: [] },
  ),
});

type HopParts = typeof hop extends fc.Arbitrary<infer T> ? T : never;

/** Without the keys that have no value: the model's optional fields are absent, never undefined. */
function defined<T extends object>(parts: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

function eventsOf(parts: HopParts, requestId: string, index: number, at: number): readonly NetworkEvent[] {
  const id = index === 0 ? requestId : `${requestId}:${index}`;
  const { answer, end } = parts;
  const request = {
    kind: 'request',
    at,
    id,
    requestId,
    url: parts.url,
    method: parts.method,
    type: parts.type,
    headers: parts.headers,
    target: 'page',
    ...(parts.initiator && { initiator: defined(parts.initiator) }),
    ...parts.extra,
  } as NetworkEvent;
  const { after: answerAfter = 0, ...rest } = answer ?? {};
  const answers = answer
    ? [{ kind: 'response', at: at + answerAfter, id, hasExtraInfo: false, ...defined(rest) } as NetworkEvent]
    : [];
  const pieces = parts.chunks.map(({ after, bytes }): NetworkEvent => ({ kind: 'data', at: at + after, id, bytes }));
  const messages = parts.messages.map(
    ({ after, bytes, text, sent }): NetworkEvent => ({
      kind: 'message',
      at: at + after,
      id,
      bytes,
      direction: sent ? 'sent' : 'received',
      ...(text !== undefined && { text }),
      ...(parts.type === 'websocket' && { opcode: 1 }),
    }),
  );
  const ends: NetworkEvent[] = [];
  if (end?.kind === 'finished') {
    ends.push(defined({ kind: 'finished', at: at + end.after, id, encodedBytes: end.encodedBytes }) as NetworkEvent);
  } else if (end) {
    const how = end.kind === 'failed' ? {} : { [end.kind]: true };
    ends.push({ kind: 'failed', at: at + end.after, id, error: 'net::ERR_X', ...how });
  }
  return parts.lateAnswer
    ? [request, ...pieces, ...messages, ...ends, ...answers]
    : [request, ...answers, ...pieces, ...messages, ...ends];
}

const chain = fc.array(hop, { minLength: 1, maxLength: 3 });
const load = fc.array(chain, { maxLength: 6 }).map((chains) =>
  chains.flatMap((hops, index) => {
    let at = 0;
    return hops.flatMap((parts, position) => {
      at += parts.start;
      return eventsOf(parts, `id${index}`, position, at);
    });
  }),
);
const marks = fc.array(
  fc.record(
    {
      name: fc.constantFrom<Mark['name'][]>(
        'load',
        'dom-content-loaded',
        'document-commit',
        'largest-contentful-paint',
      ),
      at: ms,
      loaderId: fc.constantFrom('id0', 'id1'),
      detail: word,
    },
    { requiredKeys: ['name', 'at'] },
  ),
  { maxLength: 4 },
);

describe("Quiesce's own HAR", () => {
  it('gives back the timeline that it was built from, exactly', () => {
    fc.assert(
      fc.property(load, marks, ms, (events, someMarks, observedUntil) => {
        const before = foldTimeline(events, someMarks, observedUntil);
        const har = buildHar(recording({ marks: someMarks, observedUntil }), before, { version: '1', secrets: true });
        expect(validateHar(har)).toEqual([]);
        const after = only(JSON.parse(JSON.stringify({ ...har, log: { ...har.log, entries: [...har.log.entries] } })));
        expect(after.exact).toBe(true);
        expect(folded(after)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps every time and size when redacted, and nothing but the redacted differs', () => {
    fc.assert(
      fc.property(load, ms, (events, observedUntil) => {
        const before = foldTimeline(events, [], observedUntil);
        const after = folded(only(buildHar(recording(), before, { version: '1' })));
        const skeleton = (timeline: Timeline): unknown =>
          timeline.requests.map(
            ({ id, hop: n, startedAt, endedAt, outcome, chunks, messages, contentSize, type, timing }) => ({
              id,
              n,
              startedAt,
              endedAt,
              outcome,
              chunks,
              contentSize,
              type,
              timing,
              messages: messages.map(({ at, bytes, direction }) => ({ at, bytes, direction })),
            }),
          );
        expect(skeleton(after)).toEqual(skeleton(before));
        expect(after.observedUntil).toBe(before.observedUntil);
      }),
      { numRuns: 100 },
    );
  });

  it('gives back the policy, the verdicts and the navigation', () => {
    const policy = { quietWindow: 0, maxInflight: 0, timeout: 60_000, background: ['*x*'], foreground: [] };
    const verdicts = [{ requestId: 'id0', kind: 'poll' as const, because: 'every 1 s', confidence: 'likely' as const }];
    const events = eventsOf(fc.sample(hop, { numRuns: 1, seed: 1 })[0] as HopParts, 'id0', 0, 0);
    const source = recording();
    const har = buildHar(source, foldTimeline(events, [], 100), { version: '1', policy, verdicts });
    const read = only(har);
    expect(read).toMatchObject({ policy, verdicts, navigation: source.navigation, observedUntil: 100 });
  });

  it('starts the next hop of a redirect before it ends the one before', () => {
    const events: readonly NetworkEvent[] = [
      {
        kind: 'request',
        at: 0,
        id: 'a',
        requestId: 'a',
        url: 'http://e.com/1',
        method: 'GET',
        type: 'document',
        headers: [],
        target: 'page',
      },
      {
        kind: 'request',
        at: 10,
        id: 'a:1',
        requestId: 'a',
        url: 'http://e.com/2',
        method: 'GET',
        type: 'document',
        headers: [],
        target: 'page',
      },
      {
        kind: 'response',
        at: 10,
        id: 'a',
        status: 302,
        statusText: '',
        mimeType: '',
        headers: [],
        hasExtraInfo: false,
        redirectUrl: 'http://e.com/2',
      },
      { kind: 'finished', at: 10, id: 'a' },
    ];
    const read = only(buildHar(recording(), foldTimeline(events, [], 50), { version: '1' }));
    expect(read.events.map(({ kind, at }) => [kind, at])).toEqual([
      ['request', 0],
      ['request', 10],
      ['response', 10],
      ['finished', 10],
    ]);
  });
});

// Other tools

const START = Date.UTC(2025, 0, 1);
const date = (at: number): string => new Date(START + at).toISOString();

function foreign(
  entries: readonly object[],
  page: object | undefined = {
    id: 'p',
    title: 't',
    startedDateTime: date(0),
    pageTimings: { onContentLoad: 90, onLoad: 200 },
  },
): unknown {
  return {
    log: {
      version: '1.2',
      creator: { name: 'WebInspector', version: '537.36' },
      ...(page && { pages: [page] }),
      entries: entries.map((entry) => ({ ...(page && { pageref: 'p' }), cache: {}, ...entry })),
    },
  };
}

function entry(
  at: number,
  url: string,
  parts: {
    time?: number;
    status?: number;
    response?: object;
    request?: object;
    timings?: object;
    [key: string]: unknown;
  } = {},
): object {
  const { time = 50, status = 200, response, request, timings, ...rest } = parts;
  return {
    startedDateTime: date(at),
    time,
    request: {
      method: 'GET',
      url,
      httpVersion: 'http/2.0',
      cookies: [],
      headers: [],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
      ...request,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'http/2.0',
      cookies: [],
      headers: [],
      content: { size: 100, mimeType: 'text/html' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      ...response,
    },
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: time, receive: 0, ...timings },
    ...rest,
  };
}

describe('HARs of other tools', () => {
  it('become recordings that end with the last sign of life', () => {
    const read = only(
      foreign([
        entry(0, 'https://e.com/', { time: 100 }),
        entry(120, 'https://e.com/app.js', {
          time: 400,
          response: { content: { size: 9, mimeType: 'text/javascript' } },
        }),
      ]),
    );
    expect(read).toMatchObject({
      exact: false,
      observedUntil: 520,
      navigation: { url: 'https://e.com/', startedAt: START },
    });
    expect(read.marks).toEqual([
      { name: 'dom-content-loaded', at: 90 },
      { name: 'load', at: 200 },
    ]);
    const { requests } = folded(read);
    expect(
      requests.map(({ url, type, mainDocument, outcome, endedAt }) => [url, type, mainDocument, outcome, endedAt]),
    ).toEqual([
      ['https://e.com/', 'document', true, 'finished', 100],
      ['https://e.com/app.js', 'script', false, 'finished', 520],
    ]);
    expect(requests[0]?.response?.protocol).toBe('h2');
  });

  it('lay the phases one after the other', () => {
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/', {
            time: 100,
            timings: {
              blocked: 10,
              _blocked_queueing: 4,
              dns: 10,
              connect: 30,
              ssl: 20,
              send: 1,
              wait: 29,
              receive: 20,
            },
          }),
        ]),
      ),
    );
    expect(requests[0]?.timing).toEqual({
      requestedAt: 4,
      dnsStart: 10,
      dnsEnd: 20,
      connectStart: 20,
      connectEnd: 50,
      sslStart: 30,
      sslEnd: 50,
      sendStart: 50,
      sendEnd: 51,
      headersEnd: 80,
    });
    expect(requests[0]).toMatchObject({ endedAt: 100, response: { at: 80 } });
  });

  it('join the hops of a redirect', () => {
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'http://e.com/', {
            time: 10,
            status: 301,
            response: { redirectURL: '/home', content: { size: 0, mimeType: 'x-unknown' } },
          }),
          entry(10, 'http://e.com/home'),
          entry(70, 'http://e.com/frame'),
        ]),
      ),
    );
    expect(
      requests.map(({ requestId, hop: n, outcome, mainDocument, type }) => [requestId, n, outcome, mainDocument, type]),
    ).toEqual([
      ['har-0', 0, 'redirected', true, 'document'],
      ['har-0', 1, 'finished', true, 'document'],
      ['har-2', 0, 'finished', false, 'document'],
    ]);
  });

  it('tell failed, canceled and unanswered requests', () => {
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/a', { status: 0, response: { _error: 'net::ERR_NAME_NOT_RESOLVED' } }),
          entry(1, 'https://e.com/b', { status: 0, response: { _error: 'net::ERR_ABORTED' } }),
          entry(2, 'https://e.com/c', { status: -1 }),
          entry(3, 'https://e.com/d', { _pending: true, status: 0 }),
        ]),
      ),
    );
    expect(requests.map(({ outcome, error }) => [outcome, error])).toEqual([
      ['failed', 'net::ERR_NAME_NOT_RESOLVED'],
      ['canceled', 'net::ERR_ABORTED'],
      ['failed', 'not answered'],
      ['open', undefined],
    ]);
  });

  it('have their WebSocket messages on the axis of the page', () => {
    const { requests } = folded(
      only(
        foreign([
          entry(10, 'wss://e.com/s', {
            time: 20,
            status: 101,
            _resourceType: 'websocket',
            _webSocketMessages: [
              { type: 'send', time: START / 1000 + 0.1, opcode: 1, data: 'é' },
              { type: 'receive', time: START / 1000 + 5, opcode: 2, data: 'AAAA' },
            ],
          }),
        ]),
      ),
    );
    expect(requests[0]).toMatchObject({ type: 'websocket' });
    expect(requests[0]?.messages.map(({ at, bytes, direction }) => [Math.round(at), bytes, direction])).toEqual([
      [100, 2, 'sent'],
      [5000, 3, 'received'],
    ]);
    expect(requests[0]?.endedAt).toBeCloseTo(5000, 3);
  });

  it('may have no pages (Charles), several pages, and entries off the network', () => {
    expect(
      only(foreign([entry(0, 'https://e.com/'), entry(5, 'data:text/plain,x')], undefined)).events.filter(
        ({ kind }) => kind === 'request',
      ),
    ).toHaveLength(1);
    const two = foreign([entry(0, 'https://e.com/'), { ...entry(1000, 'https://e.com/2'), pageref: 'q' }]) as {
      log: { pages: object[] };
    };
    two.log.pages.push({ id: 'q', title: 'u', startedDateTime: date(1000), pageTimings: {} });
    expect(readHar(two).recordings.map(({ pageId, navigation }) => [pageId, navigation.url])).toEqual([
      ['p', 'https://e.com/'],
      ['q', 'https://e.com/2'],
    ]);
  });

  it('say what is wrong, and give what can be read', () => {
    const { recordings, problems } = readHar(
      foreign([
        entry(0, 'https://e.com/'),
        { startedDateTime: 'yesterday', time: 1, request: { url: 'https://e.com/x' } },
        { time: 3 },
      ]),
    );
    expect(recordings[0]?.events.filter(({ kind }) => kind === 'request')).toHaveLength(1);
    expect(problems).toContain('Entry 1 (https://e.com/x): startedDateTime is no date, so the entry is left out.');
    expect(problems).toContain('Entry 2: request.url is missing, so the entry is left out.');
    expect(problems.some((problem) => problem.startsWith('Entry 1 (https://e.com/x): response is missing'))).toBe(true);
  });

  it('never throw and never give a time that is none', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.array(
          fc.dictionary(
            fc.constantFrom(
              'startedDateTime',
              'time',
              'request',
              'response',
              'timings',
              '_chunks',
              '_initiator',
              '_startedAt',
              'pageref',
              '_webSocketMessages',
            ),
            fc.anything(),
          ),
        ),
        (whole, entries) => {
          readHar(whole);
          for (const { events } of readHar({
            log: { entries: entries.map((one) => ({ ...entry(0, 'https://e.com/'), ...one })) },
          }).recordings) {
            for (const { at } of events) expect(Number.isFinite(at)).toBe(true);
          }
        },
      ),
    );
  });
});
