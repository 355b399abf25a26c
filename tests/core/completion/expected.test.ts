import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../../src/core/background/content/message-shape.ts';
import { endpointOf } from '../../../src/core/background/endpoint.ts';
import { FINISHED, judge } from '../../../src/core/completion/complete.ts';
import { learnExpected } from '../../../src/core/completion/expected.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { cutAt, shortEndingMisses } from '../../../src/core/short-ending.ts';
import { defined } from '../../../src/core/text/defined.ts';
import type { EndpointRule, Policy } from '../../../src/model/background/verdict.ts';
import type { ExpectedContent } from '../../../src/model/completion/expected.ts';
import type { Mark, Request } from '../../../src/model/network/timeline.ts';
import { POLICY, page, recordingOf, type Script, type Scripted, timelineOf } from '../../support/scripted.ts';

const { quietWindow } = POLICY;
const visit = (...requests: readonly Scripted[]) =>
  visitOf(recordingOf({ requests: page(...requests), until: 30_000 }), POLICY);
const learn = (...loads: readonly (readonly Scripted[])[]) =>
  loads.reduce<ExpectedContent | undefined>(
    (known, load) => learnExpected(known, visit(...load), quietWindow),
    undefined,
  );
const expecting = (...loads: readonly (readonly Scripted[])[]): Policy => {
  const expected = learn(...loads);
  if (!expected) throw new Error('nothing is expected');
  return { ...POLICY, expected };
};
const at = (script: Script, policy: Policy, now?: number) => judge(timelineOf(script), policy, now);

const api: Scripted = { path: '/api', from: 100, to: 400 };
const more: Scripted = { path: '/more', from: 500, to: 900 };

it('nothing is expected of a page that draws long after its network, in a time of its own', () => {
  const recording = recordingOf({ requests: page(api), until: 9_000 });
  const drawn = (after: number) =>
    visitOf({ ...recording, marks: [...recording.marks, { name: 'content-drawn', at: 400 + after }] }, POLICY);
  expect(learnExpected(undefined, drawn(350), quietWindow)).toBeDefined();
  expect(learnExpected(undefined, drawn(900), quietWindow)).toBeUndefined();
});

it('says nothing of network idle where background of a whole load came later', () => {
  const raw = (...later: readonly Scripted[]) => {
    const policy = expecting([api, ...later]);
    const script = recordingOf({ requests: page(api), until: 1_000 });
    return measure(visitOf(script, policy), policy).pageComplete;
  };
  const report: Scripted = { path: '/collect', from: 1_200, to: 1_300, type: 'ping', method: 'POST' };
  expect(raw()).toMatchObject({ decidedBy: 'expected-content', raw: { state: 'complete', at: 400 } });
  expect(raw({ ...report, from: 450, to: 480 }).raw).toEqual({ state: 'complete', at: 400 });
  expect(raw(report)).toMatchObject({ decidedBy: 'expected-content', raw: { state: 'unconfirmed', at: 400 } });
  const known = learn([api, report], [api]);
  expect(known?.busyLater).toBe(true);
});

it('a page that painted nothing in any whole load is not waited for to paint', () => {
  const recording = recordingOf({ requests: page(api), until: 30_000 });
  const watched = (...marks: readonly Mark[]) => {
    const commit = { name: 'document-commit', at: 20, loaderId: 'a' } as const;
    return { ...recording, marks: [commit, ...recording.marks, ...marks] };
  };
  const painted = watched({ name: 'first-contentful-paint', at: 350 });
  const expected = learnExpected(undefined, visitOf(watched(), POLICY), quietWindow);
  expect(expected?.patterns).toMatchObject([{ blank: true }]);
  const answer = (recorded: typeof recording, policy: Policy) => visitOf(cutAt(recorded, 2_000), policy).complete;
  expect(answer(watched(), { ...POLICY, ...defined({ expected }) })).toMatchObject({ state: 'complete', at: 400 });
  expect(answer(watched(), POLICY).state).toBe('unconfirmed');
  const reasonOf = (recorded: typeof recording) =>
    measure(visitOf(recorded, POLICY), POLICY).pageComplete.watchedReason;
  expect(reasonOf(watched())).toEqual({ code: 'first-paint' });
  expect(reasonOf(painted)).toMatchObject({ code: 'quiet-window' });
  // One load that painted is enough to wait; and one that paints now is another page.
  const both = learnExpected(expected, visitOf(painted, POLICY), quietWindow);
  expect(answer(watched(), { ...POLICY, ...defined({ expected: both }) }).state).toBe('unconfirmed');
  expect(answer(painted, { ...POLICY, ...defined({ expected }) }).state).toBe('unconfirmed');
});

it('the largest element is the same also where its id is made up for each load', () => {
  const drawn = (largest: string) => {
    const recording = recordingOf({ requests: page(api), until: 9_000 });
    const mark = { name: 'largest-contentful-paint', at: 350, detail: largest } as const;
    return visitOf({ ...recording, marks: [...recording.marks, mark] }, POLICY);
  };
  const patterns = (...largest: readonly string[]) =>
    largest.reduce<ExpectedContent | undefined>(
      (known, each) => learnExpected(known, drawn(each), quietWindow),
      undefined,
    )?.patterns.length;
  expect(
    patterns('div#id-318a3757-2359-4806-8026-3f8a2f9671ba.bar', 'div#id-fe190578-426e-4173-aaae-25f16f686a8e.bar'),
  ).toBe(1);
  expect(
    patterns('div#id-318a3757-2359-4806-8026-3f8a2f9671ba.bar', 'div#id-fe190578-426e-4173-aaae-25f16f686a8e.row'),
  ).toBe(2);
  expect(patterns('img#photo-1', 'img#photo-2')).toBe(2);
});

describe('a load that has all that whole loads needed', () => {
  const policy = expecting([api, more]);

  it('ends after a short silence, with the same answer', () => {
    const requests = page(api, more);
    expect(at({ requests, until: 1_400 }, policy)).toEqual({
      state: 'complete',
      at: 900,
      networkAt: 900,
      decidedAt: 1_400,
      decidedBy: 'expected-content',
    });
    expect(at({ requests, until: 1_399 }, policy)).toMatchObject({ state: 'pending', recheckAt: 1_400 });
  });

  it('is watched for the whole window where a worker is busy', () => {
    const { timeline } = visitOf(recordingOf({ requests: page(api, more), until: 4_000 }), POLICY);
    const busy = (when: number) => ({
      ...timeline,
      marks: [...timeline.marks, { name: 'other-thread-busy', at: when } as const],
    });
    expect(judge(busy(1_405), policy)).toMatchObject({ at: 900, decidedAt: 900 + quietWindow });
    // What it was busy with has led to more.
    expect(judge(busy(800), policy)).toMatchObject({ at: 900, decidedBy: 'expected-content' });
  });

  it('is judged again to the same answer, whatever the recording holds afterwards', () => {
    const requests = page(api, more, { path: '/beacon', from: 1_500, to: 1_600 });
    expect(at({ requests, until: 9_000 }, policy, FINISHED)).toMatchObject({ at: 900, decidedBy: 'expected-content' });
  });

  it.each<[string, readonly Scripted[]]>([
    ['lacks a request', [api]],
    ['has one more', [api, more, { path: '/new', from: 500, to: 850 }]],
    ['asks twice', [api, more, { ...more, from: 600 }]],
    ['gets an error', [api, { ...more, status: 500 }]],
    ['gets another order of size', [api, { ...more, pieces: Array.from({ length: 400 }, (_, i) => 501 + i) }]],
  ])('is watched for the whole window when it %s', (_, load) => {
    expect(at({ requests: page(...load), until: 2_500 }, policy).state).toBe('pending');
    expect(at({ requests: page(...load), until: 9_000 }, policy)).toMatchObject({ state: 'complete' });
    expect(at({ requests: page(...load), until: 9_000 }, policy)).not.toHaveProperty('decidedBy');
  });

  it('does not care for the order in which it asks', () => {
    const requests = page({ ...more, from: 100, to: 300 }, { ...api, from: 350, to: 700 });
    expect(at({ requests, until: 9_000 }, policy)).toMatchObject({ at: 700, decidedBy: 'expected-content' });
  });

  it('is watched for the whole window when another load needed the same and then more', () => {
    const both = expecting([api], [api, { ...more, from: 1_300, to: 1_500 }]);
    expect(both.expected?.patterns).toHaveLength(2);
    expect(at({ requests: page(api), until: 9_000 }, both)).not.toHaveProperty('decidedBy');
  });

  it('ends early where another load only got a larger body: nothing more comes of that', () => {
    const large: Scripted = { ...api, pieces: Array.from({ length: 400 }, (_, i) => 101 + i / 2) };
    const both = expecting([large, more], [api, more]);
    expect(both.expected?.patterns).toHaveLength(2);
    for (const load of [api, large]) {
      expect(at({ requests: page(load, more), until: 9_000 }, both)).toMatchObject({ decidedBy: 'expected-content' });
    }
  });
});

describe('a load event that a stream holds up', () => {
  // A camera in a document: its first picture is shown, and the load event fires, when the second one begins. Chrome says then
  // that the request has finished, until more comes.
  const load = (second: number, until: number): Script => ({
    requests: page(api, {
      path: '/camera',
      type: 'image',
      initiator: 'parser',
      mimeType: 'multipart/x-mixed-replace',
      from: 100,
      pieces: [110, ...Array.from({ length: 20 }, (_, i) => second + 500 * i)].filter((at) => at <= until),
      ...(until >= second && until < second + 500 && { to: second }),
    }),
    load: until < second ? null : second + 1,
    until,
  });
  const learnt: EndpointRule = {
    endpoint: endpointOf(timelineOf(load(700, 9_000)).requests.find(({ type }) => type === 'image') as Request).key,
    kind: 'http-stream',
    reason: { code: 'replaces-itself', pieces: 12 },
    confidence: 'certain',
  };
  const known: Policy = { ...POLICY, learnt: [learnt] };
  const whole = visitOf(recordingOf(load(700, 9_000)), known);
  const policy: Policy = { ...known, ...defined({ expected: learnExpected(undefined, whole, quietWindow) }) };

  it.each([800, 1_400])('is waited for where whole loads had it, at %i ms', (second) => {
    expect(at(load(second, second + 499), policy)).toMatchObject({ state: 'pending' });
    expect(at(load(second, second + 501), policy)).toMatchObject({ at: second + 1, decidedBy: 'expected-content' });
  });
});

describe('a stream that pauses in the middle of its content', () => {
  const rows = (...pieces: readonly number[]): Scripted => ({ path: '/rows', from: 100, pieces });
  const endpoint = endpointOf(timelineOf({ requests: [rows()], until: 1_000 }).requests[0] as Request).key;
  const learnt: EndpointRule = {
    endpoint,
    kind: 'http-stream',
    content: [{ shape: shapeOf({ at: 0, bytes: 10, direction: 'received' }).shape, counts: 'all' }],
    reason: { code: 'same-without-it' },
    confidence: 'certain',
  };
  const policy: Policy = { ...POLICY, learnt: [learnt] };
  const whole = visitOf(recordingOf({ requests: page(rows(300, 500, 700)), until: 30_000 }), policy);

  it('is watched for the whole window until as much of it has come as in a whole load', () => {
    const expected = learnExpected(undefined, whole, quietWindow);
    const decided = (...pieces: readonly number[]) =>
      at({ requests: page(rows(...pieces)), until: 2_500 }, { ...policy, ...defined({ expected }) });
    expect(expected?.patterns[0]?.requests).toContainEqual(expect.objectContaining({ parts: 3 }));
    expect(decided(300, 500, 700)).toMatchObject({ state: 'complete', at: 700, decidedBy: 'expected-content' });
    expect(decided(300, 500).state).toBe('pending');
  });
});

describe('the short silence', () => {
  it('is longer than any that was seen inside the content, with a margin', () => {
    expect(learn([api, more])?.quietWindow).toBe(500);
    expect(learn([api, { ...more, from: 1_000, to: 1_100 }])?.quietWindow).toBe(1_000);
    expect(learn([api, more], [api, { ...more, from: 1_300, to: 1_400 }])?.quietWindow).toBe(1_500);
  });

  it('is none where a page is silent in the middle for too long', () => {
    expect(learn([api, { ...more, from: 2_400, to: 2_500 }])).toBeUndefined();
  });

  it('counts the pauses of a stream that brings content', () => {
    const stream: Scripted = { path: '/words', from: 100, to: 3_000, pieces: [200, 900, 1_600, 2_300] };
    expect(learn([stream])?.quietWindow).toBe(500);
  });

  it('is none for a page that loads in another way each time', () => {
    const loads = Array.from({ length: 13 }, (_, i) => [{ ...api, path: `/variant-${'abcdefghijklm'[i]}` }]);
    expect(learn(...loads.slice(0, 12))?.patterns).toHaveLength(12);
    expect(learn(...loads)).toBeUndefined();
  });
});

describe('a whole load', () => {
  it('shows what a short ending would have missed', () => {
    const policy = expecting([api]);
    const expected = policy.expected as ExpectedContent;
    expect(shortEndingMisses(visit(api), POLICY, expected)).toBe(false);
    expect(shortEndingMisses(visit(api, { ...more, from: 1_200, to: 1_500 }), POLICY, expected)).toBe(true);
    // It starts before the short silence is over, so it is waited for.
    expect(shortEndingMisses(visit(api, { ...more, from: 800, to: 1_500 }), POLICY, expected)).toBe(false);
  });

  it('shows that also where a load ends later than after its silence: what was asked twice may be asked again', () => {
    const twice: readonly Scripted[] = [
      { ...api, to: 1_250 },
      { path: '/index', from: 300, to: 350 },
      { path: '/index', from: 1_300, to: 1_350 },
    ];
    const policy = expecting(twice);
    const late = visit(...twice, { ...more, from: 3_000, to: 3_100 });
    const cutAfter = (silence: number) => visitOf(cutAt(late.recording, 1_350 + silence), policy).complete.state;
    expect([cutAfter(500), cutAfter(1_500)]).toEqual(['unconfirmed', 'complete']);
    expect(shortEndingMisses(late, POLICY, policy.expected as ExpectedContent)).toBe(true);
  });

  it('gives the same answer when it is cut off where a short ending ends it', () => {
    const request = fc.record({
      from: fc.integer({ min: 60, max: 3_000 }),
      lasts: fc.integer({ min: 1, max: 900 }),
    });
    fc.assert(
      fc.property(
        fc.array(request, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: -30, max: 30 }),
        (load, shift) => {
          const first = load.map(
            ({ from, lasts }, i): Scripted => ({ path: `/${'abcdefgh'[i]}`, from, to: from + lasts }),
          );
          const expected = learn(first);
          if (!expected) return;
          const again = recordingOf({
            requests: page(...first.map((each) => ({ ...each, from: each.from + shift, to: (each.to ?? 0) + shift }))),
            until: 30_000,
          });
          const whole = visitOf(again, POLICY).complete;
          const short = visitOf(again, { ...POLICY, expected }).complete;
          if (short.state !== 'complete' || whole.state !== 'complete') throw new Error('both are complete');
          const cut = visitOf(cutAt(again, short.decidedAt), { ...POLICY, expected }).complete;
          expect(cut).toEqual(short);
          expect(cut).toMatchObject({ at: whole.at });
        },
      ),
    );
  });
});
