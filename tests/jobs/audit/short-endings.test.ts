import { expect, test } from 'vitest';
import type { LoadOutcome, LoadRequest } from '../../../src/model/recording/lab.ts';
import type { RunResult } from '../../../src/model/result/result.ts';
import { folderForEach } from '../../support/folders.ts';
import { type AuditOptions, audit, type CompareOptions, compare } from '../../support/jobs.ts';
import { answeringLab, ORIGIN, page, recordingOf, type Scripted } from '../../support/scripted.ts';
import { COMMON, COMPARING } from '../../support/settings.ts';

const out = folderForEach('test');

const UNTIL = 9_000;
const api: Scripted = { path: '/api', from: 100, to: 400 };
const late: Scripted = { path: '/late', from: 1_200, to: 1_500 };

/** What a browser would record that watches for as long as it is asked to: the short window is over before `late` begins. */
const recorded = (request: LoadRequest, ...requests: readonly Scripted[]): LoadOutcome => ({
  ok: true,
  recording: recordingOf({ requests: page(...requests), until: request.policy.expected ? 1_000 : UNTIL }),
});
const timed = (runs: readonly RunResult[]) => runs.filter(({ role }) => role === 'timed');
const measure = async (
  answer: (request: LoadRequest, load: number) => LoadOutcome,
  more: Partial<AuditOptions> = {},
) => {
  let loads = 0;
  const { result } = await audit(
    { ...COMMON, targets: [`${ORIGIN}/`], out: out(), runs: 20, format: ['json'], ...more },
    { openLab: answeringLab((request) => answer(request, loads++)) },
  );
  const [target] = result.targets;
  if (!target) throw new Error('one target was measured');
  return { target, runs: timed(target.runs), loads };
};
const decided = (runs: readonly RunResult[]) => runs.map(({ pageComplete }) => pageComplete?.decidedBy);

test('runs end early once whole ones have shown what the page needs, and some are watched for the whole window', async () => {
  const { target, runs, loads } = await measure((request) => recorded(request, api));
  expect(loads).toBe(21);
  expect(decided(runs)[0]).toBe('quiet-window');
  const early = decided(runs).filter((by) => by === 'expected-content').length;
  expect(early).toBeGreaterThan(10);
  expect(early).toBeLessThan(19);
  expect(new Set(runs.map(({ pageComplete }) => pageComplete?.at))).toEqual(new Set([400]));
  expect(target.policy?.expected?.patterns).toHaveLength(1);
});

test('not one ends early where the whole window is asked for, or the page has a mark of its own', async () => {
  const { runs } = await measure((request) => recorded(request, api), { fullWindow: true, runs: 3 });
  expect(decided(runs)).toEqual(['quiet-window', 'quiet-window', 'quiet-window']);
});

test('a whole run that shows what the early ones missed has them all repeated', async () => {
  const { target, runs, loads } = await measure((request, load) =>
    // It comes now and then: the first runs do not have it.
    load > 3 && request.policy.expected === undefined ? recorded(request, api, late) : recorded(request, api),
  );
  expect(decided(runs)).not.toContain('expected-content');
  expect(target.policy).not.toHaveProperty('expected');
  const repeated = runs.filter(({ repeatedEnding }) => repeatedEnding === 'ending-missed');
  expect(repeated.length).toBeGreaterThan(0);
  expect(loads).toBe(21 + repeated.length);
  expect(repeated.every(({ pageComplete }) => pageComplete?.at === 1_500)).toBe(true);
});

test('a run that is not confirmed in the end is loaded again for the whole window', async () => {
  const { runs } = await measure((request, load) => {
    const done = recorded(request, api);
    // The page is asked for its largest paint when watching is over.
    const detail = load === 4 ? 'img.other' : 'h1';
    if (!done.ok) return done;
    const paint = { name: 'largest-contentful-paint', at: 390, detail } as const;
    return { ...done, recording: { ...done.recording, marks: [...done.recording.marks, paint] } };
  });
  const again = runs.filter(({ repeatedEnding }) => repeatedEnding !== undefined);
  expect(
    again.map(({ index, repeatedEnding, pageComplete }) => [index, repeatedEnding, pageComplete?.decidedBy]),
  ).toEqual([[4, 'ending-unconfirmed', 'quiet-window']]);
});

const comparing = async (answer: (request: LoadRequest, load: number) => LoadOutcome) => {
  let loads = 0;
  const options: CompareOptions = {
    ...COMPARING,
    targets: [`${ORIGIN}/a`, `${ORIGIN}/b`],
    out: out(),
    format: ['json'],
    seed: 1,
  };
  const { result } = await compare(
    { ...options, maxPairs: 16, looks: [16] },
    { openLab: answeringLab((request) => answer(request, loads++)), microBenchmark: () => 1 },
  );
  return { base: timed(result.base.runs), candidate: timed(result.candidate.runs), loads };
};

test('a comparison ends the loads of each build by what that build needs', async () => {
  const { base, candidate } = await comparing((request) =>
    recorded(request, ...(request.url.endsWith('/b') ? [api, { ...late, from: 700, to: 900 }] : [api])),
  );
  expect(decided(base)[0]).toBe('quiet-window');
  expect(decided(base).filter((by) => by === 'expected-content').length).toBeGreaterThan(10);
  expect(new Set(base.map(({ pageComplete }) => pageComplete?.at))).toEqual(new Set([400]));
  expect(new Set(candidate.map(({ pageComplete }) => pageComplete?.at))).toEqual(new Set([900]));
});

test('a comparison repeats what a build missed by ending early, in its place', async () => {
  const { base, candidate, loads } = await comparing((request, load) =>
    request.url.endsWith('/b') && load > 8 && request.policy.expected === undefined
      ? recorded(request, api, late)
      : recorded(request, api),
  );
  const repeated = candidate.filter(({ repeatedEnding }) => repeatedEnding === 'ending-missed');
  expect(decided(candidate)).not.toContain('expected-content');
  expect(decided(base)).toContain('expected-content');
  expect(repeated.length).toBeGreaterThan(0);
  expect(loads).toBe(2 + 32 + repeated.length);
  for (const runs of [base, candidate]) {
    expect(runs.map(({ index }) => index)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  }
});
