import { describe, expect, it } from 'vitest';
import { measure, visitOf } from '../../src/core/measure.ts';
import { ORIGIN, POLICY, page, recordingOf, type Script, type Scripted } from '../scripted.ts';

const measured = (script: Script, policy = POLICY) => measure(visitOf(recordingOf(script), policy), policy);
const content: Scripted = { path: '/api', from: 100, to: 400 };
const stream: Scripted = { path: '/prices', from: 120, type: 'eventsource', pieces: [300, 900] };
/** Goes on for longer than a job would be waited for. */
const poll = Array.from({ length: 11 }, (_, i) => 500 + i * 1_000).map(
  (from): Scripted => ({ path: `/stock?t=${from}`, from, to: from + 30 }),
);

describe('measure', () => {
  it('says what counting each endpoint would have cost', () => {
    const late: Scripted = { path: '/beacon', from: 700, to: 950, type: 'ping', method: 'POST' };
    const { background } = measured({ requests: page(content, stream, late, ...poll), until: 10_900 });
    expect(background.map(({ kind, countedState, cost }) => [kind, countedState, cost])).toEqual([
      ['sse', 'never', undefined],
      ['beacon', 'complete', 420],
      ['poll', 'never', undefined],
    ]);
  });

  it('says never of plain quiescence when a poll would break every silence', () => {
    const { pageComplete } = measured({ requests: page(content, ...poll), until: 10_900 });
    expect(pageComplete).toMatchObject({
      state: 'complete',
      at: 530,
      raw: { state: 'never', waitingFor: [`GET ${ORIGIN}/stock?*`] },
    });
  });

  it('names what set page-complete', () => {
    const because = (script: Script, policy = POLICY) => measured(script, policy).pageComplete.because;
    expect(because({ requests: page(content), until: 4_000 })).toBe('the last response it needed had come, /api');
    expect(because({ requests: page(), until: 4_000 })).toBe('its load event was over');
    expect(because({ requests: page(stream), until: 4_000 })).toBe(
      'the content that a stream brought had come, /prices',
    );
    expect(because({ requests: page(content), paints: [600], until: 4_000 })).toBe('the largest content was painted');
    expect(because({ requests: page(content), ownMark: 250, until: 4_000 }, { ...POLICY, completeOn: '#x' })).toBe(
      "the page's own mark was met: #x",
    );
  });

  it('says why it was watched longer than the quiet window, with addresses cut short', () => {
    const twice = [600, 3_200].map((from): Scripted => ({ path: `/inbox?at=${from}`, from, to: from + 30 }));
    const { pageComplete } = measured({ requests: page(content, ...twice), until: 9_000 });
    expect(pageComplete.watchedBecause).toBe(
      'the quiet window of 3.00 s, and it had to be seen whether GET /inbox?* makes it a habit (asked again after 2.60 s)',
    );
  });

  it('reports a load event that was held up', () => {
    const pixel: Scripted = { path: '/never.png', from: 50, type: 'image', unanswered: true };
    const { findings, pageComplete } = measured({ requests: page(content, pixel), load: null, until: 25_000 });
    expect(findings).toEqual([expect.objectContaining({ code: 'load-event-held', urls: [`${ORIGIN}/never.png`] })]);
    expect(pageComplete.withoutLoadEvent).toEqual([`${ORIGIN}/never.png`]);
  });
});

describe('findings', () => {
  it('name what the page asked for and did not get', () => {
    const missing: Scripted = { path: '/missing.png', from: 100, to: 200, type: 'image', status: 404 };
    const refused: Scripted = { path: '/refused', from: 100, to: 200, failed: true, unanswered: true };
    const givenUp: Scripted = { path: '/given-up', from: 100, to: 200, canceled: true };
    const { findings } = measured({ requests: page(content, missing, refused, givenUp), until: 4_000 });
    expect(findings).toEqual([
      expect.objectContaining({ code: 'broken-request', urls: [`${ORIGIN}/missing.png`, `${ORIGIN}/refused`] }),
    ]);
    expect(measured({ requests: page(content), until: 4_000 }).findings).toEqual([]);
  });

  const late: Scripted = { path: '/late', from: 3_600, to: 3_700 };

  it('name what came after a whole quiet window', () => {
    const found = (from: number) => measured({ requests: page(content, { ...late, from }), until: 9_000 }).findings;
    expect(found(3_600)).toEqual([expect.objectContaining({ code: 'late-content', urls: [`${ORIGIN}/late`] })]);
    expect(found(3_600)[0]?.message).toMatch(/^1 request came after page-complete, the first at 3\.60 s \(\/late\)/);
    expect(found(3_390)).toEqual([]);
  });

  it('never claim a silence that nobody waited for: the page had a mark of its own', () => {
    const policy = { ...POLICY, completeOn: '#done' };
    const script: Script = { requests: page(content, late), ownMark: 450, until: 9_000 };
    expect(measured(script, policy)).toMatchObject({ pageComplete: { state: 'complete', at: 450 }, findings: [] });
  });

  it('do not call late what an allowance of requests in flight let start before the silence', () => {
    const policy = { ...POLICY, maxInflight: 2 };
    const open = [2_000, 4_000].map((from): Scripted => ({ path: `/slow-${from}`, from, to: 11_000 }));
    const ask = (...more: readonly Scripted[]) =>
      measured({ requests: page(content, ...open, ...more), until: 12_000 }, policy);
    expect(ask()).toMatchObject({ pageComplete: { state: 'complete', networkAt: 400 }, findings: [] });
    const after = { ...late, path: '/after', from: 7_100, to: 7_200 };
    expect(ask(after).findings).toEqual([expect.objectContaining({ urls: [`${ORIGIN}/after`] })]);
  });
});
