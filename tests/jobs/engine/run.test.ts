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
