import { expect, it } from 'vitest';
import { rulesForSteps } from '../../src/core/background/content/rules-for-steps.ts';
import { FINISHED, judge } from '../../src/core/completion/complete.ts';
import { visitOf } from '../../src/core/measure.ts';
import { foldTimeline } from '../../src/core/timeline/fold.ts';
import type { Mark, Timeline } from '../../src/model/network/timeline.ts';
import { eventsOf, POLICY, page, recordingOf, type Scripted } from '../support/scripted.ts';

/** A step as it was known at `until`. */
function step(requests: readonly Scripted[], marks: readonly Mark[], until: number): Timeline {
  const known = eventsOf(requests).filter(({ at }) => at <= until);
  return foldTimeline(known, [{ name: 'step-start', at: 0 }, ...marks.filter(({ at }) => at <= until)], until);
}

const acted = (at: number): Mark => ({ name: 'action-end', at });

it('is complete with the last response after its action, without any load event', () => {
  const timeline = step([{ path: '/api/basket', from: 20, to: 320 }], [acted(30)], 5_000);
  expect(judge(timeline, POLICY, FINISHED)).toMatchObject({ state: 'complete', at: 320, decidedAt: 3_320 });
});

it('is complete with its action when nothing came after it', () => {
  expect(judge(step([], [acted(45)], 5_000), POLICY, FINISHED)).toMatchObject({ state: 'complete', at: 45 });
});

it('waits for its action, however silent it is', () => {
  const timeline = step([{ path: '/api/names', from: 20, to: 90 }], [acted(9_000)], 8_000);
  expect(judge(timeline, POLICY)).toMatchObject({ state: 'pending', waitingFor: [{ code: 'action' }] });
});

it('waits for the load event of a document that it opens', () => {
  const requests: readonly Scripted[] = [
    { path: '/orders', from: 20, to: 60, type: 'document', mimeType: 'text/html' },
  ];
  const commit: Mark = { name: 'document-commit', at: 60, loaderId: 'r0' };
  const paint: Mark = { name: 'first-contentful-paint', at: 90, loaderId: 'r0' };
  const load: Mark = { name: 'load', at: 400, loaderId: 'r0' };
  expect(judge(step(requests, [acted(30), commit, load], 300), POLICY).state).toBe('pending');
  expect(judge(step(requests, [acted(30), commit, paint, load], 4_000), POLICY, FINISHED)).toMatchObject({ at: 400 });
});

it('knows the background of its load, of which nothing more is content', () => {
  const polls = Array.from({ length: 17 }, (_, i) => ({ path: '/api/stock', from: 100 + i * 700, to: 110 + i * 700 }));
  const timed = polls.map((each) => ({ ...each, timer: 'setInterval' as const }));
  const load = visitOf(recordingOf({ requests: page(...timed), until: 12_000 }), POLICY);
  const { sameDocument, newDocument } = rulesForSteps(load, []);
  expect(sameDocument).toMatchObject([{ kind: 'poll', content: [] }]);
  expect(newDocument[0]?.content).toBeUndefined();
  const timeline = step(
    [
      { path: '/api/basket', from: 20, to: 320 },
      { path: '/api/stock', from: 500, to: 510 },
    ],
    [acted(30)],
    5_000,
  );
  expect(judge(timeline, { ...POLICY, learnt: sameDocument }, FINISHED)).toMatchObject({ state: 'complete', at: 320 });
});
