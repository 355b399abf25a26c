import { expect, test } from 'vitest';
import { DESKTOP } from '../../../src/core/conditions/devices.ts';
import { lighthouseFlags } from '../../../src/core/lighthouse/flags.ts';
import { lighthouseWait } from '../../../src/core/lighthouse/wait.ts';
import type { Ablation, RunResult } from '../../../src/model/result/result.ts';

const complete = (at: number, index = 1): RunResult => ({
  index,
  role: 'timed',
  ok: true,
  pageComplete: { state: 'complete', at, observedUntil: at + 3000, raw: { state: 'never' }, waitingFor: [] },
});
const never: RunResult = {
  index: 9,
  role: 'timed',
  ok: true,
  pageComplete: { state: 'never', observedUntil: 60_000, raw: { state: 'never' }, waitingFor: [] },
};
const ablation = (same: boolean): Ablation => ({
  held: ['GET http://a.test/events'],
  difference: same ? 0 : 0.2,
  same,
  pictures: { with: '', without: '' },
  sentence: '',
});
const evidence = (same: boolean) => ({
  watchedUntil: 9000,
  watchedBecause: '',
  pictures: [],
  ablation: ablation(same),
});
const HELD = ['http://a.test/events'];

test('what the page looks the same without is blocked', () => {
  const wait = lighthouseWait({ runs: [complete(1000)], evidence: evidence(true) }, HELD);
  expect(wait).toMatchObject({ strategy: 'blocked', blocked: ['GET http://a.test/events'] });
});

test('what it needs, or what nobody held, is not; the cap leaves both of Lighthouse’s silences after the slowest run', () => {
  for (const target of [
    { runs: [complete(1000), complete(2000, 2)], evidence: evidence(false) },
    { runs: [complete(2000)] },
  ]) {
    const wait = lighthouseWait(target, HELD);
    expect(wait).toMatchObject({ strategy: 'capped', blocked: [] });
    expect(wait.cap).toBe(1.5 * 2000 + 2 * 5250 + 1000);
  }
});

test('where a run was never complete, Lighthouse waits as it likes', () => {
  expect(lighthouseWait({ runs: [complete(1000), never] }, [])).toMatchObject({ strategy: 'own', blocked: [] });
  expect(lighthouseWait({ runs: [complete(1000), never] }, [])?.cap).toBeUndefined();
  expect(lighthouseWait({ runs: [] }, [])?.cap).toBeUndefined();
});

test('nothing is slowed down that nobody asked for; what was asked for is given in Lighthouse’s units', () => {
  const access = {
    headers: [{ name: 'X-Key', value: 'canary' }],
    cookies: [],
    block: ['*/ads'],
    ignoreCertificateErrors: false,
  };
  const request = { url: 'http://a.test/', access, block: ['*/events'], firstVisit: 0 };
  const plain = lighthouseFlags({ ...request, conditions: { device: DESKTOP, cpu: 1, view: 'cold' } });
  expect(plain).toMatchObject({
    throttlingMethod: 'provided',
    formFactor: 'desktop',
    disableStorageReset: true,
    blockedUrlPatterns: ['*/ads', '*/events'],
  });
  // Lighthouse writes its settings into its report: headers go another way.
  expect(JSON.stringify(plain)).not.toContain('canary');
  const network = { name: 'x', latency: 150, download: 1600, upload: 750 };
  expect(lighthouseFlags({ ...request, conditions: { device: DESKTOP, cpu: 4, view: 'cold', network } })).toMatchObject(
    {
      throttlingMethod: 'devtools',
      throttling: { requestLatencyMs: 150, downloadThroughputKbps: 1562.5, cpuSlowdownMultiplier: 4 },
    },
  );
});
