import { describe, expect, it } from 'vitest';
import { drawsEvery } from '../../src/core/drawn-in-turns.ts';
import { shapeOfText } from '../../src/core/message-shape.ts';
import type { PageComplete } from '../../src/model/completion.ts';
import type { Message } from '../../src/model/timeline.ts';
import type { EndpointRule } from '../../src/model/verdict.ts';
import { request } from '../support/factories.ts';

const PRICE = '{"symbol":"WOOL","price":12}';
const every = (pause: number, from = 300, to = 20_000): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / pause) + 1 }, (_, i) => from + i * pause);
const drawn = (times: readonly number[], after = 0) => times.map((at) => ({ at: at + after, share: 0.01 }));

/** How often a page draws whose socket said that at these times, and that was complete after 2 s. */
const turns = (
  times: readonly number[],
  changes: ReturnType<typeof drawn>,
  { state = 'complete', updates = [] }: { readonly state?: string; readonly updates?: readonly number[] } = {},
) => {
  const said = (text: string, at: number): Message => ({ at, bytes: text.length, direction: 'received', text });
  const socket = request({
    url: 'wss://shop.test/live',
    type: 'websocket',
    messages: [
      ...times.map((at) => said(PRICE, at)),
      ...updates.map((at) => said('{"update":{"price":12}}', at)),
      ...every(90).map((at) => said('{"type":"ping"}', at)),
    ],
  });
  const rule: EndpointRule = {
    endpoint: 'GET wss://shop.test/live?',
    content: [{ shape: shapeOfText(PRICE).shape, counts: 'places' }],
    reason: { code: 'not-filmed' },
    confidence: 'likely',
  };
  const complete = { state, at: 2_000, networkAt: 2_000, decidedAt: 5_000 } as PageComplete;
  const timeline = { requests: [socket], marks: [], observedUntil: 20_000 };
  return drawsEvery({ complete, timeline }, [rule], changes);
};

describe('a page that draws what messages have brought meanwhile by a timer', () => {
  it('draws evenly, and long after most of them', () => {
    expect(turns(every(170), drawn(every(1_000)))).toBe(1_000);
    expect(turns(every(430), drawn(every(1_000)))).toBe(1_000);
  });

  it('may change nothing in one of its turns, and take two frames for another', () => {
    const some = every(1_000).filter((_, i) => i !== 7 && i !== 12);
    expect(turns(every(170), drawn([...some, 5_316].toSorted((a, b) => a - b)))).toBe(1_000);
  });

  it('is none that draws each when it comes', () => {
    expect(turns(every(1_000), drawn(every(1_000), 40))).toBeUndefined();
    expect(turns(every(310), drawn(every(310), 40))).toBeUndefined();
    // Before the page was complete they came too fast to tell.
    const first = every(60, 300, 2_000);
    expect(
      turns([...first, ...every(490, 2_300, 8_000)], drawn([...every(500, 300, 2_000), ...every(490, 2_310, 8_010)])),
    ).toBeUndefined();
    // Three of four are about what is not seen.
    expect(turns(every(310), drawn(every(1_240), 40))).toBeUndefined();
  });

  it('is none that draws updates of another kind when they come', () => {
    const first = [300, 900, 1_900];
    expect(turns(first, drawn([400, ...every(1_300, 3_000)], 40), { updates: every(1_300, 3_000) })).toBeUndefined();
    expect(turns(first, drawn([400, ...every(1_300, 3_000)], 40), { updates: every(430, 3_000) })).toBe(1_300);
  });

  it('is none that draws at odd times, or too seldom to tell', () => {
    const odd = [2_100, 2_900, 3_400, 5_100, 6_500, 7_000, 9_300, 9_800, 12_000];
    expect(turns(every(170), drawn(odd))).toBeUndefined();
    expect(turns(every(170), drawn(every(4_000)))).toBeUndefined();
  });

  it('is known only where content came by messages, and the page was complete', () => {
    expect(turns([], drawn(every(1_000)))).toBeUndefined();
    expect(turns(every(170), drawn(every(1_000)), { state: 'unconfirmed' })).toBeUndefined();
  });
});
