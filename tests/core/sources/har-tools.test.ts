import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { gapsOf } from '../../../src/core/sources/har-gaps.ts';
import { recordingOfHar } from '../../../src/core/sources/har-recording.ts';
import type { BackgroundKind, Policy } from '../../../src/model/background/verdict.ts';
import { findingMessage } from '../../../src/wording/result/findings.ts';

interface Known {
  readonly file: string;
  readonly pages: number;
  /** Entries of the first page. */
  readonly entries: number;
  /** When the server had given out the last response that the page needed, ms after its first request. */
  readonly truth: number;
  readonly state: 'complete' | 'unconfirmed';
  readonly flags: readonly BackgroundKind[];
  /** What the user has to name because the file cannot show it. */
  readonly background?: readonly string[];
  /** Schema faults that the tool always makes. */
  readonly faults: number;
  readonly missing?: RegExp;
  /** By how much the estimate is too early because of what is missing, ms. */
  readonly early?: number;
  /** As long as it shows that something is silent, where that is shorter than the usual patience, ms. */
  readonly silentMs?: number;
}

const ALL: readonly BackgroundKind[] = ['beacon', 'long-poll', 'poll', 'speculative', 'sse', 'websocket'];
const without = (...kinds: readonly BackgroundKind[]) => ALL.filter((kind) => !kinds.includes(kind));
const CHANGES = ['*/api/changes*'];

/** A server's clock starts when the first request arrives, a page's when it is sent; tools round to milliseconds. */
const TOLERANCE_MS = 100;

const FILES: readonly Known[] = [
  { file: 'quiesce.har', pages: 1, entries: 21, truth: 3533, state: 'complete', flags: ALL, faults: 0 },
  { file: 'playwright.har', pages: 1, entries: 32, truth: 2300, state: 'complete', flags: ALL, faults: 1 },
  {
    file: 'playwright-hung.har',
    pages: 1,
    entries: 38,
    truth: 2681,
    state: 'complete',
    flags: [...ALL, 'hung'],
    silentMs: 20_000,
    faults: 3,
  },
  { file: 'browsertime.har.gz', pages: 2, entries: 24, truth: 443, state: 'complete', flags: ['poll'], faults: 0 },
  {
    file: 'devtools.har',
    pages: 1,
    entries: 31,
    truth: 2381,
    state: 'unconfirmed',
    flags: without('long-poll'),
    background: CHANGES,
    faults: 2,
    missing: /DevTools leaves out requests that were open .* GET \/busy\/api\/changes\?\*, requested 5 times/,
  },
  {
    file: 'chrome-har.har',
    pages: 1,
    entries: 30,
    truth: 2266,
    state: 'unconfirmed',
    // chrome-har knows no WebSockets.
    flags: without('long-poll', 'websocket'),
    background: CHANGES,
    faults: 0,
    missing: /chrome-har leaves out requests that were open .* GET \/busy\/api\/changes\?\*, requested 5 times/,
  },
  {
    file: 'webpagetest.har',
    pages: 1,
    entries: 30,
    truth: 2266,
    state: 'unconfirmed',
    flags: without('long-poll', 'websocket'),
    background: CHANGES,
    faults: 0,
    missing:
      /The file ends at 19\.98 s, too early to see whether GET \S+\/busy\/api\/changes\?\* continues \(long-poll\)\. Record for longer/,
  },
  {
    file: 'charles.har',
    pages: 1,
    entries: 29,
    truth: 2266,
    state: 'unconfirmed',
    // A proxy shows no streams until they end.
    flags: ['beacon', 'poll', 'speculative'],
    faults: 0,
    missing:
      /The file has no pages \(log\.pages\) and therefore no load event: all its 29 requests are treated as one load/,
  },
  {
    file: 'mitmproxy.har',
    pages: 1,
    entries: 32,
    truth: 2351,
    state: 'unconfirmed',
    flags: without(),
    // For each of the requests without a response: both of the browser, the tracker and the long poll.
    faults: 8,
    missing: /A proxy does not see it\. Record in the browser/,
  },
  {
    file: 'playwright-minimal.har',
    pages: 1,
    entries: 32,
    truth: 2175,
    // The last response took so long, which its file does not say.
    early: 153,
    state: 'unconfirmed',
    // One that seems to be answered at once looks like a poll.
    flags: ['beacon', 'poll', 'poll', 'speculative', 'sse', 'websocket'],
    faults: 4,
    missing: /does not say how long the server took to answer .* Record with Playwright's mode: 'full'/,
  },
  {
    file: 'puppeteer-har.har',
    pages: 1,
    entries: 29,
    truth: 2206,
    state: 'unconfirmed',
    flags: without('websocket'),
    faults: 0,
    missing: /puppeteer-har never writes it\. Record with chrome-har 1\.3 or later/,
  },
];

function read(file: string): ReturnType<typeof readHar> {
  const bytes = readFileSync(`fixtures/hars/${file}`);
  const text = file.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString();
  return readHar(JSON.parse(text));
}

/** @param silentMs how long a request is silent in the file at most, where that is what it is about */
function judged(
  file: string,
  more: Partial<Policy> = {},
  silentMs = FILES.find((each) => each.file === file)?.silentMs,
) {
  const [first] = read(file).recordings;
  if (!first) throw new Error('no page');
  const known = first.policy ?? DEFAULT_POLICY;
  const observation = silentMs === undefined ? known.observation : { ...known.observation, silentMs };
  const policy = { ...known, observation, ...more };
  const visit = visitOf(recordingOfHar(first), policy);
  return { first, visit, ...measure(visit, policy), gaps: gapsOf(first, visit, policy) };
}

describe.each(FILES)('$file', ({ file, pages, entries, truth, state, flags, faults, missing, early = 0 }) => {
  it('loses nothing', () => {
    const { recordings, faults: found } = read(file);
    expect(recordings).toHaveLength(pages);
    expect(found).toHaveLength(faults);
    const { visit, first } = judged(file);
    expect(visit.timeline.requests).toHaveLength(entries);
    expect(first.leftOut).toBe(0);
    expect(visit.timeline.requests.filter(({ mainDocument }) => mainDocument)).toHaveLength(1);
  });

  it('is judged as far as it tells', () => {
    const { first, pageComplete, background: flagged, gaps } = judged(file);
    expect(pageComplete.state).toBe(state);
    expect(flagged.map(({ kind }) => kind).toSorted()).toEqual(flags.toSorted());
    expect(Math.abs((pageComplete.at ?? 0) + early - truth)).toBeLessThan(TOLERANCE_MS);
    if (state === 'complete') {
      expect(gaps).toEqual([]);
    } else {
      expect(pageComplete.raw.state).toBe('unconfirmed');
      expect(gaps.map(({ code }) => code)).toContain('evidence-missing');
      const [gap] = gaps;
      expect(gap && findingMessage(gap, first.navigation.url)).toMatch(missing ?? /./);
    }
  });

  it('has milestones and the address', () => {
    const { first, metrics } = judged(file);
    expect(first.navigation.url).toMatch(/^http:\/\/127\.0\.0\.1:8123\/[\w-]+\/$/);
    if (first.unwaited === 0) expect(metrics.timeToFirstByte).toBeGreaterThan(0);
    else expect(metrics.timeToFirstByte).toBeUndefined();
    if (first.pageId !== '' && !flags.includes('hung') && file !== 'puppeteer-har.har') {
      expect(metrics.load).toBeGreaterThan(metrics.domContentLoaded ?? Number.POSITIVE_INFINITY);
    }
  });
});

it.each(FILES.filter(({ background }) => background))(
  '$file is complete at the right time when the user names what it cannot show',
  ({ file, truth, background = [] }) => {
    const { pageComplete } = judged(file, { background });
    expect(pageComplete.state).toBe('complete');
    expect(Math.abs((pageComplete.at ?? 0) - truth)).toBeLessThan(TOLERANCE_MS);
  },
);

describe('what is open', () => {
  it.each([
    ['devtools.har', ['events', 'socket']],
    ['playwright.har', ['events', 'socket', 'changes']],
    ['chrome-har.har', ['events']],
    ['quiesce.har', ['events', 'socket', 'changes']],
    ['charles.har', []],
  ] as const)('%s', (file, names) => {
    const { visit } = judged(file);
    const open = visit.timeline.requests.filter(({ endedAt }) => endedAt === undefined);
    expect(open.map(({ url }) => /api\/(\w+)/.exec(url)?.[1]).toSorted()).toEqual(names.toSorted());
  });
});
