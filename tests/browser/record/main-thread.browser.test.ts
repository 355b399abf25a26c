import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

let server: FixtureServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

// Chrome interrupts a script to read its counters: only a turn of the main thread says that it is free.
it('a script that keeps the main thread busy for longer than the quiet window is waited for', async () => {
  const policy = { ...QUICK, quietWindow: 1_000 };
  const request = { url: server.url('long-task-then-content'), policy, content: false };
  const outcome = await lab.record(request, new AbortController().signal);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const { timeline, complete } = visitOf(outcome.recording, policy);
  expect(complete.state).toBe('complete');
  expect(timeline.requests.map(({ url }) => new URL(url).pathname)).toEqual(
    expect.arrayContaining(['/long-task-then-content/api/today', '/long-task-then-content/api/week']),
  );
  expect(timeline.marks.filter(({ name }) => name === 'main-thread-busy').length).toBeGreaterThan(0);
});
