import { describe, expect, it } from 'vitest';
import { FINISHED, judge } from '../../../src/core/completion/complete.ts';
import { learnExpected } from '../../../src/core/completion/expected.ts';
import { lateContentOf } from '../../../src/core/completion/late-content.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { Policy } from '../../../src/model/background/verdict.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted, timelineOf } from '../../support/scripted.ts';

const api: Scripted = { path: '/api', from: 100, to: 400 };
const late: Scripted = { path: '/recommendations', from: 3_800, to: 3_900 };
const visit = (...requests: readonly Scripted[]) =>
  visitOf(recordingOf({ requests: page(...requests), until: 9_000 }), POLICY);
const change = (at: number, share = 0.12) => ({ at, share, covered: 1 });

describe('content that comes after a whole quiet window', () => {
  it('is told with how much later it is asked for and how much of the picture it changes', () => {
    expect(lateContentOf(visit(api, late), [change(300), change(3_980), change(4_100, 0.05)], POLICY)).toEqual({
      after: 3_400,
      share: 0.12,
      urls: [`${ORIGIN}/recommendations`],
      awaited: [{ endpoint: `GET ${ORIGIN}/recommendations?`, by: 3_900 }],
    });
  });

  it('is none when it changes nothing, came in time, or never came', () => {
    expect(lateContentOf(visit(api, late), [change(300), change(6_000)], POLICY)).toBeUndefined();
    expect(lateContentOf(visit(api, { ...late, from: 3_000, to: 3_100 }), [change(3_150)], POLICY)).toBeUndefined();
    expect(
      lateContentOf(visit(api, { path: '/recommendations', from: 3_800 }), [change(3_850)], POLICY),
    ).toBeUndefined();
  });
});

describe('what the page draws by itself after a whole quiet window', () => {
  const drawn = (at: number, covered: number, share = 0.12) => ({ at, share, covered });

  it('is told where it fills an empty place', () => {
    expect(lateContentOf(visit(api), [change(300), drawn(4_400, 0.1)], POLICY)).toEqual({
      after: 4_000,
      share: 0.12,
      urls: [],
      awaited: [],
    });
  });

  it('is not what takes the place of another, what is small, or what came in time', () => {
    expect(
      lateContentOf(visit(api), [drawn(4_400, 0.5), drawn(4_800, 0, 0.005), drawn(2_000, 0)], POLICY),
    ).toBeUndefined();
  });

  it('is not what something brought', () => {
    const chat: Scripted = { path: '/chat', from: 90, type: 'websocket', messages: [200, 4_300] };
    expect(lateContentOf(visit(api, chat), [drawn(4_400, 0)], POLICY)).toBeUndefined();
  });
});

describe('awaited content', () => {
  const awaited: Policy = { ...POLICY, awaited: [{ endpoint: `GET ${ORIGIN}/recommendations?`, by: 3_900 }] };
  const at = (until: number, now: number | undefined, ...requests: readonly Scripted[]) =>
    judge(timelineOf({ requests: page(...requests), until }), awaited, now);

  it('counts, also where it comes later than it was learnt', () => {
    expect(at(6_900, undefined, api, late)).toMatchObject({ state: 'complete', at: 3_900, decidedAt: 6_900 });
    const later = { ...late, from: 5_000, to: 5_500 };
    expect(at(4_000, undefined, api, later).state).toBe('pending');
    expect(at(8_500, FINISHED, api, later)).toMatchObject({ state: 'complete', at: 5_500 });
    expect(at(20_000, FINISHED, api, later)).toMatchObject({ state: 'complete', at: 5_500 });
  });

  it('is named while it is waited for, and leaves the answer unconfirmed when it never comes', () => {
    expect(at(5_000, undefined, api)).toMatchObject({
      state: 'pending',
      waitingFor: [{ code: 'endpoint', endpoint: `GET ${ORIGIN}/recommendations` }],
    });
    expect(at(7_800, FINISHED, api)).toMatchObject({ state: 'unconfirmed', at: 400 });
  });

  it('does not keep a load from ending early once it has come', () => {
    const whole = visitOf(recordingOf({ requests: page(api, late), until: 9_000 }), awaited);
    const expected = learnExpected(undefined, whole, POLICY.quietWindow);
    expect(expected?.quietWindow).toBe(500);
    const policy: Policy = { ...awaited, ...(expected && { expected }) };
    const timeline = timelineOf({ requests: page(api, late), until: 4_400 });
    expect(judge(timeline, policy)).toMatchObject({ state: 'complete', at: 3_900, decidedBy: 'expected-content' });
  });
});
