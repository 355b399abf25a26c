import { expect, it } from 'vitest';
import { isCalm } from '../../../src/core/host/calm.ts';
import type { HostSample } from '../../../src/model/recording/recording.ts';

const host = (at: number, browser?: number): HostSample => ({
  at,
  cores: 2,
  busy: at,
  total: 2 * at,
  ...(browser !== undefined && { browser }),
});

it.each([
  ['its browser rests, whatever came before', [host(0, 0), host(1_000, 900), host(2_000, 1_300)], [], true],
  ['its browser goes on', [host(0, 0), host(1_000, 100), host(2_000, 700)], [], false],
  ['nobody tells of its browser, and its main thread rests', [host(0), host(2_000)], [100, 100], true],
  ['nobody tells of its browser, and its main thread goes on', [host(0), host(2_000)], [100, 500], false],
  ['nobody tells of anything', [], [], false],
])('%s', (_, hostSamples, tasks, calm) => {
  const mainThread = tasks.map((taskTime, i) => ({ at: 1_000 * (i + 1), taskTime }));
  expect(isCalm({ hostSamples, mainThread, observedUntil: 2_000 })).toBe(calm);
});
