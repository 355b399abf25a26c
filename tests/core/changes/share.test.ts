import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../../src/core/background/endpoint.ts';
import { classify } from '../../../src/core/background/index.ts';
import { moveLessons, shareLessons, visitAt } from '../../../src/core/changes/share.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { Learnt } from '../../../src/model/verdict.ts';
import { request, timeline } from '../../factories.ts';
import { POLICY, recordingOf } from '../../scripted.ts';
import { BASE, CANDIDATE } from './builds.ts';

function lesson(url: string, parts: Partial<Learnt> = {}): Learnt {
  return {
    endpoint: endpointOf({ method: 'GET', url }).key,
    kind: 'poll',
    because: 'asked every second',
    confidence: 'likely',
    ...parts,
  };
}

function content(url: string, parts: Partial<Learnt> = {}): Learnt {
  const { kind: _kind, ...rest } = lesson(url, { because: 'asked several times, and then done', ...parts });
  return rest;
}

function share(base: readonly Learnt[], candidate: readonly Learnt[]) {
  return shareLessons({ learnt: base, pageUrl: `${BASE}/` }, { learnt: candidate, pageUrl: `${CANDIDATE}/` });
}

/** What both are judged by, without what is told of it. */
const rules = (lessons: readonly Learnt[]) =>
  lessons.map(({ because: _because, endpoint, ...rule }) => ({
    ...rule,
    endpoint: endpoint.replace(/127\.0\.0\.1:\d+/, 'own'),
  }));

it('gives each build what the other learnt, at its own origin', () => {
  const { base, candidate } = share(
    [lesson(`${BASE}/a?t=1`)],
    [lesson(`${CANDIDATE}/b`), lesson('https://else.test/c')],
  );
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
  expect(base[1]?.because).toBe('asked every second (seen in the candidate)');
  expect(candidate[1]?.because).toBe('asked every second');
});

it('translates sockets, between plain and encrypted pages too', () => {
  const socket = lesson('ws://127.0.0.1:4000/live', { kind: 'websocket' });
  const { candidate } = shareLessons(
    { learnt: [socket], pageUrl: `${BASE}/` },
    { learnt: [], pageUrl: 'https://new.test/x' },
  );
  expect(candidate[0]?.endpoint).toBe('GET wss://new.test/live?');
});

describe('where the builds contradict each other', () => {
  it.each([
    ['content wins', content(`${BASE}/a`), lesson(`${CANDIDATE}/a`), { kind: undefined }],
    [
      'the larger part that is content wins',
      lesson(`${BASE}/a`, { contentParts: 0 }),
      lesson(`${CANDIDATE}/a`, { contentParts: 2 }),
      { contentParts: 2 },
    ],
    ['who could tell wins', lesson(`${BASE}/a`), lesson(`${CANDIDATE}/a`, { contentParts: 0 }), { contentParts: 0 }],
    [
      'the larger impact wins',
      lesson(`${BASE}/a`, { impact: 'none' }),
      lesson(`${CANDIDATE}/a`, { impact: 'continuous' }),
      { impact: 'continuous' },
    ],
    [
      'none is more than not known',
      lesson(`${BASE}/a`, { impact: 'unknown' }),
      lesson(`${CANDIDATE}/a`, { impact: 'none' }),
      { impact: 'none' },
    ],
    [
      'the surer kind wins',
      lesson(`${BASE}/a`, { confidence: 'possible' }),
      lesson(`${CANDIDATE}/a`, { kind: 'long-poll', confidence: 'certain' }),
      { kind: 'long-poll', confidence: 'possible' },
    ],
  ])('%s', (_what, ours, theirs, expected) => {
    const { base, candidate } = share([ours], [theirs]);
    expect(base).toHaveLength(1);
    expect({ kind: base[0]?.kind, ...base[0] }).toMatchObject(expected);
    expect(rules(base)).toEqual(rules(candidate));
  });

  it('gives the same answer when the builds are swapped, and when it is shared twice', () => {
    const ours = [
      lesson(`${BASE}/a`, { kind: 'long-poll', contentParts: 1 }),
      content(`${BASE}/b`),
      lesson(`${BASE}/c`, { fixed: { room: '7' } }),
    ];
    const theirs = [lesson(`${CANDIDATE}/a`), lesson(`${CANDIDATE}/b`, { impact: 'none' }), content(`${CANDIDATE}/d`)];
    const there = share(ours, theirs);
    const back = shareLessons({ learnt: theirs, pageUrl: `${CANDIDATE}/` }, { learnt: ours, pageUrl: `${BASE}/` });
    const inOrder = (lessons: readonly Learnt[]) =>
      rules(lessons).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    expect(inOrder(back.candidate)).toEqual(inOrder(there.base));
    expect(inOrder(back.base)).toEqual(inOrder(there.candidate));
    expect(rules(there.base)).toEqual(rules(there.candidate));
    const again = share(there.base, there.candidate);
    expect(rules(again.base)).toEqual(rules(there.base));
    expect(again.base.every(({ because }) => (because.match(/seen in/g) ?? []).length < 2)).toBe(true);
  });
});

describe('questions at one endpoint', () => {
  it('keeps those apart that have other values', () => {
    const rooms = [
      lesson(`${BASE}/r?room=7`, { fixed: { room: '7' } }),
      lesson(`${BASE}/r?room=8`, { fixed: { room: '8' } }),
    ];
    const { candidate } = share(rooms, [lesson(`${CANDIDATE}/r?room=7`, { fixed: { room: '7' }, contentParts: 1 })]);
    expect(candidate.map(({ fixed, contentParts }) => [fixed?.room, contentParts])).toEqual([
      ['7', 1],
      ['8', undefined],
    ]);
  });

  it('takes the only ones for the same although a value is the build’s own', () => {
    const { base, candidate } = share(
      [lesson(`${BASE}/p?build=1`, { fixed: { build: '1' }, contentParts: 0 })],
      [lesson(`${CANDIDATE}/p?build=2`, { fixed: { build: '2' }, contentParts: 1 })],
    );
    expect(base).toMatchObject([{ fixed: { build: '1' }, contentParts: 1 }]);
    expect(candidate).toMatchObject([{ fixed: { build: '2' }, contentParts: 1 }]);
  });
});

it('judges a request alike in a build whose own runs had nothing to say of it', () => {
  const asked = (origin: string) => timeline([request({ id: 'once', url: `${origin}/stock?t=1` })]);
  const { base, candidate } = share([], [lesson(`${CANDIDATE}/stock?t=1`, { contentParts: 0 })]);
  const verdicts = (origin: string, learnt: readonly Learnt[]) =>
    [...classify(asked(origin), { ...POLICY, learnt }).verdicts.values()].map(({ kind }) => kind);
  expect(verdicts(BASE, base)).toEqual(['poll']);
  expect(verdicts(CANDIDATE, candidate)).toEqual(['poll']);
  expect(verdicts(BASE, [])).toEqual([]);
});

it('puts content last in both builds, so that it is not overruled', () => {
  const { base, candidate } = share([content(`${BASE}/e`)], [lesson(`${CANDIDATE}/e?`, { fixed: { room: '7' } })]);
  for (const lessons of [base, candidate]) expect(lessons.map(({ kind }) => kind)).toEqual(['poll', undefined]);
});

it('does not change what it is given', () => {
  const ours = Object.freeze([Object.freeze(lesson(`${BASE}/a`)), Object.freeze(content(`${BASE}/b`))]);
  expect(() => share(ours, ours)).not.toThrow();
});

it('moves what belongs to the page along with it, and nothing else', () => {
  const learnt = [lesson(`${BASE}/a`), { ...lesson(`${BASE}/b`), endpoint: 'GET https://cdn.test/b' }];
  const moved = moveLessons(learnt, `${BASE}/page`, `${CANDIDATE}/page`);
  expect(moved.map(({ endpoint }) => endpoint)).toEqual([lesson(`${CANDIDATE}/a`).endpoint, 'GET https://cdn.test/b']);
});

it('shows a visit as it would be at another origin', () => {
  const urls = [`${BASE}/a?b=1`, 'https://cdn.test/c'];
  const seen = {
    ...visitOf(recordingOf({ requests: [], until: 1 }), POLICY),
    timeline: timeline(urls.map((url, i) => request({ id: `${i}`, url }))),
  };
  const there = visitAt(`${CANDIDATE}/`, seen, `${BASE}/`);
  expect(there.timeline.requests.map(({ url }) => url)).toEqual([`${CANDIDATE}/a?b=1`, 'https://cdn.test/c']);
});
