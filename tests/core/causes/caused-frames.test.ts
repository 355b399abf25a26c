import { describe, expect, it } from 'vitest';
import { causedFrames } from '../../../src/core/causes/caused-frames.ts';
import { createChains } from '../../../src/core/causes/chains.ts';
import { SITE, tracer } from './tracer.ts';

const PAGE = 'A';
const INSERTED = 'StyleRecalcInvalidationTracking';

/** A page whose code asked for a price, and what it draws of it. */
function priced() {
  const trace = tracer();
  trace.send('price', 12);
  const changed = (at: number, frame = PAGE) => trace.event(INSERTED, at, { frame });
  const drawn = (at: number) => trace.span('Commit', at, at + 1, { layerTreeId: 1 });
  const frames = () => {
    const read = trace.read();
    const zero = 28_000_000_000;
    return causedFrames(read, createChains(read), PAGE, (traced) => Math.round((traced - zero) / 1000));
  };
  return { ...trace, changed, drawn, frames };
}

describe('a frame', () => {
  it('shows what the code changed that an answer had set going', () => {
    const page = priced();
    page.task(50, 60);
    page.event('ResourceReceivedData', 51, { requestId: 'price' });
    page.span('FunctionCall', 52, 58);
    page.changed(53);
    page.changed(55);
    page.drawn(70);
    page.drawn(90);
    expect(page.frames()).toEqual([{ at: 70, by: [{ requestId: 'price', since: 53, at: 55 }] }]);
  });

  it('shows what came long before, where a timer lies between', () => {
    const page = priced();
    page.task(50, 60);
    page.event('ResourceReceivedData', 51, { requestId: 'price' });
    page.span('FunctionCall', 52, 58);
    page.task(300, 310);
    page.span('TimerFire', 301, 309);
    page.step('setTimeout', 54, 302, 308);
    page.changed(305);
    page.drawn(320);
    expect(page.frames()).toEqual([{ at: 320, by: [{ requestId: 'price', since: 54, at: 305 }] }]);
  });

  it('shows what the parser adds, of which no request is the cause', () => {
    const page = priced();
    page.task(50, 60);
    page.span('ParseHTML', 51, 59);
    page.changed(53);
    page.drawn(70);
    expect(page.frames()).toEqual([{ at: 70, by: [{ since: 53, at: 53 }] }]);
  });

  it('is unclear where something changed of which nothing tells', () => {
    const page = priced();
    page.task(50, 60);
    page.changed(53);
    page.drawn(70);
    expect(page.frames()).toEqual([{ at: 70, by: [], unclear: true }]);
  });

  it('does not show what the browser derives from a change', () => {
    const page = priced();
    page.task(50, 60);
    page.span('UpdateLayoutTree', 51, 59);
    page.changed(53);
    page.drawn(70);
    expect(page.frames()).toEqual([]);
  });
});

it('the frames of other pages are left out, those of frames within the page are not', () => {
  const page = priced();
  const [other, within] = [
    { pid: 8, tid: 1 },
    { pid: 9, tid: 1 },
  ];
  page.event('FrameCommittedInBrowser', 1, { frame: 'B', url: `${SITE}/` });
  page.event('FrameCommittedInBrowser', 2, { frame: 'C', parent: PAGE, url: `${SITE}/` });
  for (const [thread, frame] of [
    [other, 'B'],
    [within, 'C'],
  ] as const) {
    page.task(50, 60, thread);
    page.span('ParseHTML', 51, 59, {}, thread);
    page.event(INSERTED, 53, { frame }, thread);
    page.span('Commit', 70 + thread.pid, 90, { layerTreeId: 1 }, thread);
  }
  expect(page.frames()).toEqual([{ at: 79, by: [{ since: 53, at: 53 }] }]);
});
