import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type JudgedPage, judgeHar } from '../../../src/wording/judge-har.ts';

/** What a file of another tool is like (fixtures/har-kinds), and the right answer. */
interface Kind {
  readonly file: string;
  /** When the page was complete, ms, by hand. */
  readonly at: number;
  readonly state?: 'complete' | 'unconfirmed';
  readonly timeToFirstByte?: number;
}

function judged(file: string): JudgedPage {
  const { pages } = judgeHar(readFileSync(`fixtures/har-kinds/${file}.har`, 'utf8'));
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
  ])('%s is that of its document', (file, url) => {
    expect(judged(file).url).toBe(url);
  });
});
