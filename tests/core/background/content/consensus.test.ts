import { describe, expect, it } from 'vitest';
import {
  agree as agreeOn,
  observationsOf,
  observeRun,
  ruleFrom,
} from '../../../../src/core/background/content/consensus.ts';
import { visitOf } from '../../../../src/core/measure.ts';
import type { ContentKind, EndpointRule, Policy } from '../../../../src/model/background/verdict.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../../support/scripted.ts';

const polled = (times: number, from = 500): readonly Scripted[] =>
  Array.from({ length: times }, (_, i) => ({ path: '/stock', from: from + i * 1_000, to: from + i * 1_000 + 30 }));
const visit = (requests: readonly Scripted[], until: number, policy: Policy = POLICY) =>
  visitOf(recordingOf({ requests: page(...requests), until }), policy);
const kindsOf = ({ timeline, verdicts }: ReturnType<typeof visit>) =>
  timeline.requests.slice(1).map(({ id }) => verdicts.get(id)?.kind);

const agree = (runs: readonly ReturnType<typeof visit>[], proved: readonly EndpointRule[]) =>
  agreeOn(runs.map(observeRun), proved);

const endless = visit(polled(11), 11_000);
/** Its last two answers were late, and the run was over before the next question: it looks as if it had stopped. */
const hiccup = visit(polled(4), 9_000);
/** Over before there was a rhythm to see. */
const short = visit(polled(2), 2_000);

describe('agreement', () => {
  it('needs no rule where all runs say the same', () => {
    expect(agree([endless, endless], [])).toEqual([]);
    expect(agree([short, short], [])).toEqual([]);
    expect(agree([], [])).toEqual([]);
  });

  it('is what most of the runs saw that saw enough: one unlucky run does not move it', () => {
    const [rule, ...others] = agree([endless, hiccup, endless, short], []);
    expect(others).toEqual([]);
    expect(rule).toMatchObject({ endpoint: `GET ${ORIGIN}/stock?`, kind: 'poll' });
    expect(rule?.reason).toMatchObject({ code: 'in-runs', runs: 2, of: 4 });
    const learnt = rule ? [rule] : [];
    for (const run of [
      visit(polled(4), 9_000, { ...POLICY, learnt }),
      visit(polled(2), 2_000, { ...POLICY, learnt }),
    ]) {
      const [first, ...rest] = kindsOf(run);
      expect(first).toBeUndefined();
      expect(new Set(rest)).toEqual(new Set(['poll']));
    }
  });

  it('keeps content when the runs are even', () => {
    const rules = agree([endless, hiccup], []);
    expect(rules).toMatchObject([{ endpoint: `GET ${ORIGIN}/stock?` }]);
    expect(rules[0]?.kind).toBeUndefined();
    const learnt = visit(polled(11), 11_000, { ...POLICY, learnt: rules });
    expect(new Set(kindsOf(learnt))).toEqual(new Set([undefined]));
    expect([...learnt.overruled.values()][0]?.by).toEqual({ code: 'content-in-runs', runs: 1, of: 2 });
  });

  it('leaves what was proved as it is', () => {
    const proved: EndpointRule[] = [
      { endpoint: `GET ${ORIGIN}/stock?`, reason: { code: 'recorded', text: 'a job' }, confidence: 'certain' },
    ];
    expect(agree([endless, hiccup, endless], proved)).toEqual(proved);
  });
});

describe('what was learnt', () => {
  const key = (path: string, method = 'GET') => `${method} ${ORIGIN}${path}?`;
  const rule = (more: Partial<EndpointRule> & Pick<EndpointRule, 'endpoint'>): Policy => ({
    ...POLICY,
    learnt: [{ reason: { code: 'recorded', text: 'learnt' }, confidence: 'certain', ...more }],
  });

  it('is known from the first request on, and spares the watching', () => {
    const policy = rule({ endpoint: key('/stock'), kind: 'poll', content: [] });
    const taught = visit(polled(4), 4_000, policy);
    expect(kindsOf(taught)).toEqual(['poll', 'poll', 'poll', 'poll']);
    expect(taught.complete).toMatchObject({ state: 'complete', at: 60 });
    // Untaught, nobody knows after four seconds whether it will end.
    expect(visit(polled(4), 4_000).complete.state).toBe('unconfirmed');
  });

  it('holds for a connection whose address is made up for each load', () => {
    const stream = (path: string): Scripted => ({ path, from: 100, type: 'eventsource', messages: [200, 900, 1_700] });
    const at = (learnt: string, ...paths: readonly string[]) =>
      visit(paths.map(stream), 4_000, rule({ endpoint: key(learnt), kind: 'sse', content: [] })).complete;
    expect(at('/room/RAp26zKxX', '/room/WSngoZUog')).toMatchObject({ at: 60 });
    expect(at('/room/8aP26zK4x', '/room/WSngoZUog')).toMatchObject({ at: 60 });
    // Words are names of other things, and so is an id where the other one is asked for as well.
    expect(at('/room/standings', '/room/schedules')).toMatchObject({ at: 200 });
    expect(at('/room/RAp26zKxX', '/room/RAp26zKxX', '/room/WSngoZUog')).toMatchObject({ at: 200 });
  });

  it('says how many first answers of a series are content', () => {
    expect(
      kindsOf(visit(polled(4), 4_000, rule({ endpoint: key('/stock'), kind: 'poll', content: [{ counts: 2 }] }))),
    ).toEqual([undefined, undefined, 'poll', 'poll']);
  });

  it('says what the content of a stream is like: the page waits for it', () => {
    const stream: Scripted = { path: '/live', from: 100, type: 'eventsource', messages: [200, 900, 1_700, 5_000] };
    const at = (content: EndpointRule['content'], until: number) =>
      visit([stream], until, rule({ endpoint: key('/live'), kind: 'sse', ...(content && { content }) })).complete;
    const like = (counts: ContentKind['counts'], shape = 'bytes 0') => [{ shape, counts, by: 500 }] as const;
    expect(at([], 4_000)).toMatchObject({ state: 'complete', at: 60 });
    expect(at(like(1), 4_000)).toMatchObject({ state: 'complete', at: 200 });
    // The fourth comes after a whole quiet window without one: that is news.
    expect(at(like('all'), 9_000)).toMatchObject({ state: 'complete', at: 1_700 });
    // What was seen to come elsewhere is awaited, within reason.
    expect(at(like('all', 'bytes 7'), 4_900).state).toBe('unconfirmed');
    expect(at(like('all', 'bytes 7'), 9_200)).toMatchObject({
      state: 'unconfirmed',
      at: 60,
      waitingFor: [{ code: 'stream-content', endpoint: `GET ${ORIGIN}/live` }],
    });
    // Nobody knows: the first message may be content, and is as good as it.
    expect(at(undefined, 4_000)).toMatchObject({ state: 'complete', at: 200 });
  });

  it('leaves its own name to what is known by itself, and was proved to have no effect', () => {
    const pixel: Scripted = { path: '/dot', from: 90, to: 400, type: 'image', mimeType: 'image/gif', pieces: [399] };
    const report: Scripted = { path: '/batch', from: 90, to: 400, method: 'POST' };
    const learnt = [key('/dot'), key('/batch', 'POST')].flatMap(
      (endpoint) => rule({ endpoint, kind: 'no-effect', impact: 'none' }).learnt ?? [],
    );
    expect(kindsOf(visit([pixel, report], 5_000, { ...POLICY, learnt }))).toEqual(['beacon', 'no-effect']);
  });

  it('makes content of what looks like background', () => {
    const icon: Scripted = { path: '/dot', from: 90, to: 400, type: 'image', mimeType: 'image/gif', pieces: [399] };
    expect(visit([icon], 5_000).complete).toMatchObject({ at: 60 });
    const taught = visit(
      [icon],
      5_000,
      rule({ endpoint: key('/dot'), reason: { code: 'recorded', text: 'it is seen' } }),
    );
    expect(taught.complete).toMatchObject({ at: 400 });
    expect([...taught.overruled.values()]).toMatchObject([
      { kind: 'beacon', by: { code: 'recorded', text: 'it is seen' } },
    ]);
  });

  it('comes after what the user says', () => {
    const policy = { ...rule({ endpoint: key('/stock'), kind: 'poll', content: [] }), foreground: ['/stock'] };
    expect(new Set(kindsOf(visit(polled(4), 9_000, policy)))).toEqual(new Set([undefined]));
  });

  it('does not touch other questions at the same address', () => {
    const ask = (room: number, from: number): Scripted => ({ path: `/who?room=${room}`, from, to: from + 9 });
    const policy = rule({ endpoint: `GET ${ORIGIN}/who?room`, fixed: { room: '1' }, kind: 'poll', content: [] });
    expect(kindsOf(visit([ask(1, 100), ask(2, 200), ask(1, 300)], 4_000, policy))).toEqual(['poll', undefined, 'poll']);
  });
});

describe('a series that looked done', () => {
  const learnt = observationsOf(hiccup).map((observation) => ruleFrom(observation));

  it('is content as long as it takes about as long as where it was learnt', () => {
    expect(learnt).toMatchObject([{ endpoint: `GET ${ORIGIN}/stock?`, reason: { code: 'done' }, lasted: 3_000 }]);
    expect(kindsOf(visit(polled(11), 11_000, { ...POLICY, learnt }))).toEqual(Array(11).fill(undefined));
  });

  it('is judged by itself where it goes on: it had only paused', () => {
    const kinds = kindsOf(visit(polled(16), 16_000, { ...POLICY, learnt }));
    expect(new Set(kinds.slice(1))).toEqual(new Set(['poll']));
  });
});
