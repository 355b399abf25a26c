import { describe, expect, it } from 'vitest';
import { measuredNetwork, networkFindings } from '../../../src/core/conditions/measured.ts';
import type { Request } from '../../../src/model/network/timeline.ts';
import { request, response, timeline } from '../../support/factories.ts';

const ASKED = { name: 'test', latency: 100, download: 1600, upload: 800 };
const NONE = new Map();

/** A file that was asked for at `sent`, answered by the server after `thinks`, and arrived from `from` to `to`. */
function file(
  id: string,
  sent: number,
  thinks: number,
  from: number,
  to: number,
  bytes: number,
  more: Partial<Request> = {},
): Request {
  return request({
    id,
    type: 'script',
    startedAt: sent,
    endedAt: to,
    bodySize: bytes,
    timing: { requestedAt: sent, sendStart: sent, sendEnd: sent, headersStart: sent + thinks, headersEnd: from },
    response: response({ at: from }),
    ...more,
  });
}

const measure = (...requests: Request[]) => measuredNetwork(timeline(requests), NONE, ASKED);

describe('what a run got', () => {
  it('is the least latency, whatever a server adds', () => {
    expect(measure(file('a', 0, 5, 102, 103, 100), file('b', 0, 300, 301, 302, 100))).toEqual({ rtt: 102 });
  });

  it('says nothing of the latency when the server alone took longer', () => {
    expect(measure(file('a', 0, 300, 301, 302, 100))).toBeUndefined();
  });

  it('is the real line, when connecting takes longer than the latency asked for', () => {
    const far = file('a', 0, 300, 301, 302, 100);
    const { timing } = far;
    if (!timing) throw new Error('no timing');
    expect(measure({ ...far, timing: { ...timing, connectStart: 0, connectEnd: 250 } })).toEqual({ rtt: 250 });
    // TLS is more than one round trip.
    expect(
      measure({ ...far, timing: { ...timing, connectStart: 0, sslStart: 90, sslEnd: 250, connectEnd: 250 } }),
    ).toBeUndefined();
  });

  it('is the rate while files were arriving without a gap', () => {
    const got = measure(
      file('a', 0, 5, 100, 600, 100_000),
      file('b', 0, 5, 100, 1_100, 100_000),
      file('c', 1_400, 5, 1_500, 1_600, 50_000),
    );
    expect(got).toEqual({ rtt: 100, download: 1600 });
  });

  it('is not told from a stretch too short to be sure, from small files, streams, caches or frames of others', () => {
    expect(measure(file('a', 0, 5, 100, 400, 100_000))?.download).toBeUndefined();
    expect(measure(file('a', 0, 5, 100, 900, 5_000))?.download).toBeUndefined();
    expect(measure(file('a', 0, 5, 100, 900, 50_000, { type: 'fetch' }))?.download).toBeUndefined();
    expect(measure(file('a', 0, 5, 100, 900, 50_000, { target: 'iframe' }))).toBeUndefined();
    expect(measure(file('a', 0, 5, 100, 900, 50_000, { response: response({ fromCache: 'disk' }) }))).toBeUndefined();
    const background = new Map([
      ['a', { requestId: 'a', kind: 'media', reason: { code: 'played' }, confidence: 'certain' } as const],
    ]);
    expect(measuredNetwork(timeline([file('a', 0, 5, 100, 900, 50_000)]), background, ASKED)?.download).toBeUndefined();
  });

  it('is not told while a worker, which shares the line, downloads', () => {
    const image = file('a', 0, 5, 100, 1_100, 100_000);
    const worker = file('w', 0, 5, 100, 1_100, 100_000, { type: 'fetch', target: 'worker' });
    expect(measure(image, worker)).toEqual({ rtt: 100 });
    expect(measure(image, { ...worker, response: response({ at: 100, fromCache: 'disk' }) })?.download).toBe(800);
    const later = file('b', 1_400, 5, 1_500, 2_500, 200_000);
    expect(measure(image, worker, later)).toEqual({ rtt: 100, download: 1600 });
  });

  it('spreads what was told at the end over the time in which it came, and reads decoded pieces as they were sent', () => {
    const chunks = Array.from({ length: 100 }, (_, i) => ({ at: 1_100 + i / 10, bytes: 4_000 }));
    const script = file('a', 0, 5, 100, 1_110, 200_000, { chunks, contentSize: 400_000 });
    expect(measure(script)?.download).toBeCloseTo((200_000 * 8) / 1_009.9, 0);
  });

  it('is the rate that held most of the time, not that of a pause', () => {
    const chunks = Array.from({ length: 300 }, (_, i) => ({ at: 110 + i * 10 + (i >= 280 ? 300 : 0), bytes: 2_000 }));
    const image = file('a', 0, 5, 100, 3_400, 600_000, { type: 'image', chunks, contentSize: 600_000 });
    expect(measure(image)?.download).toBe(1600);
  });

  it('is what was sent, also when only the header tells how much', () => {
    const timing = { requestedAt: 0, sendStart: 0, sendEnd: 1_000, headersStart: 1_001, headersEnd: 1_100 };
    const sent = request({
      id: 'u',
      method: 'POST',
      endedAt: 1_101,
      timing,
      postBody: { mimeType: 'text/plain', size: 100_000 },
    });
    expect(measure(sent)).toEqual({ rtt: 100, upload: 800 });
    const large = {
      ...sent,
      postBody: { mimeType: '', size: 0 },
      requestHeaders: [{ name: 'Content-Length', value: '100000' }],
    };
    expect(measure(large)).toEqual({ rtt: 100, upload: 800 });
  });

  it('asks nothing of a line without limits', () => {
    const free = { name: 'x', latency: 100 };
    expect(measuredNetwork(timeline([file('a', 0, 5, 100, 900, 100_000)]), NONE, free)).toEqual({ rtt: 100 });
  });
});

describe('a network that was not the one asked for', () => {
  it('is found beyond 15 %, in either direction', () => {
    expect(networkFindings(ASKED, { rtt: 115, download: 1400, upload: 900 })).toEqual([]);
    expect(networkFindings(ASKED, undefined)).toEqual([]);
    // A busy machine is late by some milliseconds, however near the line was to be.
    expect(networkFindings({ name: 'near', latency: 20 }, { rtt: 29 })).toEqual([]);
    expect(networkFindings(ASKED, { download: 1300 })).toMatchObject([
      { facts: { download: { asked: 1600, got: 1300 } } },
    ]);
    expect(networkFindings(ASKED, { rtt: 3, download: 9000, upload: 9000 })).toEqual([
      {
        code: 'network-conditions-off',
        urls: [],
        facts: {
          network: 'test',
          rtt: { asked: 100, got: 3 },
          download: { asked: 1600, got: 9000 },
          upload: { asked: ASKED.upload, got: 9000 },
        },
      },
    ]);
  });
});
