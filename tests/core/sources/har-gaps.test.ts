import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { gapsOf } from '../../../src/core/sources/har-gaps.ts';
import { recordingOfHar } from '../../../src/core/sources/har-recording.ts';
import type { Policy } from '../../../src/model/background/verdict.ts';
import { findingMessage } from '../../../src/wording/result/findings.ts';

const START = Date.UTC(2025, 0, 1);
const date = (at: number): string => new Date(START + at).toISOString();
const PAGE = { id: 'p', title: 't', startedDateTime: date(0), pageTimings: { onContentLoad: 90, onLoad: 200 } };

function entry(at: number, time: number | null, name: string, more: object = {}): object {
  return {
    pageref: 'p',
    startedDateTime: date(at),
    time,
    request: { method: 'GET', url: `https://e.com/${name}`, headers: [] },
    response: {
      status: 200,
      headers: [],
      content: { size: 9, mimeType: name === '' ? 'text/html' : 'application/json' },
    },
    timings: time === null ? {} : { send: 0, wait: time, receive: 0 },
    ...more,
  };
}

/** The page that these entries follow, read. */
function reading(entries: readonly object[], page: object = PAGE, creator = 'x') {
  const log = { creator: { name: creator, version: '1' }, pages: [page], entries: [entry(0, 50, ''), ...entries] };
  const [read] = readHar({ log }).recordings;
  if (!read) throw new Error('nothing read');
  return read;
}

const completeOf = (entries: readonly object[], creator?: string) =>
  visitOf(recordingOfHar(reading(entries, PAGE, creator)), DEFAULT_POLICY).complete;

function messages(entries: readonly object[], page: object = PAGE, creator = 'x', more: Partial<Policy> = {}) {
  const read = reading(entries, page, creator);
  const policy = { ...DEFAULT_POLICY, ...more };
  const { url } = read.navigation;
  return gapsOf(read, visitOf(recordingOfHar(read), policy), policy).map(
    (gap) => `${gap.code}: ${findingMessage(gap, url)}`,
  );
}

it('dates without a zone are of the zone of the others, or else UTC, wherever the file is read', () => {
  const at = (page: string, first: string) => {
    const written = { ...entry(0, 50, ''), startedDateTime: first };
    const log = {
      creator: { name: 'x', version: '1' },
      pages: [{ ...PAGE, startedDateTime: page }],
      entries: [written],
    };
    return readHar({ log }).recordings.map(({ navigation }) => navigation.startedAt);
  };
  const before = process.env.TZ;
  try {
    for (const zone of ['America/New_York', 'Asia/Tokyo']) {
      process.env.TZ = zone;
      expect(at('2026-01-31T12:00:00.000+02:00', '2026-01-31T12:00:00.000')).toEqual([Date.UTC(2026, 0, 31, 10)]);
      expect(at('2026-01-31T12:00:00.000', '2026-01-31T12:00:00.000')).toEqual([Date.UTC(2026, 0, 31, 12)]);
    }
  } finally {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  }
});

describe('what is missing', () => {
  it('is nothing when the answer stands', () => {
    expect(messages([entry(300, 100, 'a'), entry(4000, 10, 'late')])).toEqual([]);
  });

  it('is a proof that what decides the answer has an effect', () => {
    const request = { method: 'POST', url: 'https://e.com/collect', headers: [] };
    const collect = entry(300, 1_400, 'collect', { _resourceType: 'fetch', request });
    const end = entry(6_000, 10, 'ping', { _resourceType: 'ping' });
    const found = messages([collect, end]);
    expect(found).toEqual([
      'evidence-missing: /collect counts, though it may have no effect: a file cannot show it. Without it, the page would be complete after 200 ms. To prove it, record with "quiesce audit"; or mark it with --background.',
    ]);
    // An audit has tried it.
    const reason = { code: 'done' } as const;
    const learnt = [{ endpoint: 'GET https://e.com/other?', reason, confidence: 'certain' } as const];
    expect(messages([collect, end], PAGE, 'x', { learnt })).toEqual([]);
  });

  it('is the same proof of an estimate', () => {
    const request = { method: 'POST', url: 'https://e.com/collect', headers: [] };
    const found = messages([entry(300, 1_400, 'collect', { _resourceType: 'fetch', request })]);
    expect(found.join()).toMatch(/The file ends with the last thing that the page needed/);
    expect(found.at(-1)).toMatch(
      /collect counts, though it may .* Without it, the page would be complete after 200 ms/,
    );
  });

  it('is the same proof where a report had to be allowed first', () => {
    const url = 'https://stats.example/log';
    const headers = [{ name: 'Access-Control-Request-Method', value: 'POST' }];
    const report = entry(1_300, 60, 'log', { request: { method: 'POST', url, headers: [] } });
    const leave = entry(1_301, 55, 'log', { request: { method: 'OPTIONS', url, headers } });
    const asked = messages([report, leave, entry(6_000, 10, 'b')]);
    expect(asked).toEqual([expect.stringContaining('Without it, the page would be complete after 200 ms.')]);
  });

  it('is the silence: inside the window, or none at all', () => {
    expect(messages([entry(300, 100, 'a'), entry(1190, 10, 'a/ping', { _resourceType: 'ping' })])).toEqual([
      'evidence-missing: The file ends 800 ms after the last thing that the page needed, which is shorter than the quiet window of 3.00 s. Record for longer, or judge with a shorter --quiet-window.',
    ]);
    expect(messages([entry(300, 100, 'a')])).toEqual([
      'evidence-missing: The file ends with the last thing that the page needed. It does not say how much longer was recorded, but the quiet window of 3.00 s must follow. To confirm the time, record with "quiesce audit".',
    ]);
  });

  it('is the load event', () => {
    const silent = { ...PAGE, pageTimings: { onContentLoad: 90, onLoad: -1 } };
    expect(messages([entry(300, 100, 'a')], silent)).toEqual([
      'evidence-missing: The file does not say when the load event fired (pageTimings.onLoad). Record until it has fired, or record with "quiesce audit".',
    ]);
  });

  it('is the end of what is waited for', () => {
    const foreground = { foreground: ['*/a'] };
    expect(messages([entry(300, null, 'a'), entry(9000, 10, 'b')], PAGE, 'x', foreground)).toEqual([
      'evidence-missing: The file does not say when /a ended: it is treated as still open. Record until it has ended, or mark it with --background.',
    ]);
  });

  it('is the cadence of what came for long', () => {
    const long = entry(300, 3000, 'a', { timings: { send: 0, wait: 100, receive: 2900 } });
    expect(messages([long, entry(9000, 10, 'b')])).toEqual([
      'evidence-missing: The file has no arrival times (_chunks) of /a, which took longer than 2.00 s to arrive. Without them, a stream looks like a slow download, so it counts as content.',
    ]);
    const chunks = { _chunks: [300, 1500, 3300].map((ts) => ({ ts, bytes: 3 })) };
    expect(messages([{ ...long, ...chunks }, entry(9000, 10, 'b')])).toEqual([]);
  });

  it('is what the tool leaves out because it was open', () => {
    const held = [0, 1, 2].map((n) => entry(300 + n * 2000, 1990, `changes?since=${n}`));
    const foreground = { foreground: ['*changes*'] };
    const left = /whether GET \/changes\?\*, requested 3 times, was requested again after 6\.29 s is not in the file/;
    const late = entry(6800, 10, 'a/ping', { _resourceType: 'ping' });
    expect(messages([...held, late], PAGE, 'WebInspector', foreground)[0]).toMatch(left);
    expect(messages([...held, late], PAGE, 'Playwright', foreground).join()).not.toMatch(left);
    // Nobody withholds a file that a cache has.
    const response = { status: 304, headers: [], content: { size: 9, mimeType: 'application/json' } };
    const files = held.map((each) => ({ ...each, response }));
    expect(messages([...files, late], PAGE, 'WebInspector', foreground).join()).not.toMatch(left);
    // Nothing would have been open for as long as this.
    const later = entry(60_000, 10, 'a/ping', { _resourceType: 'ping' });
    expect(messages([...held, later], PAGE, 'WebInspector', foreground).join()).not.toMatch(left);
  });

  it('is what comes after many answers that were withheld, though there was silence since', () => {
    const held = [0, 1, 2].map((n) => entry(300 + n * 8_010, 8_000, `changes?since=${n}`));
    const judged = (last: number, creator: string) =>
      completeOf([...held, entry(last, 10, 'a/ping', { _resourceType: 'ping' })], creator);
    // The last ended at 24.3 s. DevTools would not have written down what was open since then.
    expect(judged(30_000, 'WebInspector')).toMatchObject({ state: 'unconfirmed', at: 200 });
    expect(judged(60_000, 'WebInspector')).toMatchObject({ state: 'complete', at: 24_320 });
    expect(judged(30_000, 'Playwright')).toMatchObject({ state: 'complete', at: 24_320 });
  });

  it('are the pieces of a stream that a script reads for long, whatever parameters its type has', () => {
    const judged = (time: number, mimeType: string) => {
      const response = { status: 200, headers: [], content: { size: 900, mimeType } };
      const timings = { send: 0, wait: 20, receive: time - 20 };
      const stream = entry(300, time, 'events', { _resourceType: 'fetch', response, timings });
      return completeOf([stream, entry(50_000, 10, 'a/ping', { _resourceType: 'ping' })]);
    };
    expect(judged(30_000, 'text/event-stream; charset=utf-8')).toMatchObject({ state: 'unconfirmed', at: 200 });
    // An answer that is written word by word ends sooner; a download is as slow as it is.
    expect(judged(6_000, 'text/event-stream; charset=utf-8')).toMatchObject({ state: 'complete', at: 6_300 });
    expect(judged(30_000, 'application/json')).toMatchObject({ state: 'complete', at: 30_300 });
  });

  it('is not the end of an answer that somebody posted a question for: an EventSource can only get', () => {
    const judged = (method: string) => {
      const response = { status: 200, headers: [], content: { size: 900, mimeType: 'text/event-stream' } };
      const request = { method, url: 'https://e.com/answer', headers: [] };
      const stream = entry(300, 6_000, 'answer', { request, response });
      return completeOf([stream, entry(20_000, 10, 'a/ping', { _resourceType: 'ping' })], 'Firefox');
    };
    expect(judged('POST')).toMatchObject({ state: 'complete', at: 6_300 });
    expect(judged('GET')).toMatchObject({ at: 200 });
  });

  it('is what comes after an answer that was held for as long as nobody waits, and says next to nothing', () => {
    const judged = (size: number, creator: string, ...more: readonly object[]) => {
      const response = { status: 200, headers: [], content: { size, mimeType: 'application/json' } };
      const held = entry(300, 30_000, 'changes', {
        _resourceType: 'xhr',
        response,
        timings: { send: 0, wait: 29_990, receive: 10 },
      });
      return completeOf([held, ...more, entry(50_000, 10, 'a/ping', { _resourceType: 'ping' })], creator);
    };
    expect(judged(16, 'WebInspector')).toMatchObject({ state: 'unconfirmed', at: 200 });
    expect(judged(16_000, 'WebInspector')).toMatchObject({ state: 'complete', at: 30_300 });
    expect(judged(16, 'Playwright')).toMatchObject({ state: 'complete', at: 30_300 });
    // It led to something.
    expect(judged(16, 'WebInspector', entry(30_310, 50, 'rows', { _resourceType: 'xhr' }))).toMatchObject({
      state: 'complete',
      at: 30_360,
    });
  });

  it('is whether an answer that may have been withheld was the first one of many', () => {
    const held = entry(100, 2000, 'changes');
    expect(messages([held], PAGE, 'chrome-har')[0]).toMatch(
      /GET \/changes, requested 1 time, was requested again after 2\.10 s/,
    );
    expect(messages([entry(100, 900, 'changes')], PAGE, 'chrome-har').join()).not.toMatch(/requested again/);
    expect(messages([held], PAGE, 'Playwright').join()).not.toMatch(/requested again/);
  });

  it('is an entry that could not be read, even if all looks well', () => {
    const odd = entry(0, 5, 'x', { startedDateTime: 'soon' });
    expect(messages([odd, entry(300, 100, 'a'), entry(4000, 10, 'late')])).toEqual([
      'entries-left-out: An entry of the file could not be read, so it is not known what the page did there.',
    ]);
  });
});
