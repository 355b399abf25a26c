import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type JudgedPage, judgeHar } from '../../../src/jobs/analyze/judge-har.ts';
import { DOCUMENT, readEntries, type Written } from '../../support/har-entries.ts';

/** What a file of another tool is like (fixtures/har-kinds), and the right answer. */
interface Kind {
  readonly file: string;
  /** When the page was complete, ms, by hand. */
  readonly at?: number;
  readonly state?: 'complete' | 'unconfirmed';
  readonly timeToFirstByte?: number;
}

const textOf = (file: string): string => readFileSync(`fixtures/har-kinds/${file}.har`, 'utf8');

function judged(file: string): JudgedPage {
  const { pages } = judgeHar(textOf(file));
  expect(pages).toHaveLength(1);
  return pages[0] as JudgedPage;
}

const messagesOf = (file: string): readonly string[] => judged(file).findings.map(({ message }) => message);

function expectRight({ file, at, state = 'complete', timeToFirstByte }: Kind): void {
  const { pageComplete, metrics } = judged(file);
  expect({ state: pageComplete.state, at: pageComplete.at }).toEqual({ state, at });
  if (timeToFirstByte !== undefined) expect(metrics.timeToFirstByte).toBeCloseTo(timeToFirstByte, 3);
}

describe('the handshake', () => {
  it.each<Kind>([
    // Firefox's time is the sum of all: the end is 280 + 200, and the document's first byte 4 + 40 + 30 + 60.
    { file: 'handshake-firefox', at: 480, timeToFirstByte: 134 },
    { file: 'handshake-browsertime-firefox', at: 450, timeToFirstByte: 134 },
    { file: 'handshake-mitmproxy', at: 440, state: 'unconfirmed', timeToFirstByte: 151 },
    // A tool that nobody knows: its time says where the handshake is.
    { file: 'handshake-by-time', at: 465 },
    { file: 'handshake-within', at: 420 },
    // Playwright's lies in the connection, with Firefox as well, and is in the time all the same.
    { file: 'handshake-playwright', at: 420, timeToFirstByte: 91 },
  ])('$file is counted once', expectRight);
});

describe("what came out of Firefox's cache", () => {
  it.each<Kind>([
    { file: 'cached-firefox', at: 385 },
    { file: 'cached-document-firefox', at: 135, timeToFirstByte: 0 },
  ])('$file ended when it started', expectRight);
});

it.each([
  ['is written down', { cache: { beforeRequest: { lastAccess: '', eTag: '', hitCount: 0 } } }, 262],
  ['is named', { _fromCache: 'disk' }, 262],
  ['is not', {}, 200_262],
])('what was in a cache for long took no longer for that, where it %s', (_, more, endedAt) => {
  const timings = { send: 0, wait: 2, receive: 200_000 };
  const old: Written = { url: '/a.js', at: 260, mimeType: 'text/javascript' };
  const { events } = readEntries([
    DOCUMENT,
    { ...old, more: { time: 200_002, timings, ...more }, response: { bodySize: 0 } },
  ]);
  expect(events.find((event) => event.kind === 'finished' && event.id === 'har-1')?.at).toBe(endedAt);
});

it('a preflight is over by the end of what it was sent for', () => {
  expectRight({ file: 'preflight-late', at: 420 });
});

describe('redirects and a document that are dated before their page', () => {
  it.each<Kind>([
    // 400 ms after the last redirect, which was 700 ms after the first; the answer to the document came 848 ms after that.
    { file: 'redirects-devtools', at: 1_100, timeToFirstByte: 848 },
    { file: 'redirects-in-headers', at: 1_400, timeToFirstByte: 910 },
    { file: 'redirects-webpagetest', at: 1_300, timeToFirstByte: 460 },
    { file: 'document-before-page', at: 920, timeToFirstByte: 380 },
    { file: 'redirected-to-itself', at: 900, state: 'unconfirmed', timeToFirstByte: 690 },
  ])('$file belong to the load', (kind) => {
    expectRight(kind);
    expect(messagesOf(kind.file).join()).not.toMatch(/requested again/);
  });

  it('have their pieces on the clock of the load', () => {
    // The pieces of the document are 15 and 49 ms after the date of the page, its last one 950 ms after the first redirect.
    const { metrics } = judged('redirects-in-headers');
    expect(metrics.requestCount).toBe(4);
    expect(metrics.domContentLoaded).toBe(1_200);
  });
});

describe('the name of a page', () => {
  it.each([
    ['named-icon-first', 'https://news.test/'],
    ['named-cached-picture-first', 'https://news.test/'],
    ['named-frame-first', 'https://news.test/'],
    ['redirects-devtools', 'http://news.test/'],
    ['redirects-webpagetest', 'http://news.test'],
    ['named-fragment-first', 'https://mail.test/inbox'],
  ])('%s is that of its document, or its title', (file, url) => {
    expect(judged(file).url).toBe(url);
  });
});

describe('a file that does not hold the load', () => {
  it.each([
    [
      'no-load-cleared',
      'https://mail.test/inbox',
      /no document, its first request began 47\.30 s after the start of the page and the load event, at 1\.21 s, is earlier than everything/,
    ],
    ['no-load-firefox', 'Inbox (3)', /it has no document\. Record it from its start/],
    ['no-load-frame', 'https://mail.test/inbox', /no document, its first request began 31\.00 s after the start/],
    ['no-load-before-start', 'Page 0', /no document and the load event, at 350 ms, is earlier than everything in it/],
    ['no-document-requests-only', 'https://api.mail.test', /"Preserve log" .* reload the page with the panel open/],
    [
      'load-event-of-another',
      'https://mail.test/',
      /the load event, at 350 ms, is earlier than the answer to the document/,
    ],
  ])('%s is not confirmed, and named after what it says of itself', (file, name, reason) => {
    const { url, pageComplete, findings } = judged(file);
    expect(pageComplete).toMatchObject({ state: 'unconfirmed', raw: { state: 'unconfirmed' } });
    expect(url).toBe(name);
    expect(findings[0]?.message).toMatch(/^The file does not contain the load of the page: /);
    expect(findings[0]?.message).toMatch(reason);
  });

  it('has no time where what it holds was recorded long after the load', () => {
    const files = [
      'no-load-cleared',
      'no-load-firefox',
      'no-load-frame',
      'no-load-before-start',
      'no-document-requests-only',
      'load-event-of-another',
    ];
    expect(files.map((file) => judged(file).pageComplete.at)).toEqual(files.map(() => undefined));
    // Only the document is missing, which the tool left out because a cache had it.
    expectRight({ file: 'no-document-from-cache', at: 500, state: 'unconfirmed' });
  });

  it('is not one whose page came out of the cache of its service worker', () => {
    expectRight({ file: 'served-by-worker', at: 510 });
  });

  it.each([
    ['the entries', { entries: [] }],
    ['the document', {}],
  ])('is a file of Quiesce without %s', (_, cut) => {
    const { log } = JSON.parse(readFileSync('fixtures/hars/quiesce.har', 'utf8')) as { log: { entries: Entry[] } };
    const entries = log.entries.filter(({ _mainDocument }) => _mainDocument !== true);
    const [page] = judgeHar({ log: { ...log, entries, ...cut } }).pages;
    expect(page?.pageComplete.state).toBe('unconfirmed');
    expect(page?.url).toMatch(/\/busy\/$/);
    expect(page?.findings[0]?.message).toMatch(/does not contain the load of the page: it has no document/);
  });
});

interface Entry {
  readonly _mainDocument?: boolean;
  readonly _timing: Record<string, number>;
}

it('the second page of Firefox does not have the load event of the first, though its file says so', () => {
  const [first, second] = judgeHar(textOf('pages-firefox')).pages;
  expect([first?.metrics.load, second?.metrics.load]).toEqual([380, undefined]);
  expect(second?.pageComplete).toMatchObject({ state: 'unconfirmed', at: 1_200 });
});

describe('a load event that fires when the network has been silent for a quiet window', () => {
  it('is said, because the file may lack what it waited for', () => {
    expectRight({ file: 'load-event-late', at: 16_200, state: 'unconfirmed' });
    expect(messagesOf('load-event-late')[0]).toMatch(/fired at 16\.20 s, 15\.00 s after the last response before it/);
  });

  it('is as it should be where the file holds what it waited for', () => {
    expect(messagesOf('load-event-waits').join()).not.toMatch(/load event fired/);
  });
});

it.each(['once-document-frames', 'once-pictures', 'once-redirects'])('%s are not asked for again and again', (file) => {
  expect(messagesOf(file).join()).not.toMatch(/requested again/);
});

it('what a server pushed, and the page fetched all the same, is one request', () => {
  expect(judged('pushed-and-fetched').metrics.requestCount).toBe(3);
  expect(messagesOf('pushed-and-fetched').join()).not.toMatch(/could not be read/);
});

describe('figures that cannot be', () => {
  it.each(['figures-too-large', 'figures-negative'])('are not shown, and %s is not confirmed', (file) => {
    const { pageComplete, metrics } = judged(file);
    expect(pageComplete).toMatchObject({ state: 'unconfirmed', at: 350 });
    expect(messagesOf(file)[0]).toMatch(/^A part of the file has impossible times or sizes/);
    for (const value of Object.values(metrics)) expect(value).toBeLessThan(1e12);
  });

  it('are no status, and no line of a script', () => {
    const { log } = JSON.parse(textOf('no-document-from-cache')) as { log: { entries: { response: object }[] } };
    const initiator = {
      type: 'script',
      lineNumber: -1e9,
      stack: { callFrames: [{ url: 'https://mail.test/a.js', lineNumber: 1e21 }] },
    };
    const entries = log.entries.map((entry) => ({
      ...entry,
      _initiator: initiator,
      response: { ...entry.response, status: 1e21 },
    }));
    const { pages, faults } = judgeHar({ log: { ...log, entries } });
    expect(JSON.stringify(pages)).not.toMatch(/1e\+21|-99999999|-1000000000/);
    expect(faults).toContain('Entry 0 (https://mail.test/app.css): response.status is not a status.');
  });

  it.each([
    ['_startedAt', -5_000],
    ['headersStart', -854],
    ['headersEnd', -854],
  ])('are not shown where a file of Quiesce has them: %s', (field, value) => {
    const har = JSON.parse(readFileSync('fixtures/hars/quiesce.har', 'utf8')) as { log: { entries: Entry[] } };
    const document = har.log.entries.find(({ _mainDocument }) => _mainDocument === true);
    Object.assign((field.startsWith('_') ? document : document?._timing) ?? {}, { [field]: value });
    const [page] = judgeHar(har).pages;
    expect(page?.pageComplete.state).toBe('unconfirmed');
    expect(Object.entries(page?.metrics ?? {}).filter(([, figure = 0]) => figure < 0)).toEqual([]);
  });
});

describe('the reason why there is nothing to judge', () => {
  it.each([
    ['nothing-but-data', 'It contains only addresses that need no network (data:).'],
    ['nothing-blank', 'It was recorded on about:blank, where no page was loaded.'],
  ])('%s', (file, reason) => {
    const { pages, faults } = judgeHar(textOf(file));
    expect(pages).toEqual([]);
    expect(faults[0]).toBe(reason);
  });

  it.each(['onInputData({"log":{}});', '\n jQuery.cb42_7 ( [1] )'])(
    'is that a call of a function is no HAR: %s',
    (text) => {
      expect(() => judgeHar(text)).toThrow(/is a function call \(HARP, JSONP\)/);
    },
  );
});

it('a document that leads to itself for ever is read no further than browsers follow it', () => {
  const { log } = JSON.parse(textOf('redirected-to-itself')) as { log: { entries: object[] } };
  const [first] = log.entries;
  const startedAt = (n: number): string => new Date(Date.UTC(2024, 4, 14, 8, 30) + n).toISOString();
  const entries = Array.from({ length: 20_000 }, (_, n) => ({ ...first, startedDateTime: startedAt(n) }));
  const [page] = judgeHar({ log: { ...log, entries } }).pages;
  expect(page?.pageComplete.state).toBe('unconfirmed');
});
