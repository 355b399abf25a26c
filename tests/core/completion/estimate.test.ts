import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { recordingOfHar } from '../../../src/core/sources/har-recording.ts';
import type { Policy } from '../../../src/model/background/verdict.ts';
import type { Visit } from '../../../src/model/network/visit.ts';

const START = Date.UTC(2025, 0, 1);
const date = (at: number): string => new Date(START + at).toISOString();
const PAGE = { id: 'p', title: 't', startedDateTime: date(0), pageTimings: { onContentLoad: 90, onLoad: 200 } };
const NO_LOAD = { ...PAGE, pageTimings: {} };

interface Parts {
  readonly type?: string;
  readonly status?: number;
}

/** An answer; without a time, one whose end the file does not say. */
function entry(
  at: number,
  time: number | undefined,
  name: string,
  { type = 'fetch', status = 200 }: Parts = {},
): object {
  return {
    pageref: 'p',
    startedDateTime: date(at),
    time: time ?? -1,
    _resourceType: name === '' ? 'document' : type,
    request: { method: 'GET', url: `https://e.com/${name}`, headers: [] },
    response: {
      status: time === undefined ? -1 : status,
      headers: [],
      content: { size: time === undefined ? -1 : 9, mimeType: name === '' ? 'text/html' : 'application/json' },
    },
    timings: time === undefined ? { send: -1, wait: -1, receive: -1 } : { send: 0, wait: time, receive: 0 },
  };
}

interface Written {
  readonly page?: object | undefined;
  readonly creator?: string;
  readonly policy?: Partial<Policy>;
}

function visit(entries: readonly object[], { page = PAGE, creator = 'x', policy = {} }: Written = {}): Visit {
  const log = { creator: { name: creator, version: '1' }, pages: [page], entries: [entry(0, 50, ''), ...entries] };
  const [read] = readHar({ log }).recordings;
  if (!read) throw new Error('nothing read');
  return visitOf(recordingOfHar(read), { ...DEFAULT_POLICY, ...policy });
}

describe('the estimate for a HAR of another tool', () => {
  it('is the last thing that ended, where the file ends before the quiet window', () => {
    const { complete, raw } = visit([entry(300, 100, 'a')]);
    expect(complete).toEqual({ state: 'unconfirmed', at: 400, waitingFor: [{ code: 'quiet-window' }] });
    expect(raw).toMatchObject({ state: 'unconfirmed' });
  });

  it('does without a load event, and waits for nothing that has ended', () => {
    const { complete, raw } = visit([entry(60, 100, 'a'), entry(300, 100, 'b')], { page: NO_LOAD });
    expect(complete).toEqual({ state: 'unconfirmed', at: 400, waitingFor: [{ code: 'load-event' }] });
    expect(raw.state).toBe('unconfirmed');
  });

  it('leaves out what nothing says has ended, and names it', () => {
    const { complete } = visit([entry(100, undefined, 'open'), entry(300, 100, 'b')]);
    const waitingFor = [{ code: 'endpoint', endpoint: 'GET https://e.com/open' }];
    expect(complete).toEqual({ state: 'unconfirmed', at: 400, waitingFor });
  });

  it('is the first silence, not the last', () => {
    const { complete } = visit([entry(300, 100, 'a'), entry(5000, 10, 'late')], { page: NO_LOAD });
    expect(complete).toMatchObject({ state: 'unconfirmed', at: 400 });
  });

  it('leaves what is confirmed as it is, but does not say that network idle never comes', () => {
    const stream = entry(100, undefined, 'events', { type: 'eventsource' });
    const seen = visit([stream, entry(300, 100, 'a'), entry(5000, 10, 'late')]);
    expect(seen.complete).toMatchObject({ state: 'complete', at: 400 });
    expect(seen.raw.state).toBe('unconfirmed');
    expect(measure(seen, DEFAULT_POLICY).pageComplete.raw.state).toBe('unconfirmed');
    const long = visit([stream, entry(300, 100, 'a'), entry(61_000, 10, 'late')]);
    expect(measure(long, DEFAULT_POLICY).pageComplete.raw.state).toBe('never');
  });

  it('takes for a long poll what was withheld once and asked again at once', () => {
    const held = [entry(100, 2500, 'changes?n=0'), entry(2605, undefined, 'changes?n=1')];
    expect(visit([entry(300, 100, 'a'), ...held]).complete).toEqual({
      state: 'unconfirmed',
      at: 400,
      waitingFor: [{ code: 'goes-on', endpoint: 'GET https://e.com/changes?*', kind: 'long-poll' }],
    });
    // The user knows better.
    const policy = { foreground: ['*changes*'] };
    expect(visit([entry(300, 100, 'a'), ...held], { policy }).complete).toMatchObject({ at: 2600 });
    const quick = [entry(100, 700, 'changes?n=0'), entry(805, undefined, 'changes?n=1')];
    expect(visit([entry(300, 100, 'a'), ...quick]).complete).toMatchObject({ at: 800 });
    const later = [entry(100, 2500, 'changes?n=0'), entry(3500, undefined, 'changes?n=1')];
    expect(visit([entry(300, 100, 'a'), ...later]).complete).toMatchObject({ at: 2600 });
  });

  it('takes for a poll what was asked once more after a pause, and answered with as much', () => {
    const asked = (second: number, more: Parts = {}) => [
      entry(300, 100, 'a'),
      entry(310, 20, 'status?t=1'),
      entry(second, 20, 'status?t=2', more),
    ];
    expect(visit(asked(1310)).complete).toEqual({
      state: 'unconfirmed',
      at: 400,
      waitingFor: [{ code: 'quiet-window' }, { code: 'goes-on', endpoint: 'GET https://e.com/status?*', kind: 'poll' }],
    });
    // Asked again at once, or after a failure.
    expect(visit(asked(500)).complete).toMatchObject({ at: 520 });
    expect(visit(asked(1310, { status: 500 })).complete).toMatchObject({ at: 1330 });
    expect(visit(asked(1310), { policy: { foreground: ['*status*'] } }).complete).toMatchObject({ at: 1330 });
  });

  it('supposes that a long poll went on where the tool leaves out what is open', () => {
    const held = [0, 1, 2].map((n) => entry(300 + n * 2500, 2490, `changes?n=${n}`));
    const ends = entry(9500, 10, 'ping', { type: 'ping' });
    const written = [entry(300, 100, 'a'), ...held, ends];
    expect(visit(written, { creator: 'chrome-har' }).complete).toEqual({
      state: 'unconfirmed',
      at: 400,
      waitingFor: [{ code: 'goes-on', endpoint: 'GET https://e.com/changes?*', kind: 'long-poll' }],
    });
    expect(visit(written, { creator: 'Playwright' }).complete).toMatchObject({ state: 'unconfirmed', at: 7790 });
    // Pages of a list.
    const pages = [0, 1, 2, 3, 4].map((n) => entry(300 + n * 1600, 1590, `changes?n=${n}`));
    const list = [entry(300, 100, 'a'), ...pages, entry(9000, 10, 'ping', { type: 'ping' })];
    expect(visit(list, { creator: 'chrome-har' }).complete).toMatchObject({ state: 'unconfirmed', at: 8290 });
  });

  it('is none where the limit was reached without any silence', () => {
    const busy = Array.from({ length: 80 }, (_, n) =>
      entry(300 + n * 800, 790, `style-${n}.css`, { type: 'stylesheet' }),
    );
    const open = entry(50_000, undefined, 'open.css', { type: 'stylesheet' });
    const page = { ...PAGE, pageTimings: { onContentLoad: 90 } };
    expect(visit([open, ...busy], { page }).complete.state).toBe('never');
    expect(visit([...busy.slice(0, 20), open], { page }).complete).toMatchObject({ state: 'unconfirmed', at: 16_290 });
  });
});
