import { describe, expect, it } from 'vitest';
import { createFold, foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { NetworkEvent, RequestEvent, ResponseEvent } from '../../../src/model/network/network.ts';

const start = (id: string, at: number, more: Partial<RequestEvent> = {}): RequestEvent => ({
  kind: 'request',
  at,
  id,
  requestId: id.split(':')[0] ?? id,
  url: `https://x.test/${id}`,
  method: 'GET',
  type: 'fetch',
  headers: [],
  target: 'page',
  ...more,
});
const answer = (id: string, at: number, more: Partial<ResponseEvent> = {}): ResponseEvent => ({
  kind: 'response',
  at,
  id,
  status: 200,
  statusText: 'OK',
  mimeType: 'text/plain',
  headers: [],
  hasExtraInfo: false,
  ...more,
});
const only = (events: readonly NetworkEvent[]) => {
  const [request, ...rest] = foldTimeline(events, [], 1_000).requests;
  if (!request || rest.length > 0) throw new Error('one request was expected');
  return request;
};

describe('foldTimeline', () => {
  it('keeps every hop of a redirect chain as a request of its own', () => {
    const { requests } = foldTimeline(
      [
        start('7', 0),
        start('7:1', 10, { url: 'https://x.test/b' }),
        answer('7', 10, { status: 302, redirectUrl: 'https://x.test/b' }),
        { kind: 'finished', at: 10, id: '7', encodedBytes: 80 },
        answer('7:1', 30),
        { kind: 'finished', at: 40, id: '7:1', encodedBytes: 300 },
      ],
      [],
      100,
    );
    expect(
      requests.map(({ hop, outcome, endedAt, transferSize }) => ({ hop, outcome, endedAt, transferSize })),
    ).toEqual([
      { hop: 0, outcome: 'redirected', endedAt: 10, transferSize: 80 },
      { hop: 1, outcome: 'finished', endedAt: 40, transferSize: 300 },
    ]);
  });

  it('keeps a body open that replaces itself for ever, though Chrome reports an end with each part', () => {
    const camera = (mimeType: string) =>
      only([
        start('1', 0),
        answer('1', 5, { mimeType }),
        { kind: 'data', at: 6, id: '1', bytes: 100 },
        { kind: 'finished', at: 50, id: '1', encodedBytes: 100 },
        { kind: 'data', at: 500, id: '1', bytes: 100 },
      ]);
    const open = camera('multipart/x-mixed-replace');
    expect(open).toMatchObject({ outcome: 'open', chunks: [{ at: 6 }, { at: 500 }] });
    expect(open).not.toHaveProperty('endedAt');
    // Anything else that ended has ended.
    expect(camera('image/png')).toMatchObject({ outcome: 'finished', endedAt: 50 });
  });

  it('pairs real headers by hop, whatever the order they came in, skipping hops without any', () => {
    const { requests } = foldTimeline(
      [
        { kind: 'response-headers', at: 0, requestId: '7', status: 304, headers: [{ name: 'x', value: 'real' }] },
        start('7', 0),
        start('7:1', 10),
        answer('7', 10, { status: 301, hasExtraInfo: false, redirectUrl: '/b' }),
        { kind: 'finished', at: 10, id: '7' },
        { kind: 'request-headers', at: 11, requestId: '7', headers: [{ name: 'cookie', value: 'a=1' }] },
        answer('7:1', 20, { status: 200, hasExtraInfo: true }),
        { kind: 'finished', at: 30, id: '7:1' },
      ],
      [],
      100,
    );
    expect(requests[0]?.response?.status).toBe(301);
    expect(requests[0]?.requestHeaders).toEqual([]);
    expect(requests[1]?.response).toMatchObject({ status: 304, headers: [{ name: 'x', value: 'real' }] });
    expect(requests[1]?.requestHeaders).toEqual([{ name: 'cookie', value: 'a=1' }]);
  });

  it('believes the answer itself on a cache hit', () => {
    const request = only([
      start('1', 0),
      answer('1', 5, { fromCache: 'disk', hasExtraInfo: true }),
      { kind: 'response-headers', at: 5, requestId: '1', status: 304, headers: [] },
      { kind: 'finished', at: 6, id: '1', encodedBytes: 55 },
    ]);
    expect(request).toMatchObject({ transferSize: 0, response: { status: 200 } });
  });

  it('calls a canceled HEAD and an unread 204 finished, and a canceled body canceled', () => {
    const ended = (method: string, status: number) =>
      only([
        start('1', 0, { method }),
        answer('1', 5, { status }),
        { kind: 'failed', at: 6, id: '1', error: 'x', canceled: true },
      ]).outcome;
    expect(ended('HEAD', 200)).toBe('finished');
    expect(ended('GET', 204)).toBe('finished');
    expect(ended('GET', 200)).toBe('canceled');
    expect(only([start('1', 0), { kind: 'failed', at: 6, id: '1', error: 'x', canceled: true }]).outcome).toBe(
      'canceled',
    );
  });

  it('calls a request whose target went away lost, not slow', () => {
    const request = only([start('1', 0), { kind: 'failed', at: 6, id: '1', error: 'gone', lost: true }]);
    expect(request).toMatchObject({ outcome: 'lost', endedAt: 6 });
    expect(request.transferSize).toBeUndefined();
  });

  it('clamps an answer that is reported later than its end', () => {
    const request = only([
      start('1', 0),
      answer('1', 9),
      { kind: 'data', at: 12, id: '1', bytes: 3 },
      { kind: 'finished', at: 8, id: '1' },
    ]);
    expect(request.endedAt).toBe(8);
    expect(request.response?.at).toBe(8);
    expect(request.chunks).toEqual([{ at: 8, bytes: 3 }]);
  });

  it('takes an answer for ended when all that was announced has come, though nobody reads it', () => {
    const unread = (length: string, more: readonly { name: string; value: string }[] = [], wire?: number) =>
      only([
        start('1', 0),
        answer('1', 5, { headers: [{ name: 'Content-Length', value: length }, ...more], encodedBytes: 80 }),
        { kind: 'data', at: 7, id: '1', bytes: 12, ...(wire !== undefined && { encodedBytes: wire }) },
      ]);
    expect(unread('12')).toMatchObject({ outcome: 'finished', endedAt: 7, transferSize: 92 });
    expect(unread('13').outcome).toBe('open');
    const gzip = [{ name: 'content-encoding', value: 'gzip' }];
    expect(unread('9', gzip).outcome).toBe('open');
    expect(unread('9', gzip, 9)).toMatchObject({ outcome: 'finished', endedAt: 7 });
  });

  it('takes an error that a script asked for and did not read for ended with what came of it', () => {
    const unread = (type: 'fetch' | 'document', status: number) =>
      only([start('1', 0, { type }), answer('1', 5, { status }), { kind: 'data', at: 7, id: '1', bytes: 12 }]);
    expect(unread('fetch', 503)).toMatchObject({ outcome: 'finished', endedAt: 7 });
    expect(unread('fetch', 200).outcome).toBe('open');
    // A page is read in any case, and may be long.
    expect(unread('document', 503).outcome).toBe('open');
  });

  it('ends once: what comes after the end changes nothing', () => {
    const request = only([
      start('1', 0),
      { kind: 'finished', at: 8, id: '1' },
      { kind: 'failed', at: 9, id: '1', error: 'late', lost: true },
    ]);
    expect(request).toMatchObject({ outcome: 'finished', endedAt: 8 });
  });

  it('ignores an end without a start, and a start that is told twice', () => {
    const { requests } = foldTimeline(
      [{ kind: 'finished', at: 1, id: 'ghost' }, start('1', 0), start('1', 5)],
      [],
      100,
    );
    expect(requests.map(({ id, startedAt }) => [id, startedAt])).toEqual([['1', 0]]);
  });

  it('is the same whether asked in between or only at the end, and leaves its events alone', () => {
    const events: NetworkEvent[] = [
      start('1', 0),
      answer('1', 5),
      { kind: 'data', at: 6, id: '1', bytes: 3 },
      { kind: 'finished', at: 8, id: '1' },
    ];
    const frozen = structuredClone(events);
    const fold = createFold();
    for (const event of events) {
      fold.add(event);
      fold.timeline([], event.at);
    }
    expect(fold.timeline([], 100)).toEqual(foldTimeline(events, [], 100));
    expect(events).toEqual(frozen);
  });
});
