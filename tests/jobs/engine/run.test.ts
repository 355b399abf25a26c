import { expect, test } from 'vitest';
import { judgeRun, type LoadedRun } from '../../../src/jobs/engine/run.ts';
import { POLICY, page, recordingOf } from '../../support/scripted.ts';

const loaded: LoadedRun = {
  index: 0,
  role: 'evidence',
  policy: POLICY,
  outcome: { ok: true, recording: recordingOf({ requests: page(), until: 9_000 }) },
  attempts: 1,
  traced: [{ code: 'large-document-parse', urls: [], facts: { times: 1, ms: 120 } }],
};

test('what a trace showed is found again each time a run is judged, though the trace itself is gone', () => {
  const codes = judgeRun(loaded, []).run.findings?.map(({ code }) => code);
  expect(codes).toContain('large-document-parse');
  expect(judgeRun(judgeRun(loaded, []).loaded, []).run.findings?.map(({ code }) => code)).toEqual(codes);
});

test('what an untimed run found unused is replayed on the run that is judged', () => {
  const app = { path: '/app.js', from: 100, to: 900, type: 'script', initiator: 'parser', pieces: [150] } as const;
  const recording = recordingOf({ requests: page(app), until: 9_000 });
  const file = { kind: 'script', url: 'https://shop.test/app.js', party: 'shop.test', thirdParty: false } as const;
  const covered = [{ ...file, bytes: 100_000, unused: 50_000 }];
  const timed: LoadedRun = { ...loaded, role: 'timed', outcome: { ok: true, recording }, covered };
  const { run } = judgeRun(timed, []);
  const found = run.findings?.find(({ code }) => code === 'unused-code');
  const took = (run.pageComplete?.at ?? 0) - 100;
  expect(found?.savesMs).toBeGreaterThan(0.2 * took);
  expect(found?.savesMs).toBeLessThanOrEqual(0.5 * took);
});
