import { describe, expect, it } from 'vitest';
import { observeRun } from '../../../src/core/background/content/consensus.ts';
import { endpointOf } from '../../../src/core/background/endpoint.ts';
import { classify } from '../../../src/core/background/index.ts';
import { moveObservations, moveRules, shareRules } from '../../../src/core/changes/share.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { EndpointRule } from '../../../src/model/background/verdict.ts';
import { request, timeline } from '../../support/factories.ts';
import { POLICY, recordingOf } from '../../support/scripted.ts';
import { BASE, CANDIDATE } from './builds.ts';

function rule(url: string, parts: Partial<EndpointRule> = {}): EndpointRule {
  return {
    endpoint: endpointOf({ method: 'GET', url }).key,
    kind: 'poll',
    reason: { code: 'recorded', text: 'asked every second' },
    confidence: 'likely',
    ...parts,
  };
}

function content(url: string, parts: Partial<EndpointRule> = {}): EndpointRule {
  const { kind: _kind, ...rest } = rule(url, { reason: { code: 'done' }, ...parts });
  return rest;
}

function share(base: readonly EndpointRule[], candidate: readonly EndpointRule[]) {
  return shareRules({ learnt: base, pageUrl: `${BASE}/` }, { learnt: candidate, pageUrl: `${CANDIDATE}/` });
}

/** What both are judged by, without what is told of it. */
const rules = (rules: readonly EndpointRule[]) =>
  rules.map(({ reason: _reason, endpoint, ...rule }) => ({
    ...rule,
    endpoint: endpoint.replace(/127\.0\.0\.1:\d+/, 'own'),
  }));

it('gives each build what the other learnt, at its own origin', () => {
  const { base, candidate } = share([rule(`${BASE}/a?t=1`)], [rule(`${CANDIDATE}/b`), rule('https://else.test/c')]);
  expect(base.map(({ endpoint }) => endpoint)).toEqual([
    `GET ${BASE}/a?t`,
    `GET ${BASE}/b?`,
    'GET https://else.test/c?',
  ]);
  expect(candidate.map(({ endpoint }) => endpoint)).toEqual([
    `GET ${CANDIDATE}/a?t`,
    `GET ${CANDIDATE}/b?`,
    'GET https://else.test/c?',
  ]);
  const reason = { code: 'recorded', text: 'asked every second' };
  expect(base[1]?.reason).toEqual({ code: 'in-build', reason, build: 'candidate' });
  expect(candidate[1]?.reason).toEqual(reason);
});

it('translates sockets, between plain and encrypted pages too', () => {
  const socket = rule('ws://127.0.0.1:4000/live', { kind: 'websocket' });
  const { candidate } = shareRules(
    { learnt: [socket], pageUrl: `${BASE}/` },
    { learnt: [], pageUrl: 'https://new.test/x' },
  );
  expect(candidate[0]?.endpoint).toBe('GET wss://new.test/live?');
});

describe('where the builds contradict each other', () => {
  it.each([
    ['content wins', content(`${BASE}/a`), rule(`${CANDIDATE}/a`), { kind: undefined }],
    [
      'the larger part that is content wins',
      rule(`${BASE}/a`, { content: [] }),
      rule(`${CANDIDATE}/a`, { content: [{ counts: 2 }] }),
      { content: [{ counts: 2 }] },
    ],
    ['who could tell wins', rule(`${BASE}/a`), rule(`${CANDIDATE}/a`, { content: [] }), { content: [] }],
    [
      'the larger impact wins',
      rule(`${BASE}/a`, { impact: 'none' }),
      rule(`${CANDIDATE}/a`, { impact: 'continuous' }),
      { impact: 'continuous' },
    ],
    [
      'none is more than not known',
      rule(`${BASE}/a`, { impact: 'unknown' }),
      rule(`${CANDIDATE}/a`, { impact: 'none' }),
      { impact: 'none' },
    ],
    [
      'the surer kind wins',
      rule(`${BASE}/a`, { confidence: 'possible' }),
      rule(`${CANDIDATE}/a`, { kind: 'long-poll', confidence: 'certain' }),
      { kind: 'long-poll', confidence: 'possible' },
    ],
  ])('%s', (_what, ours, theirs, expected) => {
    const { base, candidate } = share([ours], [theirs]);
    expect(base).toHaveLength(1);
    expect({ kind: base[0]?.kind, ...base[0] }).toMatchObject(expected);
    expect(rules(base)).toEqual(rules(candidate));
  });

  it('each keeps what was shown of its own page', () => {
    const needed = content(`${BASE}/a`, { ofBuild: true });
    const { base, candidate } = share([needed], [rule(`${CANDIDATE}/a`, { kind: 'no-effect' })]);
    expect([base, candidate].map((each) => each.map(({ kind }) => kind))).toEqual([[undefined], ['no-effect']]);
    expect(share([needed], []).candidate).toEqual([]);
  });

  it('what only repaints a place in one build counts in the other, which it fills', () => {
    const stream = { kind: 'sse', content: [] } as const;
    const { base, candidate } = share(
      [rule(`${BASE}/a`, { ...stream, content: [{ shape: 'x', counts: 0 }] })],
      [rule(`${CANDIDATE}/a`, { ...stream, content: [{ shape: 'x', counts: 1 }] })],
    );
    expect(base[0]?.content).toEqual([{ shape: 'x', counts: 0 }]);
    expect(candidate[0]?.content).toEqual([{ shape: 'x', counts: 1 }]);
    // Shared twice it is the same.
    const again = shareRules({ learnt: base, pageUrl: `${BASE}/` }, { learnt: candidate, pageUrl: `${CANDIDATE}/` });
    expect(again).toEqual({ base, candidate });
  });

  it('gives the same answer when the builds are swapped, and when it is shared twice', () => {
    const ours = [
      rule(`${BASE}/a`, { kind: 'long-poll', content: [{ counts: 1 }] }),
      content(`${BASE}/b`),
      rule(`${BASE}/c`, { fixed: { room: '7' } }),
      rule(`${BASE}/e`, { content: [{ shape: 'status 200', bytes: 40, counts: 1, by: 900 }] }),
      rule(`${BASE}/f`, {
        kind: 'sse',
        content: [
          { shape: 'y', counts: 1, by: 20 },
          { shape: 'x', counts: 1 },
        ],
      }),
    ];
    const theirs = [
      rule(`${CANDIDATE}/a`),
      rule(`${CANDIDATE}/b`, { impact: 'none' }),
      content(`${CANDIDATE}/d`),
      rule(`${CANDIDATE}/e`, { content: [{ shape: 'status 200', bytes: 400, counts: 1, by: 2_900 }] }),
      rule(`${CANDIDATE}/f`, {
        kind: 'sse',
        content: [
          { shape: 'x', counts: 1 },
          { shape: 'y', counts: 'all', by: 70 },
        ],
      }),
    ];
    const there = share(ours, theirs);
    const back = shareRules({ learnt: theirs, pageUrl: `${CANDIDATE}/` }, { learnt: ours, pageUrl: `${BASE}/` });
    const inOrder = (given: readonly EndpointRule[]) =>
      rules(given).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(inOrder(back.candidate)).toEqual(inOrder(there.base));
    expect(inOrder(back.base)).toEqual(inOrder(there.candidate));
    expect(rules(there.base)).toEqual(rules(there.candidate));
    // The slower build says how long is waited, and the larger part is content.
    expect(there.base).toContainEqual(
      expect.objectContaining({ content: [{ shape: 'status 200', bytes: 400, counts: 1, by: 2_900 }] }),
    );
    const shapes = [
      { shape: 'x', counts: 1 },
      { shape: 'y', counts: 'all', by: 70 },
    ];
    expect(there.base).toContainEqual(expect.objectContaining({ content: shapes }));
    const again = share(there.base, there.candidate);
    expect(rules(again.base)).toEqual(rules(there.base));
    const nested = ({ reason }: EndpointRule): boolean =>
      reason.code === 'in-build' && reason.reason.code === 'in-build';
    expect(again.base.some(nested)).toBe(false);
  });
});

describe('questions at one endpoint', () => {
  it('keeps those apart that have other values', () => {
    const rooms = [
      rule(`${BASE}/r?room=7`, { fixed: { room: '7' } }),
      rule(`${BASE}/r?room=8`, { fixed: { room: '8' } }),
    ];
    const { candidate } = share(rooms, [
      rule(`${CANDIDATE}/r?room=7`, { fixed: { room: '7' }, content: [{ counts: 1 }] }),
    ]);
    expect(candidate.map(({ fixed, content: own }) => [fixed?.room, own])).toEqual([
      ['7', [{ counts: 1 }]],
      ['8', undefined],
    ]);
  });

  it('takes the only ones for the same although a value is the build’s own', () => {
    const { base, candidate } = share(
      [rule(`${BASE}/p?build=1`, { fixed: { build: '1' }, content: [] })],
      [rule(`${CANDIDATE}/p?build=2`, { fixed: { build: '2' }, content: [{ counts: 1 }] })],
    );
    expect(base).toMatchObject([{ fixed: { build: '1' }, content: [{ counts: 1 }] }]);
    expect(candidate).toMatchObject([{ fixed: { build: '2' }, content: [{ counts: 1 }] }]);
  });
});

it('judges a request alike in a build whose own runs had nothing to say of it', () => {
  const asked = (origin: string) => timeline([request({ id: 'once', url: `${origin}/stock?t=1` })]);
  const { base, candidate } = share([], [rule(`${CANDIDATE}/stock?t=1`, { content: [] })]);
  const verdicts = (origin: string, learnt: readonly EndpointRule[]) =>
    [...classify(asked(origin), { ...POLICY, learnt }).verdicts.values()].map(({ kind }) => kind);
  expect(verdicts(BASE, base)).toEqual(['poll']);
  expect(verdicts(CANDIDATE, candidate)).toEqual(['poll']);
  expect(verdicts(BASE, [])).toEqual([]);
});

it('puts content last in both builds, so that it is not overruled', () => {
  const { base, candidate } = share([content(`${BASE}/e`)], [rule(`${CANDIDATE}/e?`, { fixed: { room: '7' } })]);
  for (const rules of [base, candidate]) expect(rules.map(({ kind }) => kind)).toEqual(['poll', undefined]);
});

it('does not change what it is given', () => {
  const ours = Object.freeze([Object.freeze(rule(`${BASE}/a`)), Object.freeze(content(`${BASE}/b`))]);
  expect(() => share(ours, ours)).not.toThrow();
});

it('moves what belongs to the page along with it, and nothing else', () => {
  const learnt = [rule(`${BASE}/a`), { ...rule(`${BASE}/b`), endpoint: 'GET https://cdn.test/b' }];
  const moved = moveRules(learnt, `${BASE}/page`, `${CANDIDATE}/page`);
  expect(moved.map(({ endpoint }) => endpoint)).toEqual([rule(`${CANDIDATE}/a`).endpoint, 'GET https://cdn.test/b']);
});

it('shows what a run observed as it would be at another origin', () => {
  const urls = [`${BASE}/a?b=1`, `${BASE}/a?b=2`, `${BASE}/a?b=3`, 'https://cdn.test/c'];
  const seen = {
    ...visitOf(recordingOf({ requests: [], until: 1 }), POLICY),
    timeline: timeline(urls.map((url, i) => request({ id: `${i}`, url }))),
  };
  const there = moveObservations(observeRun(seen), `${BASE}/`, `${CANDIDATE}/`);
  const keyOf = (url: string) => endpointOf({ method: 'GET', url }).key;
  expect([...there.answered.keys()]).toEqual([keyOf(`${CANDIDATE}/a?b=1`), keyOf('https://cdn.test/c')]);
  expect(there.observations.map(({ endpoint }) => [endpoint.key, endpoint.label])).toEqual([
    [`GET ${CANDIDATE}/a?b`, `GET ${CANDIDATE}/a?*`],
  ]);
});
