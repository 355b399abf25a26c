import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../../src/core/background/endpoint.ts';
import { FINISHED, judge, judgeRaw } from '../../../src/core/completion/complete.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { NetworkEvent } from '../../../src/model/network/network.ts';
import type { Mark } from '../../../src/model/network/timeline.ts';
import { eventsOf, ORIGIN, POLICY, page, type Script, type Scripted, timelineOf } from '../../support/scripted.ts';

const at = (script: Script, policy = POLICY, now?: number) => judge(timelineOf(script), policy, now);

describe('judge', () => {
  it('answers with the last response, not with the end of the quiet window', () => {
    const script = { requests: page({ path: '/a', from: 100, to: 400 }), until: 3_400 };
    expect(at(script)).toEqual({ state: 'complete', at: 400, networkAt: 400, decidedAt: 3_400 });
  });

  it('asks to be asked again when the window is over, and never says more than it knows', () => {
    const script = { requests: page({ path: '/a', from: 100, to: 400 }), until: 3_399 };
    expect(at(script)).toMatchObject({ state: 'pending', recheckAt: 3_400 });
    expect(at(script, POLICY, FINISHED)).toMatchObject({ state: 'unconfirmed', at: 400 });
  });

  it('is complete at the load event when there was nothing but the document', () => {
    expect(at({ requests: page(), until: 5_000 })).toMatchObject({ state: 'complete', at: 60, decidedAt: 3_060 });
  });

  it('is complete at the load event when there were no requests at all', () => {
    expect(at({ requests: [], until: 5_000 })).toMatchObject({ state: 'complete', at: 60 });
  });

  it('gives a page of cached pieces its whole window too', () => {
    const cached = page({ path: '/a', from: 45, to: 45 }, { path: '/b', from: 46, to: 46 });
    expect(at({ requests: cached, until: 3_000 }).state).toBe('pending');
    expect(at({ requests: cached, until: 3_060 })).toMatchObject({ state: 'complete', at: 60 });
  });

  it('waits for the load event', () => {
    const script = { requests: page({ path: '/a', from: 100, to: 400 }), load: null, until: 20_000 };
    expect(at(script)).toMatchObject({ state: 'pending', waitingFor: [{ code: 'load-event' }] });
  });

  it('starts again when something starts within the window, at its very last moment too', () => {
    const requests = page({ path: '/a', from: 100, to: 400 }, { path: '/b', from: 3_399, to: 3_500 });
    expect(at({ requests, until: 6_499 }).state).toBe('pending');
    expect(at({ requests, until: 6_500 })).toMatchObject({ state: 'complete', at: 3_500 });
  });

  it('leaves out what starts after the window', () => {
    const requests = page({ path: '/a', from: 100, to: 400 }, { path: '/b', from: 3_400, to: 3_500 });
    expect(at({ requests, until: 9_000 })).toMatchObject({ state: 'complete', at: 400 });
  });

  it('names what it waits for', () => {
    const script = { requests: page({ path: '/slow?x=1', from: 100 }), until: 60_000 };
    expect(at(script, { ...POLICY, foreground: ['/slow'] }, FINISHED)).toEqual({
      state: 'never',
      waitingFor: [{ code: 'endpoint', endpoint: `GET ${ORIGIN}/slow?*` }],
    });
  });

  it('says unconfirmed, not never, when a recording ends early', () => {
    const script = { requests: page({ path: '/slow', from: 100 }), until: 5_000 };
    expect(at(script, POLICY, FINISHED)).toEqual({
      state: 'unconfirmed',
      waitingFor: [{ code: 'endpoint', endpoint: `GET ${ORIGIN}/slow` }],
    });
  });

  it('allows as many in flight as the policy says', () => {
    const requests = page({ path: '/a', from: 100, to: 400 }, { path: '/open', from: 200 });
    expect(at({ requests, until: 5_000 }).state).toBe('pending');
    expect(at({ requests, until: 5_000 }, { ...POLICY, maxInflight: 1 })).toMatchObject({
      state: 'complete',
      at: 400,
    });
  });

  it('counts a shorter window when told to', () => {
    const requests = page({ path: '/a', from: 100, to: 400 }, { path: '/b', from: 1_000, to: 1_100 });
    expect(at({ requests, until: 10_000 }, { ...POLICY, quietWindow: 500 })).toMatchObject({ at: 400, decidedAt: 900 });
  });

  it('takes the last paint of content within the window', () => {
    const script = { requests: page({ path: '/a', from: 100, to: 400 }), paints: [300, 1_900, 9_000], until: 9_500 };
    expect(at(script)).toMatchObject({ state: 'complete', at: 1_900, networkAt: 400 });
  });

  it('leaves the load event out when only background holds it up, and says so', () => {
    const requests = page(
      { path: '/a', from: 100, to: 400 },
      { path: '/pixel', from: 120, type: 'image', unanswered: true },
    );
    const script = { requests, load: null, until: 30_000 };
    expect(at(script, { ...POLICY, background: ['/pixel'] })).toMatchObject({
      state: 'complete',
      at: 400,
      withoutLoadEvent: [`${ORIGIN}/pixel`],
    });
    const fetched = page({ path: '/a', from: 100, to: 400 }, { path: '/stream', from: 120 });
    // A fetch cannot hold up the load event, so something else must.
    expect(at({ ...script, requests: fetched }, { ...POLICY, background: ['/stream'] }).state).toBe('pending');
  });

  it('believes the page itself when it was told of a mark', () => {
    const requests = page({ path: '/a', from: 100, to: 400 }, { path: '/b', from: 500, to: 5_000 });
    const policy = { ...POLICY, completeOn: '#done' };
    expect(at({ requests, ownMark: 700, until: 800 }, policy)).toEqual({
      state: 'complete',
      at: 700,
      networkAt: 400,
      decidedAt: 700,
    });
    expect(at({ requests, until: 8_000 }, policy)).toMatchObject({
      state: 'pending',
      waitingFor: [{ code: 'mark', completeOn: '#done' }],
    });
    expect(at({ requests, until: 60_000 }, policy, FINISHED)).toEqual({
      state: 'never',
      waitingFor: [{ code: 'mark', completeOn: '#done' }],
    });
  });

  it('forgets the page that a client-side redirect replaced', () => {
    const requests: Scripted[] = [
      { path: '/', from: 0, to: 40, type: 'document' },
      { path: '/never', from: 50, unanswered: true },
    ];
    const second: NetworkEvent[] = eventsOf([{ path: '/second', from: 200, to: 260, type: 'document' }]).map((event) =>
      event.kind === 'request' ? { ...event, id: 'second', requestId: 'second' } : { ...event, id: 'second' },
    ) as NetworkEvent[];
    const marks: Mark[] = [
      { name: 'document-commit', at: 20, loaderId: 'r0' },
      { name: 'dom-content-loaded', at: 45, loaderId: 'r0' },
      { name: 'document-commit', at: 250, loaderId: 'second' },
      { name: 'dom-content-loaded', at: 270, loaderId: 'second' },
      { name: 'first-contentful-paint', at: 275, loaderId: 'second' },
      { name: 'load', at: 280, loaderId: 'second' },
    ];
    const timeline = foldTimeline([...eventsOf(requests), ...second], marks, 4_000);
    expect(timeline.requests.map((each) => each.fromPreviousDocument)).toEqual([true, true, false]);
    expect(judge(timeline, POLICY)).toMatchObject({ state: 'complete', at: 280 });
  });
});

describe('watching long enough', () => {
  const asked = (starts: readonly number[], path = '/job'): readonly Scripted[] =>
    starts.map((from) => ({ path, from, to: from + 30 }));
  const steady = Array.from({ length: 40 }, (_, i) => 500 + i * 700);

  it('does not believe in a poll before it was watched for longer than a job takes', () => {
    const early = at({ requests: page(...asked(steady)), until: 6_000 });
    expect(early).toMatchObject({ state: 'pending' });
    expect('waitingFor' in early && early.waitingFor[0]).toEqual({
      code: 'goes-on',
      endpoint: expect.stringContaining('/job'),
      kind: 'poll',
    });
    const late = at({ requests: page(...asked(steady)), until: 10_600 });
    expect(late).toMatchObject({ state: 'complete', at: 530, decidedAt: 10_500 });
    expect(late.state === 'complete' && late.extended?.[0]?.until).toBe(10_500);
  });

  it('waits for the answer that a job was asked for', () => {
    const job = page(...asked(steady.slice(0, 9)), { path: '/result', from: 6_150, to: 6_400 });
    expect(at({ requests: job, until: 10_000 })).toMatchObject({ state: 'complete', at: 6_400 });
  });

  it('does not wait for what would change nothing', () => {
    const slow = asked([300, 5_300, 10_300], '/slow-poll');
    const answer = at({ requests: page(...slow), until: 12_000 });
    expect(answer).toMatchObject({ state: 'complete', at: 330, decidedAt: 3_330 });
    expect(answer).not.toHaveProperty('extended');
  });

  it('waits for a third time when the second broke the silence', () => {
    const poll = asked([200, 4_200, 8_200], '/slow-poll');
    const requests = page({ path: '/content', from: 100, to: 2_500 }, ...poll);
    expect(at({ requests, until: 7_500 }).state).toBe('pending');
    // Watched until then, the answer is the content's, not the poll's.
    expect(at({ requests, until: 10_500 })).toMatchObject({ state: 'complete', at: 2_500 });
    // When it does not come again, it was content.
    expect(at({ requests: requests.slice(0, 4), until: 10_500 })).toMatchObject({ state: 'complete', at: 4_230 });
  });

  it('says unconfirmed of a recording that ends before it is known', () => {
    const answer = at({ requests: page(...asked(steady)), until: 6_000 }, POLICY, FINISHED);
    expect(answer).toMatchObject({ state: 'unconfirmed', at: 530 });
  });

  it('watches a page without background no longer than the quiet window', () => {
    const requests = page({ path: '/a', from: 100, to: 400 }, { path: '/b?page=1', from: 400, to: 700 });
    expect(at({ requests, until: 3_700 })).toMatchObject({ state: 'complete', decidedAt: 3_700 });
  });

  it('watches longer when told to be thorough', () => {
    const thorough = { ...POLICY, thorough: true };
    const quiet = page();
    expect(at({ requests: quiet, until: 3_060 }, thorough)).toMatchObject({ state: 'complete', decidedAt: 3_060 });
    const scripted = page({ path: '/a', from: 100, to: 400 });
    expect(at({ requests: scripted, until: 5_000 }, thorough).state).toBe('pending');
    expect(at({ requests: scripted, until: 12_000 }, thorough)).toMatchObject({ state: 'complete', at: 400 });
    const socket = page({ path: '/ws', from: 100, type: 'websocket' });
    expect(at({ requests: socket, until: 20_100 }, thorough)).toMatchObject({ state: 'complete', decidedAt: 20_100 });
    expect(at({ requests: socket, until: 3_060 })).toMatchObject({ state: 'complete', decidedAt: 3_060 });
  });

  it('watches no longer than usual what the page is proved to be the same without, once something of it has come', () => {
    const thorough = { ...POLICY, thorough: true };
    const stream = (messages: readonly number[]) => page({ path: '/ws', from: 100, type: 'websocket', messages });
    const decidedAt = (messages: readonly number[], proof?: Mark['name']) => {
      const timeline = timelineOf({ requests: stream(messages), until: 25_000 });
      const details = timeline.requests.filter(({ type }) => type === 'websocket').map((each) => endpointOf(each).key);
      const marks = details.flatMap((detail): readonly Mark[] => (proof ? [{ name: proof, at: 6_000, detail }] : []));
      return judge({ ...timeline, marks: [...timeline.marks, ...marks] }, thorough);
    };
    expect(decidedAt([500, 4_000], 'same-without')).toMatchObject({ state: 'complete', decidedAt: 10_100 });
    expect(decidedAt([500, 4_000], 'only-updating')).toMatchObject({ state: 'complete', decidedAt: 10_100 });
    expect(decidedAt([], 'same-without')).toMatchObject({ state: 'complete', decidedAt: 20_100 });
    expect(decidedAt([500, 4_000])).toMatchObject({ state: 'complete', decidedAt: 20_100 });
  });

  it('watches reports in a row until it is known whether they go on', () => {
    const thorough = { ...POLICY, thorough: true };
    const decided = (times: number) => {
      const starts = Array.from({ length: times }, (_, i) => 500 + i * 1_000);
      const report = { path: '/collect', method: 'POST', type: 'ping', initiator: 'other' } as const;
      const script: Script = {
        requests: page(...starts.map((from): Scripted => ({ ...report, from, to: from + 20 }))),
        until: 25_000,
      };
      return [7_000, 12_000].map((until) => at({ ...script, until }, thorough));
    };
    const [early, late] = decided(20);
    expect(early).toMatchObject({ state: 'pending', waitingFor: [{ code: 'goes-on', kind: 'beacon' }] });
    expect(late).toMatchObject({ state: 'complete', decidedAt: 10_500 });
    expect(decided(4)[0]).toMatchObject({ state: 'complete', decidedAt: 3_060 });
  });

  it('watches polls no longer than usual without which the page is proved to be the same, but those that fail', () => {
    const thorough = { ...POLICY, thorough: true };
    const provedAt = (...asked: readonly Scripted[]) => {
      const timeline = timelineOf({ requests: page(...asked), until: 24_500 });
      const details = timeline.requests
        .filter(({ url }) => url.includes('/status'))
        .map((each) => endpointOf(each).key);
      const marks = details.map((detail): Mark => ({ name: 'same-without', at: 6_000, detail }));
      return judge({ ...timeline, marks: [...timeline.marks, ...marks] }, thorough);
    };
    const starts = Array.from({ length: 25 }, (_, i) => 100 + i * 1_000);
    const status = (more: Partial<Scripted>): readonly Scripted[] =>
      starts.map((from) => ({ path: '/status', from, to: from + 40, ...more }));
    expect(provedAt(...status({}))).toMatchObject({ state: 'complete', decidedAt: 10_100 });
    expect(provedAt(...status({ failed: true }))).toMatchObject({ state: 'complete', decidedAt: 20_100 });
  });
});

describe('a load event that background held up', () => {
  const needed: Scripted = { path: '/photo.jpg', from: 20, to: 300, type: 'image', initiator: 'parser' };
  const camera: Scripted = {
    path: '/camera',
    from: 20,
    to: 7_980,
    type: 'image',
    mimeType: 'multipart/x-mixed-replace',
    pieces: [200],
  };

  it('is left out when nothing else did', () => {
    const answer = at({ requests: page(needed, camera), load: 8_000, until: 12_000 });
    expect(answer).toMatchObject({ state: 'complete', at: 300, withoutLoadEvent: [`${ORIGIN}/camera`] });
  });

  it('counts when content held it up as well', () => {
    const late: Scripted = { ...needed, path: '/late.jpg', to: 7_985 };
    const answer = at({ requests: page(needed, camera, late), load: 8_000, until: 12_000 });
    expect(answer).toMatchObject({ state: 'complete', at: 8_000 });
    expect(answer).not.toHaveProperty('withoutLoadEvent');
  });

  it('counts when the page itself took the time', () => {
    const answer = at({ requests: page(needed, { ...camera, to: 5_000 }), load: 8_000, until: 12_000 });
    expect(answer).toMatchObject({ at: 8_000 });
  });
});

describe('paints', () => {
  const updates = [500, 1_500, 2_500];
  const stream: Scripted = { path: '/prices', from: 100, type: 'eventsource', messages: updates };

  it('that background caused do not count', () => {
    expect(at({ requests: page(stream), paints: [1_530], until: 6_000 })).toMatchObject({ at: 500 });
  });

  it('of content do', () => {
    expect(at({ requests: page(stream), paints: [1_100], until: 6_000 })).toMatchObject({ at: 1_100 });
  });
});

describe('judgeRaw', () => {
  const stream: Scripted = {
    path: '/prices',
    from: 100,
    type: 'eventsource',
    mimeType: 'text/event-stream',
    pieces: [200, 900],
  };

  it('counts every request', () => {
    const script = { requests: page({ path: '/a', from: 100, to: 400 }, stream), until: 3_500 };
    expect(at(script)).toMatchObject({ state: 'complete', at: 400 });
    expect(judgeRaw(timelineOf(script), POLICY, FINISHED)).toEqual({
      state: 'never',
      waitingFor: [{ code: 'endpoint', endpoint: `GET ${ORIGIN}/prices` }],
    });
  });

  it('agrees where there is no background', () => {
    const script = { requests: page({ path: '/a', from: 100, to: 400 }), until: 3_500 };
    expect(judgeRaw(timelineOf(script), POLICY, FINISHED)).toMatchObject({ state: 'complete', at: 400 });
  });
});

/** Any page: requests with any lengths, some open, load and parse at any time. */
const anyScript: fc.Arbitrary<Script> = fc
  .record({
    requests: fc.array(
      fc.record({
        path: fc.constantFrom('/a', '/b?x=1', '/c/123', '/d'),
        from: fc.integer({ min: 0, max: 9_000 }),
        length: fc.option(fc.integer({ min: 0, max: 4_000 }), { nil: undefined }),
        type: fc.constantFrom('fetch' as const, 'image' as const, 'eventsource' as const, 'script' as const),
      }),
      { maxLength: 12 },
    ),
    load: fc.option(fc.integer({ min: 60, max: 5_000 })),
    until: fc.integer({ min: 100, max: 20_000 }),
  })
  .map(({ requests, load, until }) => ({
    requests: page(
      ...requests.map(({ path, from, length, type }) => ({
        path,
        from,
        type,
        ...(length !== undefined && { to: from + length }),
      })),
    ),
    load,
    until,
  }));

describe('properties', () => {
  it('never changes its mind about a moment: what the live watcher says, the finished recording says', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        const live = at(script);
        const ended = at(script, POLICY, FINISHED);
        if (live.state === 'complete') expect(ended).toEqual(live);
        else expect(ended.state).not.toBe('complete');
        expect(ended.state).not.toBe('pending');
      }),
    );
  });

  it('never answers with a moment at which something it needs is still to come', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        const answer = at(script);
        if (answer.state !== 'complete') return;
        expect(answer.at).toBeLessThanOrEqual(answer.decidedAt - POLICY.quietWindow);
        expect(answer.decidedAt).toBeLessThanOrEqual(script.until);
        expect(Number.isFinite(answer.at)).toBe(true);
      }),
    );
  });

  it('moves with the clock: the same page a second later is complete a second later', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        const shift = 1_000;
        const later: Script = {
          requests: script.requests.map((each) => ({
            ...each,
            from: each.from + shift,
            ...(each.to !== undefined && { to: each.to + shift }),
          })),
          dcl: 50 + shift,
          load: script.load === null || script.load === undefined ? (script.load ?? 60 + shift) : script.load + shift,
          until: script.until + shift,
        };
        const before = at(script, POLICY, FINISHED);
        const after = at(script.load === null ? { ...later, load: null } : later, POLICY, FINISHED);
        expect(after.state).toBe(before.state);
        if (before.state === 'complete' && after.state === 'complete') expect(after.at).toBe(before.at + shift);
      }),
    );
  });
});
