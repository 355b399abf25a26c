import { describe, expect, it } from 'vitest';
import { observationsOf } from '../../../src/core/background/content/consensus.ts';
import { suspectsOf } from '../../../src/core/background/content/evidence-rules.ts';
import { classify } from '../../../src/core/background/index.ts';
import { judge } from '../../../src/core/completion/complete.ts';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import type { Mark, Request } from '../../../src/model/network/timeline.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import { recording, request, response, timeline } from '../../support/factories.ts';

const ORIGIN = 'https://shop.test';
const marks: readonly Mark[] = [
  { name: 'dom-content-loaded', at: 300 },
  { name: 'load', at: 900 },
];
const main = request({
  id: 'main',
  loaderId: 'main',
  url: `${ORIGIN}/`,
  type: 'document',
  mainDocument: true,
  endedAt: 100,
});
const starts = (every: number, times: number, from = 400): readonly number[] =>
  Array.from({ length: times }, (_, i) => from + i * every);

/** A frame that is loaded anew at each of the times, with a picture and a frame within, which has a picture too. */
function frame(at: number, n: number): readonly Request[] {
  const load = (part: string, parts: Partial<Request>): Request =>
    request({ id: `${part}${n}`, startedAt: at, initiator: { type: 'parser' }, ...parts });
  const loaderId = `frame${n}`;
  const url = `${ORIGIN}/frame?t=${n}`;
  const initiator = { type: 'parser', url } as const;
  return [
    load('frame', { url, loaderId, type: 'document', endedAt: at + 100, initiator: { type: 'script' } }),
    load('ad', { url: `${ORIGIN}/ad.png`, loaderId, type: 'image', startedAt: at + 110, endedAt: at + 210 }),
    load('inner', {
      url: `${ORIGIN}/inner`,
      loaderId: `inner${n}`,
      type: 'document',
      startedAt: at + 120,
      endedAt: at + 180,
      initiator,
    }),
    load('deep', {
      url: `${ORIGIN}/deep.png`,
      loaderId: `inner${n}`,
      type: 'image',
      startedAt: at + 190,
      endedAt: at + 350,
    }),
  ];
}

/** A question that is answered only where it is redirected to. */
function redirected(at: number, n: number, parts: Partial<Request> = {}): readonly Request[] {
  return [
    request({
      id: `ask${n}:0`,
      url: `${ORIGIN}/ask?t=${n}`,
      startedAt: at,
      endedAt: at + 30,
      outcome: 'redirected',
      response: response({ at: at + 30, status: 302 }),
      ...parts,
    }),
    request({
      id: `ask${n}:1`,
      hop: 1,
      url: `${ORIGIN}/answer`,
      startedAt: at + 30,
      endedAt: at + 400,
      response: response({ at: at + 390 }),
      ...parts,
    }),
  ];
}

function kinds(requests: readonly Request[], overrides = {}, observedUntil = 15_000): Record<string, string> {
  const { verdicts } = classify(timeline(requests, { marks, observedUntil }), {
    ...DEFAULT_POLICY,
    ...overrides,
  });
  return Object.fromEntries([...verdicts].map(([id, { kind }]) => [id, kind]));
}

function visit(requests: readonly Request[]): Visit {
  const seen = timeline(requests, { marks, observedUntil: 15_000 });
  const complete = judge(seen, DEFAULT_POLICY);
  return { recording: recording(), timeline: seen, ...classify(seen, DEFAULT_POLICY), complete, raw: complete };
}

const frames = [main, ...starts(2_000, 8).flatMap(frame)];
const asked = [main, ...starts(1_500, 10).flatMap((at, n) => redirected(at, n))];

describe('what a frame loads that is loaded again and again', () => {
  it('shares its fate: the first counts, with all that is in it; the others do not', () => {
    const found = kinds(frames);
    for (const { id, mainDocument } of frames) {
      expect(found[id], id).toBe(id.endsWith('0') || mainDocument ? undefined : 'poll');
    }
    expect(judge(timeline(frames, { marks, observedUntil: 15_000 }), DEFAULT_POLICY)).toMatchObject({
      state: 'complete',
      networkAt: 900,
    });
  });

  it('is content where the frame stays, and where the user says so', () => {
    expect(kinds([main, ...frame(400, 0), ...frame(2_400, 1)], {}, 12_000)).toEqual({});
    const kept = kinds(frames, { foreground: ['/ad.png'] });
    expect(kept).toMatchObject({ frame3: 'poll', inner3: 'poll', deep3: 'poll' });
    expect(kept).not.toHaveProperty('ad3');
  });

  it('is no suspect of its own, and nothing is learnt of it', () => {
    expect(suspectsOf(visit(frames)).map(({ endpoint }) => endpoint.label)).toEqual([`GET ${ORIGIN}/frame?*`]);
    expect(observationsOf(visit(frames)).map(({ endpoint, kind }) => [endpoint.label, kind])).toEqual([
      [`GET ${ORIGIN}/frame?*`, 'poll'],
    ]);
  });
});

describe('the hops of a redirect', () => {
  it('share the fate of a question that is asked again and again', () => {
    const found = kinds(asked);
    for (const { id, mainDocument } of asked) {
      expect(found[id], id).toBe(id.startsWith('ask0') || mainDocument ? undefined : 'poll');
    }
  });

  it('are one suspect, whose answers are those that it was led to', () => {
    const [suspect, ...others] = suspectsOf(visit(asked));
    expect(others).toEqual([]);
    expect(suspect?.arrivals.map(({ at }) => at)).toEqual(starts(1_500, 10, 800));
    expect(observationsOf(visit(asked)).map(({ endpoint, kind }) => [endpoint.label, kind])).toEqual([
      [`GET ${ORIGIN}/ask?*`, 'poll'],
    ]);
  });

  it('share the fate of what they lead to: a report that is passed on to another', () => {
    const pixel = { type: 'image', initiator: { type: 'script' }, contentSize: 43, bodySize: 43 } as const;
    const report = redirected(2_000, 1, pixel);
    expect(kinds([main, ...report])).toEqual({ 'ask1:0': 'beacon', 'ask1:1': 'beacon' });
    const picture = report.map((each) => ({ ...each, contentSize: 5_000 }));
    expect(kinds([main, ...picture])).toEqual({});
  });

  it('are background when the user says it of one, and content when the user says that of another', () => {
    const once = [main, ...redirected(2_000, 1)];
    expect(kinds(once, { background: ['/ask'] })).toEqual({ 'ask1:0': 'user', 'ask1:1': 'user' });
    expect(kinds(once, { background: ['/ask'], foreground: ['/answer'] })).toEqual({ 'ask1:0': 'user' });
  });

  it('never make background of the document of the page', () => {
    const hop = { type: 'document', mainDocument: true } as const;
    expect(kinds(redirected(0, 1, hop), { background: ['/ask'] })).toEqual({ 'ask1:0': 'user' });
  });
});
