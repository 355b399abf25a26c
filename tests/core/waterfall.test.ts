import { describe, expect, it } from 'vitest';
import { buildHar } from '../../src/core/har/build.ts';
import { measure, visitOf } from '../../src/core/measure.ts';
import { readHar } from '../../src/core/sources/har.ts';
import { recordingOfHar } from '../../src/core/sources/har-recording.ts';
import { waterfallOf } from '../../src/core/waterfall.ts';
import { ORIGIN, POLICY, page, recordingOf, type Script, type Scripted } from '../support/scripted.ts';

const content: Scripted = { path: '/api', from: 100, to: 400, pieces: [300, 380] };
const stream: Scripted = { path: '/prices', from: 120, type: 'eventsource', pieces: [300, 900] };
const poll = Array.from({ length: 11 }, (_, i) => 500 + i * 1_000).map(
  (from): Scripted => ({ path: `/stock?t=${from}`, from, to: from + 30 }),
);
const drawn = (script: Script) => {
  const visit = visitOf(recordingOf(script), POLICY);
  return { visit, waterfall: waterfallOf(visit, POLICY, 1) };
};

describe('waterfallOf', () => {
  it('names the row of who asked, where that is known', () => {
    const frame: Scripted = { path: '/pic', from: 60, to: 90, type: 'image', initiator: 'parser' };
    const { rows } = drawn({ requests: page(frame, content), until: 4_000 }).waterfall;
    expect(rows.map(({ initiatorRow }) => initiatorRow)).toEqual([undefined, 'r0', undefined]);
  });

  it('marks the critical path', () => {
    const { waterfall, visit } = drawn({ requests: page(content, stream), until: 6_000 });
    expect(waterfall.critical).toEqual(['r0', 'r1']);
    expect(measure(visit, POLICY).criticalPath?.steps).toHaveLength(2);
  });

  it('says of network idle what the result says', () => {
    for (const requests of [page(content), page(content, stream), page(content, ...poll)]) {
      const { waterfall, visit } = drawn({ requests, until: 10_900 });
      const { state, at } = measure(visit, POLICY).pageComplete.raw;
      expect(waterfall.raw).toEqual({ state, ...(at !== undefined && { at }) });
    }
  });

  it('draws long tasks and bytes, and leaves out what nobody looked at', () => {
    const recording = recordingOf({ requests: page(content), until: 4_000 });
    const busy = {
      ...recording,
      page: { ...recording.page, longTasks: [{ at: 50, duration: 70 }] },
    } as typeof recording;
    const painted = { name: 'largest-contentful-paint', at: 390, detail: 'img', url: `${ORIGIN}/a.png` } as const;
    const visit = visitOf({ ...busy, marks: [...busy.marks, painted] }, POLICY);
    const waterfall = waterfallOf(visit, POLICY, 1);
    expect(waterfall.longTasks).toEqual([{ from: 50, to: 120 }]);
    expect(waterfall.bandwidth?.step).toBe(5);
    const har = buildHar(busy, visit.timeline, { version: '0' });
    const [read] = readHar(JSON.parse(JSON.stringify(har))).recordings;
    if (!read) throw new Error('the HAR has a page');
    expect(read.marks).toContainEqual(painted);
    const again = waterfallOf(visitOf(recordingOfHar(read), POLICY), POLICY, 1);
    expect(again.longTasks).toEqual(waterfall.longTasks);
    expect(again.bandwidth).toEqual(waterfall.bandwidth);
    expect(again.critical).toEqual(waterfall.critical);
    const { longTasks: _unseen, ...unwatched } = waterfall;
    const { longTasks: _none, ...unread } = busy.page ?? { finalUrl: '', title: '', layoutShifts: [] };
    expect(waterfallOf(visitOf({ ...busy, page: unread, marks: visit.recording.marks }, POLICY), POLICY, 1)).toEqual(
      unwatched,
    );
  });

  it('has nothing to mark on a page that is not complete', () => {
    const { waterfall } = drawn({ requests: page({ path: '/slow', from: 100 }), until: 1_000 });
    expect(waterfall.critical).toBeUndefined();
    expect(waterfall.raw).toEqual({ state: 'unconfirmed' });
    const capped = drawn({ requests: page({ path: '/slow', from: 100 }), until: 60_000 });
    expect(capped.waterfall.raw).toEqual({ state: 'never' });
  });
});
