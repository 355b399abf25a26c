import { describe, expect, it } from 'vitest';
import { pageDifferencesOf } from '../../../src/core/changes/page-differences.ts';
import type { TargetResult } from '../../../src/model/result/result.ts';
import { pageDifferenceInWords } from '../../../src/wording/compare/page-differences.ts';
import { POLICY } from '../../support/scripted.ts';
import { BASE, build, CANDIDATE, endpoint, failed, run } from './builds.ts';

function differences(base: Partial<TargetResult>, candidate: Partial<TargetResult>) {
  return pageDifferencesOf(build(BASE, base), build(CANDIDATE, candidate)).map(pageDifferenceInWords);
}

const sentences = (...sides: Parameters<typeof differences>) => differences(...sides).map(({ message }) => message);

it('says nothing of two builds that show the same page', () => {
  expect(differences({}, {})).toEqual([]);
});

describe('loads that failed', () => {
  const often = [...Array(6).fill(run()), ...Array(6).fill(failed('http-error', 500))];

  it('counts loads and not runs, with the status', () => {
    expect(sentences({ runs: Array(12).fill(run()) }, { runs: often })).toEqual([
      'The candidate failed in 12 of 18 loads: HTTP 500; the base in none. The times of the successful loads say nothing about the failed ones.',
    ]);
    const [first] = differences({}, { runs: often });
    expect(first).toMatchObject({
      code: 'failures',
      facts: {
        build: 'candidate',
        here: { n: 12, of: 18 },
        there: { n: 0 },
        failures: [{ code: 'http-error', status: 500 }],
      },
    });
  });

  it('counts a load that was tried again with success', () => {
    const retried = [run({ attempts: 2 }), run()];
    expect(sentences({}, { runs: retried })[0]).toMatch(/^The candidate failed in 1 of 3 loads; the base in none\./);
  });

  it('says it of the base as well, and when nothing could be loaded', () => {
    const [difference] = differences({ runs: Array(3).fill(failed('no-answer')) }, {});
    expect(difference).toMatchObject({
      code: 'status',
      facts: { build: 'base', loads: 6, failures: [{ code: 'no-answer' }] },
      message:
        'The base could not be loaded (all of its 6 loads failed: no response in time), so there is nothing to compare the candidate with.',
    });
  });

  it('is silent about a single accident, and about builds that fail alike', () => {
    expect(
      differences({ runs: Array(20).fill(run()) }, { runs: [...Array(19).fill(run()), failed('no-answer')] }),
    ).toEqual([]);
    expect(differences({ runs: often }, { runs: often })).toEqual([]);
  });
});

describe('where the page ended', () => {
  it.each([
    ['another path', { finalUrl: `${CANDIDATE}/login` }, '/login'],
    ['another query', { finalUrl: `${CANDIDATE}/?lang=de` }, '/?lang=de'],
    ['another site', { finalUrl: 'https://login.test/' }, 'https://login.test/'],
  ])('tells %s', (_what, candidate, place) => {
    const [difference] = differences({}, candidate);
    expect(difference?.code).toBe('final-url');
    expect(difference?.message).toContain(`the base at /, the candidate at ${place}.`);
  });

  it.each([
    ['both sent on to the same page', { finalUrl: `${BASE}/home` }, { finalUrl: `${CANDIDATE}/home` }],
    [
      'a value made up for the load',
      { finalUrl: `${BASE}/?sid=1a2b3c4d5e6f` },
      { finalUrl: `${CANDIDATE}/?sid=9z8y7x6w5v4u` },
    ],
    [
      'another address that was asked for',
      { url: `${BASE}/v1/`, finalUrl: `${BASE}/v1/` },
      { url: `${CANDIDATE}/v2/`, finalUrl: `${CANDIDATE}/v2/` },
    ],
    ['another host of the same site', { url: 'http://shop.test/', finalUrl: 'https://www.shop.test/' }, {}],
  ])('is no difference: %s', (_what, base, candidate) => {
    expect(differences(base, candidate)).toEqual([]);
  });
});

describe('what was seen', () => {
  it('tells another title, but not another count of what is unread', () => {
    expect(sentences({ title: 'Shop' }, { title: 'Not found' })[0]).toContain(
      '“Shop” in the base, “Not found” in the candidate',
    );
    expect(differences({ title: 'Inbox' }, { title: '(3) Inbox' })).toEqual([]);
    expect(sentences({ title: '' }, { title: '' })).toEqual([]);
  });

  const findings = [{ code: 'blank-page', urls: [], message: '' } as const];

  it('tells a page on which nothing was ever painted', () => {
    const blank = run({ metrics: {}, findings });
    const [difference] = differences({}, { runs: [blank, blank] });
    expect(difference?.code).toBe('blank');
    expect(difference?.message).toMatch(
      /^The candidate is blank: nothing was painted in all of its 2 loads, unlike in the base/,
    );
    expect(differences({}, { runs: [blank, run()] })).toEqual([]);
    expect(differences({ runs: [blank] }, { runs: [blank] })).toEqual([]);
    // Coloured areas, which are no content to Chrome.
    expect(differences({}, { runs: [run({ metrics: {} })] })).toEqual([]);
  });

  it('goes by the untimed runs until there are timed ones, and never by those with something held back', () => {
    const blank = run({ metrics: {}, findings, role: 'evidence' });
    const held = run({ metrics: {}, findings, role: 'ablation' });
    expect(differences({ runs: [run({ role: 'evidence' })] }, { runs: [blank, held] })).toHaveLength(1);
    expect(differences({ runs: [run()] }, { runs: [blank, run()] })).toEqual([]);
    expect(differences({ runs: [run()] }, { runs: [run({ role: 'evidence' }), held] })).toEqual([]);
  });

  it('tells a build that is not complete, and what it waits for', () => {
    const never = run({
      pageComplete: {
        state: 'never',
        observedUntil: 60_000,
        raw: { state: 'never' },
        waitingFor: [`${CANDIDATE}/hung.png`],
      },
    });
    const [difference] = differences({}, { runs: [run(), never] });
    expect(difference).toMatchObject({
      code: 'never-complete',
      message:
        'The candidate was never complete in 1 of 2 loads, waiting for /hung.png. The base always was complete. Those loads do not count for page complete.',
    });
    expect(differences({ runs: [never] }, { runs: [never] })).toEqual([]);
  });

  it('tells content that one build shows after page complete', () => {
    const lateContent = { after: 3_900, share: 0.06, urls: [`${CANDIDATE}/recs`], awaited: [] };
    const late = { evidence: { watchedUntil: 8_000, watchedBecause: '', pictures: [], lateContent } };
    const [difference] = differences({}, late);
    expect(difference).toMatchObject({ code: 'late-content', facts: { build: 'candidate', after: 3_900 } });
    expect(differences(late, late)).toEqual([]);
    expect(differences({}, { ...late, policy: { ...POLICY, awaited: [] } })).toEqual([]);
  });

  it('points at background traffic that only one build has', () => {
    const [difference] = differences({}, { background: [endpoint(`GET ${CANDIDATE}/stock?*`)] });
    expect(difference?.code).toBe('background');
    expect(difference?.message).toContain('New background traffic: poll /stock.');
    const icon = endpoint(`GET ${CANDIDATE}/favicon.ico`, { kind: 'browser-internal' });
    expect(differences({}, { background: [icon] })).toEqual([]);
  });
});
