import { describe, expect, it } from 'vitest';
import { limitExceeded } from '../../../src/core/conditions/limit-exceeded.ts';
import type { Request } from '../../../src/model/network/timeline.ts';
import { request, response, timeline } from '../../support/factories.ts';

/** 200 bytes a millisecond. */
const ASKED = { name: 'test', latency: 100, download: 1600 };

/** A body that arrived evenly from `from` to `to`. */
const body = (id: string, from: number, to: number, bytes: number, more: Partial<Request> = {}): Request =>
  request({ id, startedAt: from - 100, endedAt: to, bodySize: bytes, response: response({ at: from }), ...more });
const exceeded = (requests: readonly Request[], until = 10_000) => limitExceeded(timeline(requests), ASKED, until);
const finding = (got: number, lasted: number, shortBy: number) => [
  {
    code: 'network-limit-exceeded',
    urls: [],
    facts: { network: 'test', download: { asked: 1600, got }, lasted, shortBy },
  },
];

const PAGE = body('page', 200, 2_200, 400_000);
const frame = body('frame', 1_200, 3_200, 400_000, { target: 'iframe' });

describe('more than the limit', () => {
  it('is what several targets received while they loaded at once', () => {
    expect(exceeded([PAGE, frame])).toEqual(finding(3200, 1_000, 1_000));
    const worker = body('sw', 1_200, 2_200, 200_000, { target: 'service-worker' });
    expect(exceeded([PAGE, frame, worker])).toEqual(finding(4800, 1_000, 2_000));
  });

  it('is what a shared worker received at once', () => {
    const shared = body('shared', 1_000, 1_000, 400_000, { target: 'shared-worker' });
    expect(exceeded([PAGE, shared])).toMatchObject([{ facts: { lasted: 1, shortBy: 2_000 } }]);
  });

  it('is only what came before the page was complete', () => {
    expect(exceeded([PAGE, frame], 1_200)).toEqual([]);
    expect(exceeded([PAGE, frame], 1_700)).toEqual(finding(3200, 500, 500));
  });

  it('is not what came one after the other, nor so little that lumps of data explain it', () => {
    expect(exceeded([PAGE, body('frame', 2_200, 4_200, 400_000, { target: 'iframe' })])).toEqual([]);
    expect(exceeded([PAGE, body('frame', 2_000, 2_200, 40_000, { target: 'iframe' })])).toEqual([]);
    expect(exceeded([PAGE, body('frame', 200, 2_200, 50_000, { target: 'iframe' })])).toEqual([]);
  });

  it('is not what the page and its workers received, which have one limit', () => {
    expect(exceeded([PAGE, body('worker', 1_200, 3_200, 400_000, { target: 'worker' })])).toEqual([]);
  });

  it('is not what came from a cache or a service worker', () => {
    for (const from of [{ fromCache: 'disk' }, { fromServiceWorker: true }] as const) {
      expect(exceeded([PAGE, { ...frame, response: response({ at: 1_200, ...from }) }])).toEqual([]);
    }
  });

  it('is nothing on a line without a limit', () => {
    expect(limitExceeded(timeline([PAGE, frame]), { name: 'x', latency: 100 }, 10_000)).toEqual([]);
  });
});
