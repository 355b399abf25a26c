import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/core/background/index.ts';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { buildHar } from '../../../src/core/har/build.ts';
import { validateHar } from '../../../src/core/har/validate.ts';
import { type HarRecording, isLoss, readHar } from '../../../src/core/sources/har.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { Policy, Verdict } from '../../../src/model/background/verdict.ts';
import type { NetworkEvent, ResourceType } from '../../../src/model/network/network.ts';
import type { Mark, Timeline } from '../../../src/model/network/timeline.ts';
import { verdictReasonInWords } from '../../../src/wording/background/verdict-reasons.ts';
import { recording } from '../../support/factories.ts';
import { webUrls } from '../../support/texts.ts';

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
    url: webUrls(),
    line: fc.integer({ min: 1, max: 9999 }),
    stack: fc.array(
      fc.record({ functionName: word, url: webUrls(), line: fc.integer({ min: 0 }), column: fc.integer({ min: 0 }) }),
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
      redirectUrl: fc.option(webUrls(), { nil: undefined }),
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
  url: webUrls({ query: true, fragment: true }),
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
    const policy: Policy = {
      quietWindow: 0,
      maxInflight: 0,
      timeout: 60_000,
      observation: {
        suspectMs: 1,
        silentMs: 2,
        thoroughMs: 3,
        thoroughSilentMs: 4,
        thoroughWatchMs: 5,
        longestPeriodMs: 6,
      },
      background: ['*x*'],
      foreground: [],
      completeOn: '#done',
      learnt: [
        {
          endpoint: 'GET https://e.com/x',
          fixed: { room: '7' },
          kind: 'sse',
          content: [{ shape: 'status 200', bytes: 940, counts: 1, by: 700 }, { counts: 'places' }],
          reason: { code: 'recorded', text: 'seen' },
          confidence: 'certain',
        },
        {
          endpoint: 'GET https://e.com/y',
          content: [],
          reason: { code: 'recorded', text: 'it ended' },
          confidence: 'possible',
        },
      ],
      awaited: [{ endpoint: 'GET https://e.com/late', by: 4_200 }],
      expected: {
        quietWindow: 500,
        patterns: [
          {
            requests: [{ endpoint: 'GET https://e.com/x', count: 2, failed: 1, bytes: 900, parts: 3 }],
            largest: 'h1',
            withoutLoadEvent: true,
          },
          { requests: [], blank: true },
        ],
        busyLater: true,
      },
      thorough: true,
    };
    const verdicts: readonly Verdict[] = [
      {
        requestId: 'id0',
        kind: 'poll',
        reason: { code: 'recorded', text: 'every 1 s' },
        confidence: 'likely',
        counts: { from: 0, to: 5 },
        decidedAt: 900,
      },
    ];
    const events = eventsOf(fc.sample(hop, { numRuns: 1, seed: 1 })[0] as HopParts, 'id0', 0, 0);
    const source = recording();
    const har = buildHar(source, foldTimeline(events, [], 100), {
      version: '1',
      policy,
      verdicts,
      inWords: verdictReasonInWords,
    });
    const read = only(har);
    expect(read).toMatchObject({ policy, verdicts, navigation: source.navigation, observedUntil: 100 });
    expect(read.role).toBeUndefined();
    const { observation: _, ...before } = har.log.pages[0]?._policy ?? policy;
    const earlier = { log: { ...har.log, pages: [{ ...har.log.pages[0], _policy: before }] } };
    expect(only(earlier).policy).toEqual({ ...policy, observation: DEFAULT_POLICY.observation });
    const [series] = policy.learnt ?? [];
    const learntOf = (old: object) =>
      only({
        log: {
          ...har.log,
          pages: [{ ...har.log.pages[0], _policy: { ...policy, learnt: [{ ...series, content: undefined, ...old }] } }],
        },
      }).policy?.learnt?.[0]?.content;
    expect(learntOf({ contentParts: 2 })).toEqual([{ counts: 2 }]);
    expect(learntOf({ contentParts: 2, result: { status: 202, bytes: 9, by: 7 } })).toEqual([
      { shape: 'status 202', bytes: 9, counts: 1, by: 7 },
    ]);
    expect(learntOf({ content: [{ shape: 'x', counts: 'first' }] })).toEqual([{ shape: 'x', counts: 1 }]);
    const page = { ...har.log.pages[0], _role: 'evidence' };
    expect(only({ log: { ...har.log, pages: [page] } }).role).toBe('evidence');
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

  it('join preflights with what they were sent for, whichever is noted first', () => {
    const preflight = { method: 'OPTIONS', headers: [{ name: 'Access-Control-Request-Method', value: 'POST' }] };
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/', { time: 100 }),
          entry(200, 'https://api.e.com/rows', { request: { method: 'POST' }, time: 90 }),
          entry(201, 'https://api.e.com/rows', { request: preflight, time: 30 }),
          entry(900, 'https://api.e.com/rows', { request: preflight, time: 30 }),
          entry(931, 'https://api.e.com/rows', { request: { method: 'POST' } }),
          entry(990, 'https://api.e.com/alone', { _resourceType: 'preflight', request: { method: 'OPTIONS' } }),
        ]),
      ),
    );
    const preflights = requests.filter(({ type }) => type === 'preflight');
    expect(preflights.map(({ initiator }) => initiator?.requestId)).toEqual(['har-1', 'har-4', undefined]);
  });

  it('tell what a service worker asked for', () => {
    const by = (file: string) => ({
      _resourceType: 'fetch',
      _initiator: { type: 'script', stack: { callFrames: [{ url: file, lineNumber: 1, columnNumber: 1 }] } },
    });
    const headers = [{ name: 'Service-Worker', value: 'script' }];
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/', { time: 100 }),
          entry(120, 'https://e.com/sw.js', { request: { headers } }),
          entry(300, 'https://e.com/later.js', by('https://e.com/sw.js')),
          entry(310, 'https://e.com/rows', by('https://e.com/app.js')),
        ]),
      ),
    );
    expect(requests.map(({ target }) => target)).toEqual(['page', 'page', 'service-worker', 'page']);
  });

  it('leave out tunnels, and what scripts of the page before had asked for', () => {
    const read = only(
      foreign(
        [
          entry(-3_000, 'https://e.com/old/poll', { _resourceType: 'fetch', time: 7_000 }),
          entry(-30, 'https://e.com:443/', { request: { method: 'CONNECT' } }),
          entry(0, 'https://e.com/', { time: 100 }),
          entry(120, 'https://e.com/rows', { _resourceType: 'fetch' }),
        ],
        { id: 'p', title: 't', startedDateTime: date(0), pageTimings: {} },
      ),
    );
    expect(read.navigation.url).toBe('https://e.com/');
    expect(folded(read).requests.map(({ url, mainDocument }) => [url, mainDocument])).toEqual([
      ['https://e.com/', true],
      ['https://e.com/rows', false],
    ]);
  });

  it('begin with their first request where their page is said to start after all of them', () => {
    const read = only(
      foreign([entry(0, 'https://e.com/', { time: 100 }), entry(120, 'https://e.com/app.js')], {
        id: 'p',
        title: 't',
        startedDateTime: date(300_000),
        pageTimings: { onLoad: 400 },
      }),
    );
    expect(read.marks).toEqual([{ name: 'load', at: 400 }]);
    expect(folded(read).requests.map(({ startedAt }) => startedAt)).toEqual([0, 120]);
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
    // Nobody wrote that it was closed.
    expect(requests[0]).toMatchObject({ outcome: 'open' });
  });

  it('leave open what does not say when it ended', () => {
    const unknown = { status: 200, response: { bodySize: -1, content: { size: -1, mimeType: 'x-unknown' } } };
    const read = only(
      foreign([
        entry(0, 'https://e.com/'),
        { ...entry(300, 'https://e.com/nan'), time: null, timings: { send: null, wait: null, receive: null } },
        { ...entry(301, 'https://e.com/unanswered', { status: -1 }), time: -1, timings: { wait: -1, receive: -1 } },
        entry(302, 'https://e.com/unmeasured', { ...unknown, timings: { receive: -1 } }),
        entry(303, 'https://e.com/goes-on', {
          _chunks: [
            { ts: 340, bytes: 1 },
            { ts: 900, bytes: 1 },
            { ts: 2950, bytes: 1 },
            { ts: 2960, bytes: 1 },
          ],
        }),
        entry(304, 'https://e.com/events', {
          _resourceType: 'eventsource',
          time: 700,
          _eventSourceMessages: [{ time: START / 1000 + 1.004, eventName: 'message', eventId: '' }],
        }),
        entry(305, 'https://e.com/huge', { time: 1e308, timings: { wait: 1e308, receive: 1e308 } }),
        entry(306, 'https://e.com/whole', {
          _chunks: [
            { ts: 340, bytes: 1 },
            { ts: 357, bytes: 1 },
          ],
        }),
      ]),
    );
    const { requests } = folded(read);
    expect(requests.filter(({ outcome }) => outcome !== 'open').map(({ url }) => url)).toEqual([
      'https://e.com/',
      'https://e.com/whole',
    ]);
    expect(read.endless).toEqual(requests.filter(({ outcome }) => outcome === 'open').map(({ url }) => url));
    expect(read.observedUntil).toBeCloseTo(2960, 3);
  });

  it('end an answer whose pieces were read late by a busy page', () => {
    const late = (at: number, receive: number, ...pieces: readonly number[]): object =>
      entry(at, `https://e.com/${at}`, {
        timings: { wait: 40, receive },
        _chunks: pieces.map((ts) => ({ ts, bytes: 1 })),
      });
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/'),
          late(100, 10, 273, 274, 280),
          late(200, 0, 300, 900),
          late(300, 10, 400, 2500),
        ]),
      ),
    );
    // An end that was measured is not moved; another one is with its last piece.
    expect(requests.slice(1).map(({ endedAt }) => endedAt)).toEqual([150, 900, 350]);
    expect(requests[1]?.chunks.map(({ at }) => at)).toEqual([150, 150, 150]);
  });

  it('do not add the time of a handshake that Playwright counts twice', () => {
    const timings = { dns: 1, connect: 6, ssl: 4, send: 0, wait: 40, receive: 2 };
    const har = foreign([entry(0, 'https://e.com/'), entry(100, 'https://e.com/a', { time: 53, timings })]) as {
      log: { creator: object };
    };
    har.log.creator = { name: 'Playwright', version: '1' };
    expect(folded(only(har)).requests[1]?.endedAt).toBe(149);
  });

  it('end what has a time that its phases do not explain, or all that its header announces', () => {
    const unknown = { status: 200, response: { bodySize: -1, content: { size: -1, mimeType: 'x-unknown' } } };
    const length = (value: string) => [{ name: 'Content-Length', value }];
    const whole = { response: { headers: length('90000'), content: { size: 90_000, mimeType: 'application/json' } } };
    const unread = (value: string) => ({
      response: { ...unknown.response, headers: length(value) },
      time: 40,
      timings: { wait: 40, receive: -1 },
    });
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/'),
          entry(100, 'https://e.com/untimed', { ...unknown, time: 120, timings: {} }),
          { ...entry(200, 'https://e.com/null', { ...whole }), time: null, timings: {} },
          // Playwright: the page never read the body.
          entry(300, 'https://e.com/unread', unread('12')),
          entry(400, 'https://e.com/long', unread('1200000')),
        ]),
      ),
    );
    expect(requests.slice(1).map(({ endedAt }) => endedAt)).toEqual([220, 200, 340, undefined]);
  });

  it('take no picture for a tracker because its size is not known', () => {
    const picture = (size: number) => ({
      ...entry(10, 'https://e.com/a.png', { _resourceType: 'image' }),
      response: { status: 200, bodySize: size, headersSize: -1, content: { size, mimeType: 'image/png' } },
    });
    const flagged = (size: number) => {
      const timeline = folded(only(foreign([entry(0, 'https://e.com/'), picture(size)])));
      return [...classify(timeline, DEFAULT_POLICY).verdicts.values()].map(({ kind }) => kind);
    };
    expect(flagged(-1)).toEqual([]);
    expect(flagged(43)).toEqual(['beacon']);
  });

  it('leave open what mitmproxy saw the browser give up when it was closed', () => {
    const given = (message?: string): object =>
      entry(100, 'https://e.com/held', {
        status: 0,
        time: 0.8,
        timings: { send: 0.8, wait: 0, receive: 0 },
        response: { _error: message, bodySize: -1, content: {} },
      });
    const outcome = (each: object) => folded(only(foreign([entry(0, 'https://e.com/'), each]))).requests[1]?.outcome;
    expect(outcome(given('Client disconnected.'))).toBe('open');
    expect(outcome(given())).toBe('open');
    expect(outcome(given('connection refused'))).toBe('failed');
  });

  it("leave out what browsers ask for their own sake, and take the tab's icon for such", () => {
    const own = (url: string, referrer?: string): object => ({
      ...entry(1, url),
      request: { method: 'GET', url, headers: referrer ? [{ name: 'Referer', value: referrer }] : [] },
    });
    const read = only(
      foreign([
        own('https://update.googleapis.com/service/update2/json'),
        own('https://optimizationguide-pa.googleapis.com/v1:GetHints'),
        entry(10, 'https://e.com/'),
        own('https://clients2.google.com/api', 'https://e.com/'),
        { ...entry(20, 'https://e.com/favicon.ico'), response: { status: 404, content: { mimeType: 'text/html' } } },
      ]),
    );
    const timeline = folded(read);
    expect(timeline.requests.map(({ url }) => url)).toEqual([
      'https://clients2.google.com/api',
      'https://e.com/',
      'https://e.com/favicon.ico',
    ]);
    const { verdicts } = classify(timeline, DEFAULT_POLICY);
    expect([...verdicts.values()].map(({ kind }) => kind)).toEqual(['browser-internal']);
  });

  it('guess the type of what a proxy recorded by the destination that the browser names', () => {
    const asked = (dest: string, more: object = {}): object => {
      const headers = [
        { name: 'Sec-Fetch-Dest', value: dest },
        { name: 'Sec-Fetch-Mode', value: 'no-cors' },
      ];
      const request = { method: 'GET', url: `https://e.com/${dest}`, headers, ...more };
      return { ...entry(10, `https://e.com/${dest}`), request, response: { status: 0, content: {} } };
    };
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/'),
          asked('script'),
          asked('style'),
          asked('empty', { method: 'POST' }),
          asked('empty'),
        ]),
      ),
    );
    expect(requests.slice(1).map(({ type }) => type)).toEqual(['script', 'stylesheet', 'ping', 'fetch']);
  });

  it('end what the load event waited for when it fired', () => {
    const cached = { time: null, timings: {} };
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/'),
          { ...entry(20, 'https://e.com/a.css', { _resourceType: 'stylesheet' }), ...cached },
          { ...entry(20, 'https://e.com/api', { _resourceType: 'fetch' }), ...cached },
          { ...entry(250, 'https://e.com/late.png', { _resourceType: 'image' }), ...cached },
        ]),
      ),
    );
    expect(requests.map(({ outcome, endedAt }) => [outcome, endedAt])).toEqual([
      ['finished', 50],
      ['finished', 200],
      ['open', undefined],
      ['open', undefined],
    ]);
  });

  it('end a WebSocket that was closed, or opened again', () => {
    const socket = (at: number, time: number, messages: readonly object[] = []): object =>
      entry(at, 'wss://e.com/s', { time, status: 101, _resourceType: 'websocket', _webSocketMessages: messages });
    const close = { type: 'receive', time: START / 1000 + 0.5, opcode: 8, data: '' };
    const outcomes = (...entries: readonly object[]) =>
      folded(only(foreign([entry(0, 'https://e.com/'), ...entries])))
        .requests.slice(1)
        .map(({ outcome }) => outcome);
    expect(outcomes(socket(100, 400, [close]))).toEqual(['finished']);
    expect(outcomes(socket(100, 400), socket(1500, 400))).toEqual(['finished', 'open']);
    // Two at a time: neither says anything of the other.
    expect(outcomes(socket(100, 400), socket(200, 900))).toEqual(['open', 'open']);
  });

  it('begin where WebPageTest and chrome-har say that they began', () => {
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/'),
          // Sent at 160, after a connection that took 40.
          entry(160, 'https://e.com/a', {
            time: 90,
            timings: { connect: 40, wait: 50 },
            _all_start: '120',
            _all_end: 210,
          }),
          entry(300, 'https://e.com/b', { timings: { _queued: 80, blocked: 2, wait: 48 } }),
        ]),
      ),
    );
    expect(
      requests.slice(1).map(({ startedAt, endedAt, timing }) => [startedAt, timing?.requestedAt, endedAt]),
    ).toEqual([
      [120, 120, 210],
      [220, 300, 350],
    ]);
  });

  it('know the initiator that chrome-har writes as text', () => {
    const stack = { callFrames: [{ functionName: 'ask', url: 'https://e.com/a.js', lineNumber: 4, columnNumber: 0 }] };
    const { requests } = folded(
      only(
        foreign([
          entry(0, 'https://e.com/', { _initiator_detail: '{"type":' }),
          entry(9, 'https://e.com/x', {
            _initiator: 'https://e.com/a.js',
            _initiator_detail: JSON.stringify({ type: 'script', stack }),
          }),
        ]),
      ),
    );
    expect(requests[1]?.initiator).toMatchObject({ type: 'script', stack: [{ functionName: 'ask', line: 5 }] });
  });

  it('begin with the first request where a page is a tab (Playwright)', () => {
    const har = foreign([entry(5000, 'https://e.com/')], {
      id: 'p',
      title: 't',
      startedDateTime: date(0),
      pageTimings: { onContentLoad: 5090, onLoad: 5200 },
    }) as { log: { creator: object } };
    har.log.creator = { name: 'Playwright', version: '1' };
    const read = only(har);
    expect(read.navigation.startedAt).toBe(START + 5000);
    expect(read.marks).toEqual([
      { name: 'dom-content-loaded', at: 90 },
      { name: 'load', at: 200 },
    ]);
  });

  it('are watched until the next page begins, in DevTools only', () => {
    const two = (creator: string) => {
      const har = foreign([entry(0, 'https://e.com/'), { ...entry(9000, 'https://e.com/2'), pageref: 'q' }]) as {
        log: { pages: object[]; creator: object };
      };
      har.log.pages.push({ id: 'q', title: 'u', startedDateTime: date(9000), pageTimings: {} });
      har.log.creator = { name: creator, version: '1' };
      return readHar(har).recordings.map(({ observedUntil }) => observedUntil);
    };
    expect(two('WebInspector')).toEqual([9000, 50]);
    expect(two('Browsertime')).toEqual([200, 50]);
  });

  it('have entries of no page with the page that was loading then', () => {
    const har = foreign([
      entry(0, 'https://e.com/'),
      { ...entry(10, 'https://e.com/a'), pageref: 'nowhere' },
      { ...entry(1000, 'https://e.com/2'), pageref: 'q' },
      { ...entry(1010, 'https://e.com/b'), pageref: undefined },
    ]) as { log: { pages: object[] } };
    har.log.pages.push({ id: 'q', title: 'u', startedDateTime: date(1000), pageTimings: {} });
    const { recordings, faults } = readHar(JSON.parse(JSON.stringify(har)));
    expect(recordings.map((each) => folded(each).requests.map(({ url }) => url))).toEqual([
      ['https://e.com/', 'https://e.com/a'],
      ['https://e.com/2', 'https://e.com/b'],
    ]);
    expect(faults).toEqual([
      { code: 'unknown-page', entry: 1, url: 'https://e.com/a', path: 'pageref', page: '"nowhere"' },
    ]);
  });

  it('keep the views of WebPageTest with a warm cache apart', () => {
    const page = { id: 'p', startedDateTime: date(0), pageTimings: { onLoad: 200, onContentLoad: -1 } };
    const more = { title: 'Run 1, Repeat View for https://e.com/', _title: 'A page', _domContentLoadedEventEnd: 120 };
    const read = only(foreign([entry(0, 'https://e.com/')], { ...page, ...more, _cached: 1 }));
    expect(read).toMatchObject({ cached: true, title: 'A page' });
    expect(read.marks[0]).toEqual({ name: 'dom-content-loaded', at: 120 });
  });

  it('leave out what began on another day', () => {
    const days = 24 * 3_600_000;
    const read = (...at: readonly number[]) => readHar(foreign(at.map((each, n) => entry(each, `https://e.com/${n}`))));
    const odd = read(0, 5, -2 * days);
    expect(odd.recordings[0]).toMatchObject({ leftOut: 1, navigation: { startedAt: START } });
    expect(odd.faults).toEqual([{ code: 'far-away', entry: 2, url: 'https://e.com/2' }]);
    // All of them: it is the page's date that is odd.
    const all = read(3 * days, 3 * days + 5);
    expect(all.recordings[0]).toMatchObject({ leftOut: 0, navigation: { startedAt: START + 3 * days } });
    expect(all.faults).toEqual([]);
  });

  it('cannot take longer than a day', () => {
    const { faults, recordings } = readHar(
      foreign([entry(0, 'https://e.com/', { time: 1e308, timings: { wait: 0 } })]),
    );
    expect(faults).toEqual([{ code: 'too-long', entry: 0, url: 'https://e.com/', time: 1e308 }]);
    expect(recordings[0]?.observedUntil).toBe(200);
  });

  it('may be hostile', () => {
    const har = JSON.parse(
      JSON.stringify(foreign([entry(0, 'https://e.com/<script>\u001b[2J')])).replace(
        '"cache"',
        '"__proto__":{"_pending":true,"polluted":1},"constructor":{"prototype":{}},"cache"',
      ),
    );
    const { requests } = folded(only(har));
    expect(requests[0]).toMatchObject({ outcome: 'finished', url: 'https://e.com/<script>\u001b[2J' });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
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
    const { recordings, faults } = readHar(
      foreign([
        entry(0, 'https://e.com/'),
        { startedDateTime: 'yesterday', time: 1, request: { url: 'https://e.com/x' } },
        { time: 3 },
      ]),
    );
    expect(recordings[0]?.events.filter(({ kind }) => kind === 'request')).toHaveLength(1);
    expect(recordings[0]?.leftOut).toBe(2);
    expect(faults.filter(isLoss)).toEqual([
      { code: 'no-date', entry: 1, url: 'https://e.com/x' },
      { code: 'url-missing', entry: 2 },
    ]);
    expect(faults).toContainEqual({ code: 'field-missing', entry: 1, url: 'https://e.com/x', path: 'response' });
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
