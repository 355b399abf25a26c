import { describe, expect, it } from 'vitest';
import { learnExpected } from '../../src/core/completion/expected.ts';
import { measure, visitOf } from '../../src/core/measure.ts';
import { defined } from '../../src/core/text/defined.ts';
import { ORIGIN, POLICY, page, recordingOf, type Script, type Scripted } from '../support/scripted.ts';

/** What is measured of a page; what can be fixed about it has tests of its own. */
const measured = (script: Script, policy = POLICY) => {
  const facts = measure(visitOf(recordingOf(script), policy), policy);
  return { ...facts, findings: facts.findings.filter((finding) => !('savesMs' in finding)) };
};
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

  it('says never of network idle when a poll would break every silence', () => {
    const { pageComplete } = measured({ requests: page(content, ...poll), until: 10_900 });
    expect(pageComplete).toMatchObject({
      state: 'complete',
      at: 530,
      raw: { state: 'never', waitingForFacts: [{ code: 'endpoint', endpoint: `GET ${ORIGIN}/stock?*` }] },
    });
  });

  it('has one finding of dialogs and popups that differ in figures alone, and says how many there were', () => {
    const dialog = (at: number, text: string) =>
      ({ at, code: 'dialog', facts: { type: 'alert', accepted: true, text } }) as const;
    const recording = {
      ...recordingOf({ requests: page(content), until: 9_000 }),
      incidents: [
        ...Array.from({ length: 1_330 }, (_, i) => dialog(i, `Item ${i} is sold out`)),
        dialog(1_400, 'Welcome'),
        ...[1, 2].map((i) => ({ at: 1_500, code: 'popup', facts: { url: `https://ads.example/${i}` } }) as const),
        ...[1, 2].map((i) => ({ at: 1_600, code: 'soft-navigation', facts: { url: `${ORIGIN}/${i}` } }) as const),
      ],
    };
    const { findings } = measure(visitOf(recording, POLICY), POLICY);
    const alert = { type: 'alert', accepted: true };
    expect(findings.filter(({ code }) => /dialog|popup|navigation/.test(code)).map(({ facts }) => facts)).toEqual([
      { ...alert, text: 'Item 0 is sold out', times: 1_330 },
      { ...alert, text: 'Welcome' },
      { url: 'https://ads.example/1', times: 2 },
      { url: `${ORIGIN}/1` },
      { url: `${ORIGIN}/2` },
    ]);
  });

  describe('says of network idle', () => {
    const idle = (until: number, requests: readonly Scripted[], policy = POLICY) => {
      const { pageComplete, background } = measured({ requests: page(content, ...requests), until }, policy);
      expect(pageComplete).toMatchObject({ state: 'complete', at: 400 });
      return [pageComplete.raw, background.map(({ countedState }) => countedState)] as const;
    };
    /** Reports, one each `every` ms, each answered after 150 ms. */
    const reports = (times: number, every: number): readonly Scripted[] =>
      Array.from({ length: times }, (_, i) => 420 + i * every).map((from) => ({
        path: `/tr?at=${from}`,
        method: 'POST',
        type: 'ping',
        from,
        to: from + 150,
      }));
    const unknown = expect.objectContaining({ state: 'unconfirmed' });
    const never = expect.objectContaining({ state: 'never' });

    it('when a burst of reports was over, and nothing while it was not', () => {
      expect(idle(3_600, reports(4, 5))).toEqual([{ state: 'complete', at: 585 }, ['complete']]);
      const expected = learnExpected(
        undefined,
        visitOf(recordingOf({ requests: page(content, ...reports(4, 5)), until: 9_000 }), POLICY),
        3_000,
      );
      const short = { ...POLICY, ...defined({ expected }) };
      expect(idle(950, reports(4, 5), short)).toEqual([unknown, ['unconfirmed']]);
      expect(idle(3_500, reports(40, 100))).toEqual([unknown, ['unconfirmed']]);
    });

    it('never of reports that go on for longer than other suspects are watched', () => {
      expect(idle(3_500, reports(99, 500))).toEqual([unknown, ['unconfirmed']]);
      expect(idle(10_500, reports(99, 500))).toEqual([never, ['never']]);
      expect(idle(12_000, reports(16, 500))).toEqual([{ state: 'complete', at: 8_070 }, ['complete']]);
    });

    it('never of a report only where it was open for as long as what hangs', () => {
      const open: Scripted = { path: '/tr', method: 'POST', type: 'ping', from: 420, unanswered: true };
      expect(idle(12_000, [open])).toEqual([unknown, ['unconfirmed']]);
      expect(idle(36_000, [open])).toEqual([never, ['never']]);
    });

    it('when a service worker has filled its cache, however long that takes', () => {
      const files = Array.from({ length: 24 }, (_, i) => 450 + i * 200).map(
        (from, i): Scripted => ({ path: `/part-${i}.js`, target: 'service-worker', from, to: from + 220 }),
      );
      const [raw, states] = idle(3_500, files);
      expect(raw).toEqual(unknown);
      expect(states).not.toContain('never');
      expect(idle(9_000, files)[0]).toEqual({ state: 'complete', at: 5_270 });
      const many = Array.from(
        { length: 99 },
        (_, i): Scripted => ({ ...files[0], path: `/part.js?${i}`, from: 450 + i * 200, to: 640 + i * 200 }),
      );
      expect(idle(12_000, many)[0]).toEqual(unknown);
    });

    it('never of the file of another tool, which ends when its user had enough', () => {
      const recording = recordingOf({ requests: page(content, ...poll), until: 10_900 });
      const raw = (more: Partial<typeof recording>) => {
        const file = { ...recording, ...more };
        return measure(visitOf(file, POLICY), POLICY).pageComplete.raw;
      };
      expect(raw({})).toEqual(never);
      expect(raw({ foreign: { mayLeaveOutOpen: false } })).toMatchObject({ state: 'unconfirmed', at: 10_530 });
    });

    it('never of a stream that is open, and of what other loads saw to go on', () => {
      expect(idle(3_500, [{ ...stream, pieces: [300] }])).toEqual([never, ['never']]);
      const news: Scripted = { path: '/news', from: 420, pieces: [450, 900, 1_900, 2_900] };
      const rule = {
        endpoint: `GET ${ORIGIN}/news?`,
        kind: 'http-stream',
        reason: { code: 'supposed' },
        confidence: 'certain',
        content: [],
      } as const;
      expect(idle(3_500, [news], { ...POLICY, learnt: [rule] })).toEqual([never, ['never']]);
      const { pageComplete } = measured({ requests: page(content, news), until: 3_500 });
      expect(pageComplete.raw).toEqual(unknown);
    });
  });

  it('knows of network idle what the silence after a calm page proves', () => {
    const icon: Scripted = { path: '/favicon.ico', from: 410, to: 700, type: 'manifest' };
    const rawOf = (requests: readonly Scripted[], policy = POLICY) =>
      measured({ requests: page(...requests), ownMark: 250, until: 3_400 }, policy).pageComplete.raw;
    expect(rawOf([content, icon])).toEqual({ state: 'complete', at: 700 });
    const { to: _, ...open } = icon;
    expect(rawOf([content, open])).toMatchObject({ state: 'unconfirmed' });
    // Of what may go on, and of a page that was watched until its own mark, a silence of that length says nothing.
    expect(rawOf([content, { ...icon, type: 'ping', method: 'POST' }])).toMatchObject({ state: 'unconfirmed' });
    expect(rawOf([content, icon], { ...POLICY, completeOn: '#x' })).toMatchObject({ state: 'unconfirmed' });
  });

  it('knows nothing of network idle where a load ended before a poll that others saw came again', () => {
    const expected = learnExpected(
      undefined,
      visitOf(recordingOf({ requests: page(content), until: 9_000 }), POLICY),
      3_000,
    );
    const ended = (kind: 'poll' | 'speculative') => {
      const reason = { code: 'supposed' } as const;
      const rule = { endpoint: `GET ${ORIGIN}/stock?`, kind, reason, confidence: 'certain' } as const;
      const policy = { ...POLICY, ...defined({ expected }), learnt: [rule] };
      return measured({ requests: page(content), until: 1_000 }, policy).pageComplete;
    };
    expect(ended('poll')).toMatchObject({ decidedBy: 'expected-content', raw: { state: 'unconfirmed' } });
    expect(ended('speculative')).toMatchObject({ decidedBy: 'expected-content', raw: { state: 'complete', at: 400 } });
  });

  it('names what set page-complete', () => {
    const reason = (script: Script, policy = POLICY) => measured(script, policy).pageComplete.reason;
    expect(reason({ requests: page(content), until: 4_000 })).toEqual({ code: 'response', url: `${ORIGIN}/api` });
    expect(reason({ requests: page(), until: 4_000 })).toEqual({ code: 'load' });
    expect(reason({ requests: page(stream), until: 4_000 })).toEqual({
      code: 'stream-content',
      url: `${ORIGIN}/prices`,
    });
    expect(reason({ requests: page(content), paints: [600], until: 4_000 })).toEqual({ code: 'paint' });
    const marked: Script = { requests: page(content), ownMark: 250, until: 4_000 };
    expect(measured(marked, { ...POLICY, completeOn: '#x' }).pageComplete).toMatchObject({
      decidedBy: 'mark',
      reason: { code: 'mark', completeOn: '#x' },
    });
    expect(measured({ requests: page(), until: 4_000 }).pageComplete.decidedBy).toBe('quiet-window');
  });

  it('says why it was watched longer than the quiet window', () => {
    const twice = [600, 3_200].map((from): Scripted => ({ path: `/inbox?at=${from}`, from, to: from + 30 }));
    const { pageComplete } = measured({ requests: page(content, ...twice), until: 9_000 });
    expect(pageComplete.watchedReason).toEqual({
      code: 'quiet-window',
      quietWindow: 3_000,
      questions: [{ code: 'becomes-rhythm', endpoint: `GET ${ORIGIN}/inbox?*`, interval: 2_600 }],
    });
  });

  it('reports a load event that was held up', () => {
    const pixel: Scripted = { path: '/never.png', from: 50, type: 'image', unanswered: true };
    const { findings, pageComplete } = measured({ requests: page(content, pixel), load: null, until: 40_000 });
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
      // What the page cannot do without is named first.
      expect.objectContaining({ code: 'broken-request', urls: [`${ORIGIN}/refused`, `${ORIGIN}/missing.png`] }),
    ]);
    expect(measured({ requests: page(content), until: 4_000 }).findings).toEqual([]);
  });

  const late: Scripted = { path: '/late', from: 3_600, to: 3_700 };

  it('name what came after a whole quiet window', () => {
    const found = (from: number) => measured({ requests: page(content, { ...late, from }), until: 9_000 }).findings;
    expect(found(3_600)).toEqual([expect.objectContaining({ code: 'late-content', urls: [`${ORIGIN}/late`] })]);
    expect(found(3_600)).toMatchObject([{ facts: { requests: 1, firstAt: 3_600, firstUrl: `${ORIGIN}/late` } }]);
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
