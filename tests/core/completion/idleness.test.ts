import { describe, expect, it } from 'vitest';
import { FINISHED, judge, judgeRaw } from '../../../src/core/completion/complete.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { Mark } from '../../../src/model/network/timeline.ts';
import { eventsOf, POLICY, type Scripted } from '../../support/scripted.ts';

const page: Scripted = { path: '/', from: 0, to: 40, type: 'document', mimeType: 'text/html' };
const watched: readonly Mark[] = [
  { name: 'document-commit', at: 20, loaderId: 'r0' },
  { name: 'dom-content-loaded', at: 50, loaderId: 'r0' },
  { name: 'load', at: 60, loaderId: 'r0' },
];
const painted: Mark = { name: 'first-contentful-paint', at: 80, loaderId: 'r0' };

function timeline(requests: readonly Scripted[], marks: readonly Mark[], until: number) {
  const known = eventsOf([page, ...requests]).filter((event) => event.at <= until);
  const seen = [...watched, ...marks].filter((mark) => mark.at <= until);
  return foldTimeline(known, seen, until);
}

describe('a silent page is not complete', () => {
  it('before it has painted', () => {
    const late: Mark = { ...painted, at: 4_500 };
    expect(judge(timeline([], [late], 4_000), POLICY)).toMatchObject({
      state: 'pending',
      waitingFor: [{ code: 'first-paint' }],
    });
    expect(judge(timeline([], [late], 9_000), POLICY)).toMatchObject({ state: 'complete', at: 4_500, networkAt: 60 });
    // Network idle is about the network alone.
    expect(judgeRaw(timeline([], [late], 4_000), POLICY)).toMatchObject({ state: 'complete', at: 60 });
  });

  it('but one of which the browser reports no paint is, since its film shows it', () => {
    const image: Scripted = { path: '/image', from: 100, to: 400 };
    const blank = judge(timeline([image], [], 1_000), POLICY);
    // What has come is not waited for: only that makes a film begin.
    expect(blank).toMatchObject({ state: 'pending', waitingFor: [{ code: 'first-paint' }] });
    expect(blank.state === 'pending' && blank.waitingFor).toHaveLength(1);
    const visible: Mark = { name: 'content-visible', at: 900, loaderId: 'r0' };
    expect(judge(timeline([image], [visible], 3_800), POLICY)).toMatchObject({ state: 'pending', recheckAt: 3_900 });
    expect(judge(timeline([image], [visible], 3_900), POLICY)).toMatchObject({ state: 'complete', networkAt: 400 });
  });

  it('but one that never paints is, in the end', () => {
    expect(judge(timeline([], [], 9_000), POLICY).state).toBe('pending');
    expect(judge(timeline([], [], 13_100), POLICY, FINISHED)).toMatchObject({ state: 'complete', at: 60 });
  });

  it('while a long task runs, however silent the network is', () => {
    const task: Mark = { name: 'main-thread-busy', since: 500, at: 2_900 };
    const asked: Scripted = { path: '/late', from: 3_400, to: 3_900 };
    const marks = [painted, task];
    expect(judge(timeline([asked], marks, 3_200), POLICY)).toMatchObject({ state: 'pending' });
    expect(judge(timeline([asked], marks, 7_000), POLICY)).toMatchObject({ state: 'complete', at: 3_900 });
    // The task is no part of the time of a page that asks for nothing after it.
    expect(judge(timeline([], marks, 7_000), POLICY)).toMatchObject({ state: 'complete', at: 80, decidedAt: 5_900 });
  });

  it('but one that computes for ever is', () => {
    const tasks = Array.from({ length: 30 }, (_, i): Mark => {
      return { name: 'main-thread-busy', since: 100 + i * 1_000, at: 1_050 + i * 1_000 };
    });
    expect(judge(timeline([], [painted, ...tasks], 20_000), POLICY)).toMatchObject({ state: 'complete', at: 80 });
  });

  it('while a job is not done that it asked after before, for a while', () => {
    const asked = (from: number, status = 202): Scripted => ({ path: '/jobs/loans', from, to: from + 90, status });
    const done = timeline([asked(500), asked(1_300), asked(4_900, 200)], [painted], 30_000);
    expect(judge(done, POLICY)).toMatchObject({ state: 'complete', at: 4_990 });
    expect(judge(timeline([asked(500), asked(1_300)], [painted], 5_000), POLICY)).toMatchObject({
      state: 'pending',
      waitingFor: [{ code: 'endpoint', endpoint: 'GET https://shop.test/jobs/loans' }],
    });
    // Nobody asks again.
    const left = timeline([asked(500), asked(1_300)], [painted], 15_000);
    expect(judge(left, POLICY, FINISHED)).toMatchObject({ state: 'complete', at: 1_390 });
    // An answer that needs no other.
    expect(judge(timeline([asked(500)], [painted], 5_000), POLICY)).toMatchObject({ state: 'complete', at: 590 });
  });

  it('before a socket is accepted, which may bring content', () => {
    const socket: Scripted = { path: '/live', from: 70, pieces: [4_000], messages: [4_050], type: 'websocket' };
    expect(judge(timeline([socket], [painted], 3_900), POLICY)).toMatchObject({
      state: 'pending',
      waitingFor: [{ code: 'handshake', endpoint: 'GET https://shop.test/live' }],
    });
    expect(judge(timeline([socket], [painted], 8_000), POLICY)).toMatchObject({ state: 'complete', at: 4_050 });
  });

  it('but a socket that is not accepted is given up in the end', () => {
    const socket: Scripted = { path: '/live', from: 70, unanswered: true, type: 'websocket' };
    expect(judge(timeline([socket], [painted], 30_000), POLICY).state).toBe('pending');
    expect(judge(timeline([socket], [painted], 39_000), POLICY)).toMatchObject({ state: 'complete', at: 80 });
  });
});
