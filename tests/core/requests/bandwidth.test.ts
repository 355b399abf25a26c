import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandwidthOf } from '../../../src/core/requests/bandwidth.ts';
import type { Request } from '../../../src/model/network/timeline.ts';
import { request, response, timeline } from '../../support/factories.ts';

fc.configureGlobal({ seed: 20251122 });

const of = (requests: readonly Request[], observedUntil: number, loadedAt?: number) =>
  bandwidthOf(timeline(requests, { observedUntil }), loadedAt);
const sum = (values: readonly number[] = []): number => values.reduce((all, each) => all + each, 0);

describe('bandwidthOf', () => {
  it('scales decoded pieces to what came over the wire, headers where the answer began', () => {
    const chunks = [
      { at: 12, bytes: 300 },
      { at: 31, bytes: 100 },
    ];
    const zipped = request({
      endedAt: 40,
      response: response({ at: 5 }),
      chunks,
      contentSize: 400,
      transferSize: 140,
      bodySize: 100,
    });
    // 40 ms by spans of 1 ms.
    const seen = of([zipped], 40, 40);
    expect(seen?.step).toBe(1);
    expect(seen?.bytes).toHaveLength(40);
    expect([seen?.bytes[5], seen?.bytes[12], seen?.bytes[31], sum(seen?.bytes)]).toEqual([40, 75, 25, 140]);
  });

  it('spreads a body of which only the end is known over the time in which it came', () => {
    const whole = request({
      endedAt: 30,
      response: response({ at: 10 }),
      chunks: [{ at: 30, bytes: 2_000 }],
      contentSize: 2_000,
    });
    const seen = of([whole], 40, 40);
    expect(seen?.bytes.slice(9, 12)).toEqual([0, 100, 100]);
    expect([seen?.bytes[29], seen?.bytes[30], sum(seen?.bytes)]).toEqual([100, 0, 2_000]);
    // A size without any piece.
    expect(sum(of([request({ endedAt: 30, transferSize: 500, bodySize: 400 })], 40)?.bytes)).toBe(500);
  });

  it('counts what sockets received, and nothing that a cache or a service worker gave', () => {
    const socket = request({
      type: 'websocket',
      endedAt: undefined,
      messages: [
        { at: 10, bytes: 7, direction: 'received' },
        { at: 20, bytes: 90, direction: 'sent' },
      ],
    });
    expect(sum(of([socket], 40)?.bytes)).toBe(7);
    const chunks = [{ at: 20, bytes: 900 }];
    const cached = request({ chunks, transferSize: 0, bodySize: 0, response: response({ fromCache: 'memory' }) });
    const worked = request({ chunks, response: response({ fromServiceWorker: true }) });
    expect(of([cached, worked], 40)).toBeUndefined();
  });

  it('does not count the messages of an event stream again, which its pieces have', () => {
    const stream = request({
      type: 'eventsource',
      endedAt: undefined,
      chunks: [
        { at: 10, bytes: 30 },
        { at: 20, bytes: 30 },
      ],
      messages: [{ at: 10, bytes: 20, direction: 'received' }],
    });
    expect(sum(of([stream], 40)?.bytes)).toBe(60);
  });

  it('takes round spans: few over the load, and not too many over the recording', () => {
    const one = request({ transferSize: 10, bodySize: 0 });
    const steps = [
      [900, 1_000],
      [900, 4_000],
      [1_001, 4_000],
      [900, 60_000],
      [undefined, 60_000],
    ].map(([loadedAt, observedUntil]) => of([one], observedUntil ?? 0, loadedAt)?.step);
    expect(steps).toEqual([5, 5, 10, 100, 500]);
  });

  it('knows nothing where nothing is known', () => {
    expect(of([], 100)).toBeUndefined();
    expect(of([request()], 100)).toBeUndefined();
  });

  it('loses and invents no byte', () => {
    const anyRequest = fc
      .record({
        startedAt: fc.integer({ min: 0, max: 5_000 }),
        pieces: fc.array(
          fc.record({ after: fc.integer({ min: 0, max: 3_000 }), bytes: fc.integer({ min: 0, max: 90_000 }) }),
        ),
        headers: fc.integer({ min: 0, max: 900 }),
        ratio: fc.double({ min: 0.1, max: 1, noNaN: true }),
      })
      .map(({ startedAt, pieces, headers, ratio }) => {
        const chunks = pieces
          .toSorted((a, b) => a.after - b.after)
          .map(({ after, bytes }) => ({ at: startedAt + 1 + after, bytes }));
        const bodySize = Math.round(sum(chunks.map(({ bytes }) => bytes)) * ratio);
        return request({
          startedAt,
          endedAt: chunks.at(-1)?.at ?? startedAt + 1,
          response: response({ at: startedAt + 1 }),
          chunks,
          bodySize,
          transferSize: bodySize + headers,
        });
      });
    fc.assert(
      fc.property(
        fc.array(anyRequest, { minLength: 1 }),
        fc.integer({ min: 1, max: 9_000 }),
        (requests, observedUntil) => {
          const seen = of(requests, observedUntil, 2_000);
          expect(Math.abs(sum(seen?.bytes) - sum(requests.map(({ transferSize }) => transferSize ?? 0)))).toBeLessThan(
            1,
          );
          expect(Math.min(0, ...(seen?.bytes ?? []))).toBe(0);
          if (seen) expect(seen.bytes).toHaveLength(Math.ceil(observedUntil / seen.step));
        },
      ),
    );
  });
});
