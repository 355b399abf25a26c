import { describe, expect, it } from 'vitest';
import {
  contentArrivals,
  filmAnswers,
  filmQuestions,
  holdable,
  prove,
  suspectsOf,
} from '../../../../src/core/background/content/evidence-rules.ts';
import { timesOf } from '../../../../src/core/background/content/source.ts';
import { visitOf } from '../../../../src/core/measure.ts';
import type { Impact } from '../../../../src/core/visual/impact.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../../support/scripted.ts';

const visit = (...requests: readonly Scripted[]) =>
  visitOf(recordingOf({ requests: page(...requests), until: 25_000 }), { ...POLICY, thorough: true });
const sse: Scripted = { path: '/live', from: 100, type: 'eventsource', messages: [200, 900, 24_000] };
const poll = Array.from(
  { length: 24 },
  (_, i): Scripted => ({ path: '/stock', from: 500 + i * 1_000, to: 520 + i * 1_000 }),
);
const pixel: Scripted = { path: '/dot', from: 90, to: 400, type: 'image', mimeType: 'image/gif', pieces: [399] };
const film = (impact: Impact['impact'], changedAt: readonly number[] = []): Impact => ({
  endpoint: '',
  impact,
  reason: { code: 'nothing-came' },
  effects: changedAt.map((at) => ({ arrival: at - 20, kind: 'fills', changedAt: at })),
});

describe('suspects', () => {
  it('are what looks like background, each with all of its requests and when its parts came', () => {
    const suspects = suspectsOf(visit(sse, ...poll, { path: '/api', from: 100, to: 300 }));
    expect(
      suspects.map(({ kind, requests, arrivals }) => [kind, requests.length, timesOf(arrivals).slice(0, 2)]),
    ).toEqual([
      ['sse', 1, [200, 900]],
      ['poll', 24, [520, 1_520]],
    ]);
  });

  it('are not what nobody could see, what the browser does for itself and what the user has decided', () => {
    const requests: Scripted[] = [
      { path: '/ping', from: 90, to: 99, type: 'ping', method: 'POST' },
      { path: '/collect', from: 90, to: 99, status: 204 },
      { path: '/favicon.ico', from: 90, to: 99, type: 'other', initiator: 'other' },
      { path: '/later', from: 90, to: 99, type: 'prefetch' },
    ];
    expect(suspectsOf(visit(...requests))).toEqual([]);
    const recording = recordingOf({ requests: page({ path: '/chat', from: 90, to: 99 }), until: 25_000 });
    expect(suspectsOf(visitOf(recording, { ...POLICY, background: ['/chat'] }))).toEqual([]);
  });

  it('leave the rest: when content came', () => {
    const loaded = visit(sse, { path: '/api', from: 100, to: 300, pieces: [250] });
    expect(contentArrivals(loaded, suspectsOf(loaded))).toEqual([40, 250, 300]);
  });

  it('can be held back by address, unless content shares it', () => {
    const alone = visit(sse);
    expect(holdable(suspectsOf(alone), alone.timeline).map(({ patterns }) => patterns)).toEqual([[`${ORIGIN}/live`]]);
    const ask = (name: string, from: number): Scripted => ({
      path: '/graphql',
      method: 'POST',
      from,
      to: from + 20,
      body: JSON.stringify({ operationName: name }),
    });
    const shared = visit(ask('Article', 100), ...poll.map(({ from }) => ask('Unread', from)));
    expect(suspectsOf(shared)).toHaveLength(1);
    expect(holdable(suspectsOf(shared), shared.timeline)).toEqual([]);
    // A parameter that content does not have tells them apart.
    const session = visit(
      { path: '/io?t=1', from: 100, to: 120 },
      ...poll.map(({ from, to = 0 }) => ({ path: `/io?t=${from}&sid=x`, from, to })),
    );
    expect(holdable(suspectsOf(session), session.timeline)[0]?.patterns).toEqual([`${ORIGIN}/io?*sid=*`]);
  });
});

describe('proof', () => {
  const rules = (
    requests: readonly Scripted[],
    impacts: readonly Impact[],
    same: boolean | undefined,
    cameAnotherWay = false,
    changedAt: readonly number[] = [],
  ) => {
    const loaded = visit(...requests);
    const suspects = suspectsOf(loaded);
    const questions = filmQuestions(suspects);
    const seen = filmAnswers(
      questions,
      questions.map(({ suspect }) => impacts[suspects.indexOf(suspect)] ?? film('unknown')),
      loaded.timeline.observedUntil,
    );
    const held = holdable(suspects, loaded.timeline);
    return prove(loaded, suspects, seen, same === undefined ? undefined : { held, same, cameAnotherWay }, {
      quietWindow: POLICY.quietWindow,
      changes: changedAt.map((at) => ({ at, share: 0.1, fills: false })),
    });
  };

  it('is complete when the page looks the same without it', () => {
    expect(rules([sse], [film('unknown')], true)).toMatchObject([
      { kind: 'sse', impact: 'none', content: [], confidence: 'certain' },
    ]);
    // A change that merely came at the same time was not its doing.
    expect(rules([sse], [film('first-content')], true)).toMatchObject([{ impact: 'none', content: [] }]);
  });

  it('is what the film saw when the page without it asked another way', () => {
    expect(rules([sse], [film('first-content')], true, true)).toMatchObject([{ impact: 'first-content' }]);
    expect(rules([sse], [film('unknown')], true, true)).toMatchObject([{ impact: 'none', content: [] }]);
  });

  it('keeps what content is like: all of what has ended, the first of what goes on', () => {
    const first = [{ shape: 'bytes 0', counts: 1, by: 100 }];
    expect(rules([sse], [film('first-content')], false)).toMatchObject([{ impact: 'first-content', content: first }]);
    expect(rules([sse], [film('continuous')], false)).toMatchObject([{ impact: 'continuous', content: first }]);
    const ended = { ...sse, messages: [200, 900] };
    expect(rules([ended], [film('first-content')], undefined)).toMatchObject([
      { content: [{ shape: 'bytes 0', counts: 'all', by: 100 }] },
    ]);
    expect(rules([sse, ...poll], [film('none'), film('first-content', [540, 1_540])], false)).toMatchObject([
      { content: [] },
      { content: [{ counts: 2 }] },
    ]);
  });

  it('is no news what a stream brings within a quiet window after the content of another', () => {
    const stream = (path: string, first: number): Scripted => ({
      path,
      from: 100,
      type: 'eventsource',
      messages: [first, first + 700, 24_000],
    });
    const contentOf = (...firsts: readonly number[]) =>
      rules(
        firsts.map((first, i) => stream(`/live/${['beds', 'calls', 'theatre'][i]}`, first)),
        firsts.map((first) => film('continuous', [first + 30])),
        undefined,
      ).map(({ content }) => content?.length);
    expect(contentOf(8_000, 5_500, 2_900)).toEqual([1, 1, 1]);
    expect(contentOf(8_600, 5_500, 2_900)).toEqual([0, 1, 1]);
    expect(contentOf(8_000)).toEqual([0]);
  });

  it('blames the only one that was held back for a picture that differs', () => {
    expect(rules([sse], [film('unknown', [950])], false)).toMatchObject([
      { impact: 'first-content', content: [{ shape: 'bytes 0', counts: 1 }] },
    ]);
  });

  it('blames nobody in particular among several: their first answers count', () => {
    const both = rules([sse, ...poll], [film('unknown'), film('none')], false);
    expect(both).toMatchObject([
      { kind: 'sse', impact: 'unknown' },
      { kind: 'poll', impact: 'unknown', content: [{ counts: 1 }] },
    ]);
    expect(both[0]).toMatchObject({ content: [{ counts: 1 }] });
    // When one of them is seen to have done it, the other is free.
    expect(rules([sse, ...poll], [film('first-content'), film('none')], false)).toMatchObject([
      { impact: 'first-content' },
      { impact: 'none', content: [] },
    ]);
  });

  it('overturns the verdict on a single answer that the page needs', () => {
    const [overturned] = rules([pixel], [film('first-content', [410])], false);
    expect(overturned).toMatchObject({
      reason: { code: 'different-without-it' },
      impact: 'first-content',
    });
    expect(overturned?.kind).toBeUndefined();
    expect(rules([pixel], [film('none')], true)).toMatchObject([{ kind: 'beacon', impact: 'none' }]);
    // A stream that was held back as well is the likelier cause of what nobody saw.
    expect(rules([pixel, sse], [film('unknown'), film('unknown')], false)[0]).toMatchObject({ kind: 'beacon' });
  });

  it('remembers what only looked endless on the way', () => {
    const job = Array.from(
      { length: 6 },
      (_, i): Scripted => ({ path: '/job', from: 500 + i * 900, to: 520 + i * 900 }),
    );
    const answer: Scripted = {
      path: '/answer',
      from: 100,
      to: 6_000,
      mimeType: 'text/plain',
      pieces: [300, 2_000, 5_900],
    };
    const learnt = rules([...job, answer], [], undefined);
    expect(learnt.map(({ endpoint, kind }) => [endpoint, kind])).toEqual([
      [`GET ${ORIGIN}/answer?`, undefined],
      [`GET ${ORIGIN}/job?`, undefined],
    ]);
  });
});
