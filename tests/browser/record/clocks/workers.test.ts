import type { CDPSession } from 'puppeteer-core';
import { expect, it, vi } from 'vitest';
import { createWorkerClocks } from '../../../../src/browser/record/clocks/workers.ts';

it('a worker that begins when the load is over starts nothing that nobody would end', () => {
  vi.useFakeTimers();
  const send = vi.fn(async () => ({ processInfo: [] }));
  const session = { send } as unknown as CDPSession;
  const clocks = createWorkerClocks(session, () => 0);
  clocks.stop();
  clocks.beforeStart(session, 'worker', 'later');
  expect(send).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
