import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/core/background/index.ts';
import { DEFAULT_POLICY } from '../../../src/core/completion/default-policy.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { NetworkEvent } from '../../../src/model/network/network.ts';
import type { Timeline } from '../../../src/model/network/timeline.ts';
import { verdictReasonInWords } from '../../../src/wording/background/verdict-reasons.ts';
import { eventsOf, marksOf, page, type Scripted } from '../../support/scripted.ts';

/** A recording in which some of what should have been told was not, and what was told came late. */
const trouble = fc.record({
  lost: fc.array(fc.nat(400), { maxLength: 8 }),
  late: fc.array(fc.tuple(fc.nat(400), fc.integer({ min: 1, max: 6 })), { maxLength: 12 }),
});
type Trouble = typeof trouble extends fc.Arbitrary<infer T> ? T : never;

function timelineWith(requests: readonly Scripted[], until: number, { lost, late }: Trouble): Timeline {
  const known = eventsOf(requests).filter((event) => event.at <= until);
  // What is lost is the end or the pieces, never that something was asked: without it there is no request.
  const kept = known.filter((event, i) => event.kind === 'request' || !lost.includes(i));
  const events = [...kept];
  for (const [from, by] of late) {
    const [event] = events.splice(from % Math.max(1, events.length), 1);
    if (event) events.splice(Math.min(events.length, (from % Math.max(1, events.length)) + by), 0, event);
  }
  return foldTimeline(inOrderOfHops(events), marksOf({ requests, until }), until);
}

/** The browser announces a request before it tells of it; everything else may change places. */
function inOrderOfHops(events: readonly NetworkEvent[]): readonly NetworkEvent[] {
  return [...events.filter(({ kind }) => kind === 'request'), ...events.filter(({ kind }) => kind !== 'request')];
}

function kinds(timeline: Timeline, path: string): readonly (string | undefined)[] {
  const { verdicts } = classify(timeline, DEFAULT_POLICY);
  return timeline.requests.filter(({ url }) => new URL(url).pathname === path).map(({ id }) => verdicts.get(id)?.kind);
}

const period = fc.integer({ min: 300, max: 8_000 });
/** Up to a quarter of a period early or late. */
const jitter = fc.array(fc.double({ min: -0.25, max: 0.25, noNaN: true }), { minLength: 6, maxLength: 12 });
const share = fc.double({ min: 0.02, max: 0.6, noNaN: true });

describe('whatever the jitter, the losses and the order', () => {
  it('knows a poll, and keeps its first answer', () => {
    fc.assert(
      fc.property(period, jitter, share, trouble, (every, jitters, answering, bad) => {
        const starts = jitters.map((early, i) => 500 + every * (i + early / 2));
        const asks = starts.map((from): Scripted => ({ path: '/stock', from, to: from + every * 0.7 * answering }));
        const until = (starts.at(-1) ?? 0) + every;
        const [first, ...rest] = kinds(timelineWith(page(...asks), until, { ...bad, lost: [] }), '/stock');
        expect(first).toBeUndefined();
        expect(new Set(rest)).toEqual(new Set(['poll']));
        // Of a poll whose answers are not told, all that one sees is that it is asked again.
        expect(kinds(timelineWith(page(...asks), until, bad), '/stock').at(-2)).toMatch(/poll|http-stream/);
      }),
    );
  });

  it('knows a long poll', () => {
    const holds = fc.array(fc.integer({ min: 1_600, max: 9_000 }), { minLength: 2, maxLength: 6 });
    const gaps = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(holds, gaps, (held, pauses) => {
        let at = 300;
        const asks = held.map((hold, i): Scripted => {
          const from = at;
          at += hold + (pauses[i] ?? 0);
          return { path: '/news', from, to: from + hold };
        });
        const open: Scripted = { path: '/news', from: at, unanswered: true };
        const timeline = timelineWith(page(...asks, open), at + 2_000, { lost: [], late: [] });
        expect(new Set(kinds(timeline, '/news'))).toEqual(new Set(['long-poll']));
      }),
    );
  });

  it('knows an endless stream from its second second on', () => {
    const gaps = fc.array(fc.integer({ min: 250, max: 3_000 }), { minLength: 3, maxLength: 20 });
    fc.assert(
      fc.property(gaps, (pauses) => {
        const pieces: number[] = [200];
        for (const pause of pauses) pieces.push((pieces.at(-1) ?? 0) + pause);
        const until = Math.max(2_400, (pieces.at(-1) ?? 0) + 100);
        const stream: Scripted = { path: '/feed', from: 150, pieces };
        expect(kinds(timelineWith(page(stream), until, { lost: [], late: [] }), '/feed')).toEqual(['http-stream']);
      }),
    );
  });
});

describe('never background, whatever the times', () => {
  const part = fc.record({
    from: fc.integer({ min: 0, max: 9_000 }),
    takes: fc.integer({ min: 1, max: 9_000 }),
    type: fc.constantFrom('script', 'stylesheet', 'font', 'fetch', 'xhr', 'image'),
  });

  it('answers of different endpoints that end', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), trouble, (parts, { late }) => {
        const requests = parts.map(
          ({ from, takes, type }, i): Scripted => ({
            path: `/part-${String.fromCharCode(97 + (i % 26))}${i > 25 ? 'x' : ''}`,
            from,
            to: from + takes,
            type: type as 'fetch',
            initiator: type === 'image' ? 'parser' : 'script',
            pieces: [from + takes / 2],
          }),
        );
        const timeline = timelineWith(page(...requests), 20_000, { lost: [], late });
        expect([...classify(timeline, DEFAULT_POLICY).verdicts]).toEqual([]);
      }),
    );
  });

  it('a series that is over: a list fetched page by page, a job that was done', () => {
    const pages = fc.array(fc.tuple(fc.integer({ min: 20, max: 2_000 }), fc.integer({ min: 0, max: 600 })), {
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(pages, (each) => {
        let at = 200;
        const starts: number[] = [];
        const requests = each.map(([takes, pause], i): Scripted => {
          const from = at;
          starts.push(from);
          at += takes + pause;
          return { path: '/list', from, to: from + takes, ...(i > 0 && { timer: 'setTimeout' as const }) };
        });
        const longest = Math.max(...starts.slice(1).map((start, i) => start - (starts[i] ?? 0)), 0);
        const over = at + longest * 4 + 3_000;
        expect(kinds(timelineWith(page(...requests), over, { lost: [], late: [] }), '/list')).toEqual(
          requests.map(() => undefined),
        );
      }),
    );
  });
});

describe('anything at all', () => {
  const soup = fc.array(
    fc.record({
      path: fc.constantFrom('/a', '/a?x=1', '/b/17', '/b/18', '/ws', '/c.m4s', '/'),
      from: fc.integer({ min: 0, max: 30_000 }),
      takes: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
      type: fc.constantFrom('fetch', 'xhr', 'image', 'script', 'websocket', 'eventsource', 'document', 'ping', 'media'),
      status: fc.constantFrom(200, 204, 304, 404, 503),
      failed: fc.boolean(),
      unanswered: fc.boolean(),
    }),
    { maxLength: 40 },
  );

  it('is judged without an error, speaks of what is there, and leaves it as it was', () => {
    fc.assert(
      fc.property(soup, trouble, fc.integer({ min: 0, max: 40_000 }), (requests, bad, until) => {
        const scripted = requests.map(
          ({ takes, type, ...each }): Scripted => ({
            ...each,
            type: type as 'fetch',
            ...(takes !== undefined && { to: each.from + takes }),
          }),
        );
        const timeline = timelineWith(page(...scripted), until, bad);
        const before = structuredClone(timeline);
        const { verdicts } = classify(timeline, DEFAULT_POLICY);
        const ids = new Set(timeline.requests.map(({ id }) => id));
        for (const [id, verdict] of verdicts) {
          expect(ids).toContain(id);
          expect(verdictReasonInWords(verdict.reason)).not.toMatch(/NaN|undefined|Infinity/);
          expect(verdict.counts?.from ?? 0).toBeLessThanOrEqual(verdict.counts?.to ?? Number.POSITIVE_INFINITY);
        }
        expect(timeline).toEqual(before);
      }),
    );
  });
});
