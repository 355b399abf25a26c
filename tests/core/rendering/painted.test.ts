import { describe, expect, it } from 'vitest';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { boxOf, TIMINGS } from '../../../src/core/rendering/page-timings.ts';
import { waterfallOf } from '../../../src/core/waterfall.ts';
import type { RunResult } from '../../../src/model/result/result.ts';
import { totalsOf } from '../../../src/result/totals.ts';
import { ORIGIN, POLICY, page, recordingOf } from '../../support/scripted.ts';

const BOX = { x: 0, y: 0.1, width: 1, height: 0.6 };

describe('what was painted and what moved', () => {
  const recording = recordingOf({
    requests: page({ path: '/hero.webp', from: 60, to: 300, type: 'image', initiator: 'parser' }),
    until: 4_000,
  });
  const paint = { name: 'largest-contentful-paint', at: 310, detail: 'img#hero', url: `${ORIGIN}/hero.webp`, box: BOX };
  const shift = (score: number) => ({ at: 200, score, sources: [{ selector: 'h1', to: BOX }] });
  const visit = visitOf(
    {
      ...recording,
      marks: [...recording.marks, paint as (typeof recording.marks)[number]],
      page: { finalUrl: ORIGIN, title: '', layoutShifts: [0.01, 0.2, 0.03].map(shift) },
    },
    POLICY,
  );

  it('is named in the run, the largest shift first', () => {
    const run = measure(visit, POLICY);
    expect(run.largestContentfulPaint).toEqual({ url: `${ORIGIN}/hero.webp`, selector: 'img#hero', box: BOX });
    expect(run.layoutShifts?.map(({ score }) => score)).toEqual([0.2, 0.03, 0.01]);
  });

  it('marks its request in the waterfall', () => {
    expect(waterfallOf(visit, POLICY, 1).rows.map(({ largestPaint }) => largestPaint)).toEqual([undefined, true]);
  });

  it('is absent where nobody looked', () => {
    const run = measure(visitOf(recording, POLICY), POLICY);
    expect(run?.largestContentfulPaint).toBeUndefined();
    expect(run?.layoutShifts).toBeUndefined();
  });

  it('is read from whatever a file says', () => {
    const read = (sources: unknown) => TIMINGS.layoutShifts.kept.read({ at: 1, score: 0.1, sources });
    expect(read([{ selector: 'h1', to: { x: 0.123456, y: 0, width: 1, height: 1 } }, { selector: 3 }, 7])).toEqual({
      at: 1,
      score: 0.1,
      sources: [{ selector: 'h1', to: { x: 0.1235, y: 0, width: 1, height: 1 } }],
    });
    expect(read('all')).toEqual({ at: 1, score: 0.1 });
    expect(boxOf({ x: 0, y: 0, width: Number.NaN, height: 1 })).toBeUndefined();
  });
});

it('totals are told by type, by party and by site, and add up', () => {
  const run = measure(
    visitOf(recordingOf({ requests: page({ path: '/a.js', from: 60, to: 90, type: 'script' }), until: 4_000 }), POLICY),
    POLICY,
  );
  expect(run.bySite).toEqual([{ site: 'shop.test', party: 'first', requests: 2, transferSize: expect.any(Number) }]);
  const foreign = { site: 'ads.test', party: 'third' as const, requests: 3, transferSize: 700 };
  const complete = { index: 1, role: 'timed', ok: true, ...run, bySite: [...(run.bySite ?? []), foreign] };
  const totals = totalsOf([complete as unknown as RunResult]);
  expect(totals?.byParty?.third).toEqual({ requests: 3, transferSize: 700 });
  expect(totals?.byParty?.first?.requests).toBe(2);
});
