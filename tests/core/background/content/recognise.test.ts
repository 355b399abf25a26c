import { describe, expect, it } from 'vitest';
import { shapeOfText } from '../../../../src/core/background/content/message-shape.ts';
import { recognise } from '../../../../src/core/background/content/recognise.ts';
import { type Arrival, arrivalsOfStream } from '../../../../src/core/background/content/source.ts';
import type { ContentKind } from '../../../../src/model/background/verdict.ts';
import { request, response } from '../../../support/factories.ts';

const ROW = '{"type":"row","id":1}';
const { shape } = shapeOfText(ROW);
const said = (text: string, ...times: readonly number[]): readonly Arrival[] =>
  arrivalsOfStream(
    request({
      type: 'websocket',
      startedAt: 100,
      endedAt: undefined,
      messages: times.map((at) => ({ at, bytes: text.length, direction: 'received', text })),
    }),
  );
const beats = said('{"type":"ping"}', ...Array.from({ length: 40 }, (_, i) => 1_000 + i * 500));
const found = (arrivals: readonly Arrival[], content: readonly ContentKind[], observedUntil = 20_000) =>
  recognise(arrivals, content, { from: 100, isOpen: true, observedUntil, quietWindow: 3_000 });

describe('messages', () => {
  it('are all content of a shape that ended, however many there are', () => {
    for (const times of [[300], [300, 900], [300, 500, 700, 2_900]]) {
      const content = [{ shape, counts: 'all', by: 200 }] as const;
      expect(found([...said(ROW, ...times), ...beats], content)).toMatchObject({
        last: { at: times.at(-1) },
        parts: times.length,
      });
    }
  });

  it('end with the first quiet window without content', () => {
    expect(found(said(ROW, 300, 3_200, 6_300), [{ shape, counts: 'all' }])).toMatchObject({ last: { at: 3_200 } });
  });

  it('are content that are about something new, and the first where nothing says what they are about', () => {
    const rows = [1, 2, 1, 3, 2, 1].flatMap((id, i) => said(`{"type":"row","id":${id}}`, 300 + i * 100));
    const last = (counts: 'places' | number) => found(rows, [{ shape, counts }]);
    expect(last('places')).toMatchObject({ last: { at: 600 } });
    expect(last(1)).toMatchObject({ last: { at: 300 } });
  });

  it('are awaited as long as another load had to wait, and not for ever', () => {
    const content = [{ shape, counts: 'all', by: 2_000 }] as const;
    expect(found(beats, content, 4_000)).toEqual({ state: 'awaited' });
    expect(found(beats, content, 9_200)).toEqual({ state: 'missing' });
  });

  it('are no content where nothing was, or only updates', () => {
    expect(found(beats, [])).toBeUndefined();
    expect(found(said(ROW, 300), [{ shape, counts: 0 }])).toBeUndefined();
  });
});

describe('answers', () => {
  const answers = (...sizes: readonly (number | undefined)[]): readonly Arrival[] =>
    sizes.map((contentSize, i) => ({
      at: contentSize === undefined ? Number.POSITIVE_INFINITY : 140 + i * 700,
      request: request({ startedAt: 100 + i * 700, contentSize: contentSize ?? 0, response: response() }),
    }));
  const result: ContentKind = { shape: 'status 200', bytes: 400, counts: 1, by: 2_000 };
  const number = (arrivals: readonly Arrival[], kind: ContentKind, observedUntil?: number): unknown => {
    const own = found(arrivals, [kind], observedUntil);
    return own?.state === 'came' ? arrivals.indexOf(own.last) + 1 : own?.state;
  };

  it('are content up to the result of a job wherever it comes, and not after a count', () => {
    expect(number(answers(40, 410, 410), result)).toBe(2);
    expect(number(answers(40, 40, 40, 40, 40, 40, 390, 390), result)).toBe(7);
  });

  it('are awaited until the result came, and not for ever', () => {
    expect(number(answers(40, 40, 40), result, 5_000)).toBe('awaited');
    expect(number(answers(40, 40, 40), result, 10_000)).toBe('missing');
  });

  it('are content by their number, also one that is still to come', () => {
    expect(number(answers(40, 40, 40), { counts: 2 })).toBe(2);
    expect(number(answers(40, undefined), { counts: 2 })).toBe(2);
  });
});
