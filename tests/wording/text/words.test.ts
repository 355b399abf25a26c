import { describe, expect, test } from 'vitest';
import type { Finding, RunResult } from '../../../src/model/result/result.ts';
import { backgroundOf } from '../../../src/result/background.ts';
import { findingsOf } from '../../../src/result/findings.ts';
import { headlineComplete } from '../../../src/result/representative.ts';
import {
  confidenceInWords,
  countedAnswer,
  findingTitle,
  findingWhere,
  impactInWords,
  overruledInWords,
} from '../../../src/wording/text/words.ts';
import { exampleReport, exampleTarget, failedReport, reportOf } from '../../reporters/example-report.ts';

describe('what counting would have done', () => {
  test.each([
    [{ cost: 6661, countedState: 'complete' as const }, 1240, '7.90 s', 'instead of 1.24 s'],
    [{ countedState: 'never' as const }, 1240, 'never', 'instead of 1.24 s'],
    [{ countedState: 'never' as const }, undefined, 'never', undefined],
    [{ cost: 0, countedState: 'complete' as const }, 1240, 'no later', undefined],
    [{ cost: 2, countedState: 'complete' as const }, 1240, '+2.0 ms', undefined],
    [{ cost: 300 }, undefined, '+300 ms', undefined],
    [{ cost: 8, countedState: 'complete' as const }, 62_500, '62.51 s', 'instead of 62.50 s'],
    [{ cost: 9, countedState: 'complete' as const }, 62_495.5, '+9.0 ms', undefined],
    [{ countedState: 'unconfirmed' as const }, 1240, 'not known', 'watching ended before it was quiet'],
    [{}, 1240, '–', undefined],
  ])('%o against %s', (endpoint, complete, figure, beside) => {
    expect(countedAnswer(endpoint, complete)).toEqual({ figure, ...(beside !== undefined && { beside }) });
  });
});

test('who overruled', () => {
  expect(
    overruledInWords({ overruledBy: '--foreground /chat', overruling: { code: 'foreground', pattern: '/chat' } }),
  ).toBe('counted anyway, because of --foreground /chat');
  expect(overruledInWords({ overruledBy: 'the page looks different' })).toBe(
    'counted anyway, because the page looks different',
  );
  expect(overruledInWords({})).toBe('counted anyway');
});

test('what the user named is not a question of confidence', () => {
  expect(confidenceInWords({ kind: 'user', confidence: 'certain' })).toBe('named by the user');
  expect(confidenceInWords({ kind: 'poll', confidence: 'certain' })).toBe('certain');
});

test('every impact has its own words', () => {
  const all = (['none', 'first-content', 'continuous', 'unknown'] as const).map((visualImpact) =>
    impactInWords({ visualImpact }),
  );
  expect(new Set(all).size).toBe(4);
});

test('a code is a title', () => {
  expect(findingTitle('stream-starvation')).toBe('Stream starvation');
  expect(findingTitle('')).toBe('Finding');
});

test('where a finding is seen', () => {
  expect(findingWhere({ runs: [1, 2, 3, 4, 5], untimed: [] }, 5)).toBe('in 5 of 5 runs');
  expect(findingWhere({ runs: [3], untimed: [] }, 5)).toBe('in 1 of 5 runs, namely run 3');
  expect(findingWhere({ runs: [], untimed: ['evidence'] }, 5)).toBe('in the evidence run');
  expect(findingWhere({ runs: [1, 2], untimed: ['evidence'] }, 2)).toBe('in 2 of 2 runs; also in the evidence run');
  expect(findingWhere({ runs: [2, 4], untimed: [] }, 5)).toBe('in 2 of 5 runs, namely run 2 and 4');
  expect(findingWhere({ runs: [1], untimed: [] }, 1)).toBeUndefined();
});

describe('findings', () => {
  const withFindings = (...findings: readonly (readonly Finding[])[]) => {
    const runs = findings.map((each, i): RunResult => ({ index: i + 1, role: 'timed', ok: true, findings: each }));
    const report = reportOf({
      target: 'x',
      url: 'x',
      runs,
      summary: {},
      background: [],
      sentence: '',
      notes: [],
      waterfalls: [],
    });
    const [target] = report.targets;
    if (target === undefined) throw new Error('the report has a target');
    return findingsOf(target);
  };
  const finding = (message: string, ...urls: readonly string[]): Finding => ({ code: 'late', message, urls });

  test('of two runs are one, with the addresses of the first', () => {
    const [only, ...others] = withFindings(
      [finding('after 1 s', 'https://a/x?t=1')],
      [finding('after 2 s', 'https://a/x?t=2')],
    );
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      message: 'after 1 s',
      runs: [1, 2],
      urls: ['https://a/x?t=1'],
    });
  });

  test('of one run stay apart, however alike', () => {
    const found = withFindings([finding('a', 'https://a/1'), finding('b', 'https://a/2')]);
    expect(found.map((each) => each.message)).toEqual(['a', 'b']);
  });

  test('of a page that was held back are no findings of the page', () => {
    const target = exampleTarget();
    const runs = target.result.runs.map((run) => ({ ...run, findings: [finding(run.role)] }));
    const found = findingsOf({ ...target, result: { ...target.result, runs } });
    expect(found.map((each) => each.message)).toEqual(['timed', 'evidence']);
  });

  test('without addresses are told apart by what they say', () => {
    expect(withFindings([finding('slept for 3 s')], [finding('slept for 4 s')])).toHaveLength(1);
    expect(withFindings([finding('slept')], [finding('woke')])).toHaveLength(2);
  });
});

test('endpoints stand in the order of what they cost', () => {
  const target = exampleTarget();
  const [model] = target.result.background;
  if (model === undefined) throw new Error('the example has background traffic');
  const { countedState: _, cost: _cost, ...bare } = model;
  const background = [
    { ...bare, endpoint: 'nothing', cost: 0 },
    { ...bare, endpoint: 'some', cost: 100 },
    { ...bare, endpoint: 'unknown', countedState: 'unconfirmed' as const },
    { ...bare, endpoint: 'absent' },
    { ...bare, endpoint: 'endless', countedState: 'never' as const },
    { ...bare, endpoint: 'counted', excluded: false },
    { ...bare, endpoint: 'endless too', countedState: 'never' as const },
  ];
  const { left, counted } = backgroundOf({ ...target, result: { ...target.result, background } });
  expect(left.map((each) => each.endpoint)).toEqual(['endless', 'endless too', 'unknown', 'some', 'nothing', 'absent']);
  expect(counted.map((each) => each.endpoint)).toEqual(['counted']);
});

test('the headline is the median, and nothing where nothing was complete', () => {
  const [shop] = exampleReport().targets;
  const [gone] = failedReport().targets;
  expect(shop && headlineComplete(shop)).toBe(1243);
  expect(gone && headlineComplete(gone)).toBeUndefined();
});
