import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildHar } from '../../../src/core/har/build.ts';
import type { QuiesceHar } from '../../../src/core/har/format.ts';
import { validateHar } from '../../../src/core/har/validate.ts';
import type { ResourceTiming, ResourceType } from '../../../src/model/network/network.ts';
import type { Outcome, Request } from '../../../src/model/network/timeline.ts';
import { readersBrowser } from '../../reporters/report-browser.ts';
import { importDevTools } from '../../support/devtools.ts';
import { recording, request, response, timeline } from '../../support/factories.ts';
import { anyLetters, webUrls } from '../../support/texts.ts';

// The same cases in every run: a red build must be about the change, not about luck.
fc.configureGlobal({ seed: 20250102 });

/** A page with one of everything that other builders lose or get wrong. */
const REQUESTS: readonly Request[] = [
  request({
    id: 'doc',
    type: 'document',
    mainDocument: true,
    url: 'http://example.com/',
    outcome: 'redirected',
    startedAt: 0,
    endedAt: 20,
    response: response({
      status: 301,
      statusText: 'Moved',
      protocol: 'http/1.1',
      redirectUrl: 'https://example.com/',
      headers: [{ name: 'Location', value: 'https://example.com/' }],
    }),
  }),
  request({
    id: 'doc:1',
    hop: 1,
    type: 'document',
    mainDocument: true,
    startedAt: 20,
    endedAt: 220,
    response: response({
      at: 150,
      mimeType: 'text/html',
      remoteAddress: '[::1]',
      connectionId: '11',
      headers: [{ name: 'set-cookie', value: 'a=b; Path=/; Expires=Thu, 02 Jan 2025 00:00:00 GMT' }],
    }),
    timing: {
      requestedAt: 22,
      dnsStart: 24,
      dnsEnd: 30,
      connectStart: 30,
      connectEnd: 60,
      sslStart: 40,
      sslEnd: 60,
      sendStart: 61,
      sendEnd: 62,
      headersEnd: 149,
    },
    chunks: [
      { at: 160, bytes: 500 },
      { at: 215, bytes: 1500 },
    ],
    transferSize: 900,
    bodySize: 700,
    contentSize: 2000,
  }),
  request({
    id: 'api',
    method: 'POST',
    url: 'https://example.com/api?q=1&empty=&=x&token=abc',
    startedAt: 230,
    endedAt: 260,
    requestHeaders: [
      { name: ':path', value: '/api' },
      { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
      { name: 'Cookie', value: 'a=b; c' },
    ],
    postBody: { mimeType: 'application/x-www-form-urlencoded', size: 18, text: 'a=b+c&password=x&=' },
    initiator: {
      type: 'script',
      url: 'https://example.com/app.js',
      line: 3,
      stack: [{ functionName: 'f', url: 'https://example.com/app.js', line: 3, column: 9 }],
      scheduledBy: 'setTimeout',
    },
  }),
  request({
    id: 'json',
    method: 'PUT',
    startedAt: 231,
    postBody: { mimeType: 'application/json', size: 7, text: '{"a":1}' },
  }),
  request({
    id: 'upload',
    method: 'POST',
    startedAt: 232,
    postBody: {
      mimeType: 'multipart/form-data; boundary=XX',
      size: 70,
      text: '--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--XX--\r\n',
    },
  }),
  request({ id: 'blind', method: 'POST', startedAt: 233, postBody: { mimeType: 'video/webm', size: 70 } }),
  request({
    id: 'cached',
    type: 'image',
    startedAt: 240,
    response: response({ at: 241, fromCache: 'disk', mimeType: 'image/png' }),
  }),
  request({
    id: 'memory',
    type: 'image',
    startedAt: 241,
    response: response({ at: 241, fromCache: 'memory', mimeType: 'image/png' }),
  }),
  request({ id: 'sw', startedAt: 242, response: response({ at: 250, fromServiceWorker: true }) }),
  request({ id: 'same', startedAt: 243, response: response({ at: 250, status: 304, statusText: '' }) }),
  request({
    id: 'refused',
    startedAt: 250,
    outcome: 'failed',
    error: 'net::ERR_CONNECTION_REFUSED',
    response: undefined,
  }),
  request({ id: 'aborted', startedAt: 251, outcome: 'canceled', error: 'net::ERR_ABORTED', response: undefined }),
  request({ id: 'lost', startedAt: 252, outcome: 'lost', error: 'target-closed', response: undefined }),
  request({ id: 'poll', type: 'xhr', startedAt: 300, endedAt: undefined, response: undefined }),
  request({
    id: 'stream',
    startedAt: 310,
    endedAt: undefined,
    chunks: [
      { at: 400, bytes: 5 },
      { at: 5000, bytes: 5 },
    ],
  }),
  request({
    id: 'ws',
    type: 'websocket',
    url: 'wss://example.com/live',
    startedAt: 320,
    endedAt: undefined,
    response: response({ at: 340, status: 101, mimeType: '' }),
    messages: [
      { at: 400, bytes: 3, direction: 'sent', text: 'abc', opcode: 1 },
      { at: 900, bytes: 4, direction: 'received', opcode: 2 },
    ],
  }),
  request({
    id: 'wt',
    type: 'webtransport',
    url: 'https://example.com/wt',
    startedAt: 321,
    endedAt: undefined,
    response: undefined,
  }),
  request({
    id: 'sse',
    type: 'eventsource',
    startedAt: 330,
    endedAt: undefined,
    response: response({ at: 340, mimeType: 'text/event-stream' }),
    messages: [{ at: 500, bytes: 4, direction: 'received', text: 'tick', eventName: 'message', eventId: '1' }],
  }),
  request({
    id: 'hostile',
    url: `https://example.com/<b>\ud800 "\${x}/?a=%E0%A4%A&b=\n`,
    startedAt: 340,
    requestHeaders: [
      { name: '', value: 'x' },
      { name: 'x', value: '1\r\n2' },
    ],
    response: response({ statusText: '\udc00', mimeType: '', headers: [{ name: '', value: '' }] }),
  }),
];

function written(requests: readonly Request[] = REQUESTS): QuiesceHar {
  const marks = [
    { name: 'dom-content-loaded' as const, at: 222 },
    { name: 'load' as const, at: 290 },
    { name: 'largest-contentful-paint' as const, at: 250.5 },
  ];
  const har = buildHar(recording(), timeline(requests, { marks }), {
    version: '1.0.0',
    verdicts: [
      { requestId: 'ws', kind: 'websocket', reason: { code: 'recorded', text: 'it is one' }, confidence: 'certain' },
    ],
  });
  return JSON.parse(JSON.stringify(har));
}

/** Everything that a schema cannot say. */
function expectSound(har: QuiesceHar): void {
  expect(validateHar(har)).toEqual([]);
  const pages = new Set(har.log.pages.map(({ id }) => id));
  let before = Number.NEGATIVE_INFINITY;
  for (const entry of har.log.entries) {
    const { blocked, dns, connect, ssl, send, wait, receive } = entry.timings;
    const sum = [blocked, dns, connect, send, wait, receive].reduce((total, phase) => total + Math.max(0, phase), 0);
    expect(Math.abs(entry.time - sum)).toBeLessThan(1e-6);
    expect(ssl).toBeLessThanOrEqual(Math.max(-1, connect) + 1e-6);
    const end = entry._endedAt ?? har.log.pages[0]?._observedUntil ?? 0;
    expect(Math.abs(entry.time - Math.max(0, end - entry._startedAt))).toBeLessThan(1e-6);
    expect(pages.has(entry.pageref)).toBe(true);
    const start = Date.parse(entry.startedDateTime);
    expect(start).toBeGreaterThanOrEqual(before);
    before = start;
  }
}

/** Where JSON would write null. It leaves out a field that is undefined, but not an item of a list. */
function faulty(value: unknown, path = ''): readonly string[] {
  if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return [path];
  if (typeof value !== 'object') return [];
  const parts = Object.entries(value).filter(([, inner]) => inner !== undefined || Array.isArray(value));
  return parts.flatMap(([key, inner]) => faulty(inner, `${path}.${key}`));
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quiesce-har-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the strict schema', () => {
  it('accepts it, and the times sum up', () => {
    const har = written();
    expect(har.log.entries).toHaveLength(REQUESTS.length);
    expectSound(har);
  });

  it('accepts whatever a timeline may hold', () => {
    // Mostly sensible, and now and then what no browser should ever report.
    const number = fc.oneof(
      { weight: 5, arbitrary: fc.double({ min: 0, max: 20_000, noNaN: true }) },
      { weight: 1, arbitrary: fc.double() },
    );
    const anyText = fc.oneof(
      anyLetters(),
      fc.string({ unit: fc.constantFrom('\ud800', '\udfff', '\n', 'a', '=', ';', '&', '%', '"', '/') }),
    );
    const url = fc.oneof(webUrls({ query: true, fragment: true }), anyText);
    const header = fc.record({
      name: fc.oneof(anyText, fc.constantFrom('cookie', 'set-cookie', 'location', 'authorization', 'content-type')),
      value: anyText,
    });
    const STEPS = [
      'requestedAt',
      'proxyStart',
      'proxyEnd',
      'dnsStart',
      'dnsEnd',
      'connectStart',
      'connectEnd',
      'sslStart',
      'sslEnd',
      'sendStart',
      'sendEnd',
      'headersEnd',
      'workerStart',
      'workerReady',
    ] as const;
    const steps = fc.record(Object.fromEntries(STEPS.map((step) => [step, number])), {
      requiredKeys: [],
    }) as fc.Arbitrary<Partial<ResourceTiming>>;
    const answer = fc.record(
      {
        at: number,
        status: number,
        statusText: anyText,
        mimeType: anyText,
        headers: fc.array(header),
        headersText: anyText,
        protocol: anyText,
        remoteAddress: fc.oneof(anyText, fc.ipV4(), fc.ipV6()),
        connectionId: anyText,
        fromCache: fc.constantFrom('memory', 'disk', 'prefetch'),
        fromServiceWorker: fc.boolean(),
        redirectUrl: url,
      },
      { requiredKeys: [] },
    );
    const one = fc.record(
      {
        id: anyText,
        url,
        method: anyText,
        type: fc.constantFrom<ResourceType[]>('document', 'fetch', 'websocket', 'eventsource', 'webtransport'),
        startedAt: number,
        endedAt: fc.option(number, { nil: undefined }),
        outcome: fc.constantFrom<Outcome[]>('open', 'finished', 'redirected', 'failed', 'canceled', 'lost'),
        error: anyText,
        requestHeaders: fc.array(header),
        postBody: fc.record(
          {
            mimeType: fc.oneof(
              anyText,
              fc.constantFrom(
                'application/json',
                'application/x-www-form-urlencoded',
                'multipart/form-data; boundary=a',
              ),
            ),
            size: number,
            text: anyText,
          },
          { requiredKeys: ['mimeType', 'size'] },
        ),
        timing: steps as fc.Arbitrary<ResourceTiming>,
        chunks: fc.array(fc.record({ at: number, bytes: number })),
        messages: fc.array(
          fc.record(
            {
              at: number,
              bytes: number,
              direction: fc.constantFrom('sent', 'received'),
              text: anyText,
              eventName: anyText,
              opcode: number,
            },
            { requiredKeys: ['at', 'bytes', 'direction'] },
          ),
        ),
        transferSize: number,
        bodySize: number,
        contentSize: number,
        wallTime: number,
        priority: anyText,
        initiator: fc.record(
          {
            type: fc.constant('script'),
            url,
            line: number,
            scheduledBy: anyText,
            stack: fc.array(fc.record({ functionName: anyText, url, line: number, column: number })),
          },
          { requiredKeys: ['type'] },
        ),
        response: fc.option(
          answer.map((parts) => response(parts)),
          { nil: undefined },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.array(one),
        number,
        fc.boolean(),
        fc.record({ startedAt: number, url, browser: anyText, userAgent: anyText }),
        (requests, observedUntil, secrets, navigation) => {
          const source = recording({ navigation });
          const seen = { requests: requests.map((parts) => request(parts)), marks: [], observedUntil };
          const har = buildHar(source, seen, { version: '1', secrets });
          expect(validateHar(har)).toEqual([]);
          expect(faulty(har)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('Chrome DevTools', () => {
  interface Imported {
    url(): string;
    issueTime(): number;
    endTime: number;
    statusCode: number;
    resourceType(): { name(): string };
    frames(): readonly { text: string; type: string }[];
    eventSourceMessages(): readonly object[];
    timing: { connectStart: number; sslStart: number };
    duration: number;
    cached(): boolean;
    transferSize: number;
    priority(): string | null;
    initiator(): { stack?: { callFrames: readonly object[]; parent?: { description?: string } } } | null;
  }

  it('imports every row with its times, messages and initiator', async () => {
    const { HARFormat, Importer } = await importDevTools('har/har.js', folder);
    const har = written();
    const root = new HARFormat.HARRoot(written());
    const imported: readonly Imported[] = Importer.Importer.requestsFromHARLog(root.log);
    expect(imported).toHaveLength(REQUESTS.length);
    for (const [index, row] of imported.entries()) {
      const entry = har.log.entries[index];
      if (!entry) throw new Error('too many rows');
      expect(row.url()).toBe(entry.request.url);
      expect(row.statusCode).toBe(entry.response.status);
      expect(row.resourceType().name()).toBe(entry._resourceType);
      expect((row.endTime - row.issueTime()) * 1000).toBeCloseTo(entry.time, 2);
    }
    const named = (id: string): Imported =>
      imported[har.log.entries.findIndex((entry) => entry._id === id)] as Imported;
    expect(
      named('ws')
        .frames()
        .map(({ type }) => type),
    ).toEqual(['send', 'receive']);
    expect(named('sse').eventSourceMessages()).toHaveLength(1);
    expect(named('doc:1').transferSize).toBe(900);
    expect(named('doc:1').timing.sslStart).toBeCloseTo(named('doc:1').timing.connectStart + 10, 0);
    expect(named('api').initiator()?.stack?.callFrames).toHaveLength(1);
    expect(named('api').initiator()?.stack?.parent?.description).toBe('setTimeout');
  });
});

describe('har-to-k6', () => {
  it('makes a script of it', async () => {
    const { liHARToK6Script } = createRequire(import.meta.url)('har-to-k6');
    const { main } = await liHARToK6Script(written());
    expect(main).toContain('https://example.com/api');
    expect(main.match(/http\.(?:get|post|put)\(/g)?.length).toBeGreaterThan(10);
  });
});

describe('perf-cascade', () => {
  it('draws every row in a browser', async () => {
    const browser = await readersBrowser();
    const page = await browser.newPage();
    try {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      const script = await readFile('node_modules/perf-cascade/dist/perf-cascade.min.js', 'utf8');
      const file = join(folder, 'page.html');
      await writeFile(file, '<!doctype html><meta charset="utf-8"><body></body>');
      await page.goto(pathToFileURL(file).href);
      await page.addScriptTag({ content: script });
      const drawn = await page.evaluate((har) => {
        const { perfCascade } = window as unknown as { perfCascade: { fromHar(har: unknown): SVGSVGElement } };
        const svg = perfCascade.fromHar(har);
        document.body.append(svg);
        return {
          rows: svg.querySelectorAll('.row-item').length,
          scripts: document.querySelectorAll('svg script, svg b').length,
          broken: svg.outerHTML.match(/NaN|undefined|Infinity/g)?.length ?? 0,
        };
      }, written() as unknown);
      expect(errors).toEqual([]);
      expect(drawn).toEqual({ rows: REQUESTS.length, scripts: 0, broken: 0 });
    } finally {
      await page.close();
    }
  });
});
