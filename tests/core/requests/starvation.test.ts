import { describe, expect, it } from 'vitest';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { starvationOf, withoutHeldBack } from '../../../src/core/requests/starvation.ts';
import { POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

const streams = (count: number, to?: number): readonly Scripted[] =>
  Array.from({ length: count }, (_, i) => ({
    path: `/events-${'abcdefgh'[i]}`,
    from: 100 + i,
    type: 'eventsource' as const,
    messages: [150],
    ...(to !== undefined && { to, canceled: true }),
  }));
/** Asked for at 220 ms, and sent only when a connection was free. */
const photo = (sentAt: number): Scripted => ({
  path: '/photo.jpg',
  from: 220,
  to: sentAt + 60,
  type: 'image',
  initiator: 'parser',
  sentAt,
  pieces: [sentAt + 50],
});
const visit = (...requests: readonly Scripted[]) =>
  visitOf(recordingOf({ requests: page(...requests), until: 9_000 }), POLICY);

describe('starvation', () => {
  it('names what was held back, for how long, and by whom', () => {
    const starved = visit(...streams(5), ...streams(6, 4_190).slice(5), photo(4_200));
    const [found, ...others] = starvationOf(starved.timeline, starved.verdicts);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ request: { url: expect.stringContaining('/photo.jpg') }, from: 220, to: 4_200 });
    expect(found?.culprits.length).toBeGreaterThanOrEqual(5);
    const { findings } = measure(starved, POLICY);
    const [finding] = findings.filter(({ code }) => code === 'stream-starvation');
    expect(finding?.facts).toMatchObject({
      url: expect.stringContaining('/photo.jpg'),
      from: 220,
      to: 4_200,
      others: 0,
    });
    // The page waits for the stream that ended, too.
    expect(finding).toMatchObject({ savesMs: 70 });
    expect(finding?.urls).toContain('https://shop.test/events-a');
    // It is slow, and the page with it: nothing of it is left out.
    expect(starved.complete).toMatchObject({ state: 'complete', at: 4_260 });
  });

  it('is told of a page that was never complete, as no fix: nobody knows what it cost', () => {
    const open = visit(...streams(6), photo(20_000));
    expect(open.complete.state).not.toBe('complete');
    const found = measure(open, POLICY).findings.filter(({ code }) => code === 'stream-starvation');
    expect(found).toMatchObject([{ facts: { url: expect.stringContaining('/photo.jpg'), from: 220 } }]);
    expect(found[0]).not.toHaveProperty('savesMs');
  });

  it('is none while a connection is free', () => {
    const free = visit(...streams(5), photo(4_200));
    expect(starvationOf(free.timeline, free.verdicts)).toEqual([]);
  });

  it('is none when the page itself fills its connections', () => {
    const own = Array.from(
      { length: 5 },
      (_, i): Scripted => ({ path: `/big-${'abcde'[i]}.jpg`, from: 90, to: 4_190, initiator: 'parser' }),
    );
    const busy = visit(...own, ...streams(1), photo(4_200));
    expect(starvationOf(busy.timeline, busy.verdicts)).toEqual([]);
  });

  it('is none when the wait was short', () => {
    const short = visit(...streams(6), photo(300));
    expect(starvationOf(short.timeline, short.verdicts)).toEqual([]);
  });

  it('keeps what was never sent from being called hung', () => {
    const never: Scripted = { path: '/photo.jpg', from: 220, type: 'image', initiator: 'parser', unanswered: true };
    const { timeline } = visit(...streams(6), never);
    const photos = timeline.requests.filter(({ url }) => url.endsWith('/photo.jpg'));
    expect(photos).toHaveLength(1);
    expect(withoutHeldBack(photos, timeline)).toEqual([]);
    const alone = visit(never).timeline;
    expect(withoutHeldBack(alone.requests, alone)).toEqual(alone.requests);
  });
});
