import { describe, expect, it } from 'vitest';
import type { ComparedFigures, Difference, MetricComparison } from '../../src/model/comparison.ts';
import { metricSentence, overallSentence } from '../../src/wording/comparison.ts';

const ratio = (relative: number, low: number, high: number): Difference => ({
  relative,
  absolute: relative * 1500,
  low,
  high,
  level: 0.95,
  minEffect: { up: 0.05, down: -0.0476 },
});
const FIGURES = { base: { n: 40, median: 1500 }, candidate: { n: 40, median: 1558 } };
const told = (parts: Partial<ComparedFigures>): ComparedFigures => ({
  metric: 'pageComplete',
  unit: 'ms',
  scale: 'ratio',
  gate: true,
  ...FIGURES,
  decision: 'slower',
  fails: true,
  ...parts,
});
const say = (parts: Partial<ComparedFigures>, title = 'Page complete', final = true) =>
  metricSentence(told(parts), title, final);

describe('metricSentence', () => {
  it('tells a regression with its interval and its size', () => {
    expect(say({ difference: ratio(0.068, 0.051, 0.082) })).toBe(
      'Page complete is 6.8% slower (5.1% to 8.2%), 102 ms.',
    );
  });

  it('tells the other basis, unless that is far less precise', () => {
    const difference = ratio(0.068, 0.051, 0.082);
    const beside = (low: number, high: number) =>
      say({ difference, beside: { ...FIGURES, basis: 'undisturbed', difference: ratio(0.06, low, high) } });
    expect(beside(0.04, 0.09)).toContain(
      ' Undisturbed, without the time that the machine took from the page: between 4.0% slower and 9.0% slower.',
    );
    expect(beside(-0.38, 12.31)).toBe('Page complete is 6.8% slower (5.1% to 8.2%), 102 ms.');
  });

  it('tells an improvement by its size', () => {
    expect(say({ decision: 'faster', fails: false, difference: ratio(-0.12, -0.151, -0.09) })).toBe(
      'Page complete is 12% faster (9.0% to 15%), 180 ms.',
    );
  });

  it('says when a change is measurable and too small to matter', () => {
    const small = ratio(0.012, 0.008, 0.016);
    expect(say({ fails: false, difference: small })).toBe(
      'Page complete is 1.2% slower (0.8% to 1.6%), 18 ms: measurable, but less than the 5% that matters.',
    );
    expect(say({ decision: 'faster', fails: false, difference: ratio(-0.012, -0.016, -0.008) })).toContain(
      '1.2% faster (0.8% to 1.6%), 18 ms: measurable, but less than',
    );
  });

  it('says when a strict gate lets a likely regression pass', () => {
    expect(say({ fails: false, difference: ratio(0.068, 0.031, 0.092) })).toBe(
      'Page complete is 6.8% slower (3.1% to 9.2%), 102 ms: probably, but not certainly, more than the 5% that matters.',
    );
  });

  it('tells what is the same', () => {
    const same = { decision: 'same', fails: false } as const;
    expect(say({ ...same, difference: ratio(0.005, -0.012, 0.023) })).toBe(
      'Page complete: no change larger than 5% (between −1.2% and 2.3%).',
    );
    expect(say({ ...same, difference: ratio(0, 0, 0) })).toBe('Page complete: no change.');
  });

  it('tells what is not known, and what it would take', () => {
    const unsure = { decision: 'unsure', fails: false, difference: ratio(0.02, -0.009, 0.06) } as const;
    expect(say({ ...unsure, pairsToSettle: 60 })).toBe(
      'Page complete is undecided: between 0.9% faster and 6.0% slower; about 60 pairs would be enough.',
    );
    expect(say({ ...unsure, pairsToSettle: 60 }, 'Page complete', false)).toContain('is not decided yet: between');
    expect(say({ ...unsure, pairsToSettle: 4000 })).toContain('more than 1,000 pairs would be needed');
    expect(say(unsure)).toBe('Page complete is undecided: between 0.9% faster and 6.0% slower.');
    expect(say({ ...unsure, gate: false })).toBe(
      'Page complete: no clear change, between 0.9% faster and 6.0% slower.',
    );
    expect(say({ ...unsure, difference: ratio(0.02, 0, 0.06) })).toContain('between no change and 6.0% slower');
  });

  it('shows an interval without ends as such', () => {
    const { low: _, high: __, ...open } = ratio(0.039, 0, 0);
    expect(say({ decision: 'unsure', fails: false, difference: open })).toBe(
      'Page complete: too few pairs for an interval; so far the estimate is 3.9% slower.',
    );
    expect(say({ difference: { ...open, low: 0.021 } })).toContain('3.9% slower (at least 2.1%)');
    expect(say({ decision: 'unsure', fails: false, difference: { ...open, high: 0.06 } })).toContain(
      'at most 6.0% slower',
    );
  });

  it('says why there is nothing to compare', () => {
    const absent = { decision: 'unsure', fails: false } as const;
    expect(say({ ...absent, base: { n: 0 }, candidate: { n: 0 } })).toBe(
      'Page complete could not be compared: no load of either build has a value.',
    );
    expect(say({ ...absent, candidate: { n: 0 } })).toContain('no load of the candidate has a value');
    expect(say({ ...absent, base: { n: 0 } })).toContain('no load of the base has a value');
    expect(say(absent)).toContain('no block has a value in all of its loads');
  });

  it.each([
    ['bytes', 'ratio', 'Transfer size', 'Transfer size is 50% larger (40% to 60%), 750 B.'],
    ['count', 'ratio', 'Requests', 'Requests: 50% more (40% to 60%), 750.'],
    ['ms', 'shift', 'Total blocking time', 'Total blocking time is 34 ms longer (12 ms to 60 ms).'],
    ['score', 'shift', 'Cumulative layout shift', 'Cumulative layout shift is 0.034 worse (0.012 to 0.060).'],
  ] as const)('speaks of %s on the scale of a %s in its own words', (unit, scale, title, sentence) => {
    const factor = unit === 'score' ? 0.001 : 1;
    const difference =
      scale === 'ratio'
        ? ratio(0.5, 0.4, 0.6)
        : {
            absolute: 34 * factor,
            low: 12 * factor,
            high: 60 * factor,
            level: 0.95,
            minEffect: { up: 10 * factor, down: -10 * factor },
          };
    expect(say({ unit, scale, gate: false, difference }, title)).toBe(sentence);
  });

  it('never rounds a change away', () => {
    expect(say({ difference: ratio(0.0004, 0.00002, 0.0008), fails: false })).toContain(
      '0.04% slower (0.01% to 0.08%), 0.6 ms',
    );
  });
});

describe('overallSentence', () => {
  const comparison = (parts: Partial<MetricComparison>): MetricComparison => ({
    ...told({}),
    sentence: 'S.',
    ...parts,
  });

  it('begins with the answer and goes on with its reasons', () => {
    const slower = comparison({ sentence: 'Page complete is 6.8% slower.' });
    const same = comparison({ decision: 'same', fails: false, sentence: 'LCP: no change.' });
    const other = comparison({ gate: false, sentence: 'Not told.' });
    expect(overallSentence('slower', [slower, same, other])).toBe(
      'The candidate is slower. Page complete is 6.8% slower.',
    );
    expect(overallSentence('slower', [{ ...slower, fails: false }])).toMatch(
      /^The candidate is measurably slower, but not by enough to fail\./,
    );
    expect(overallSentence('same', [same, same])).toBe('No change that matters. LCP: no change. LCP: no change.');
    expect(overallSentence('faster', [comparison({ decision: 'faster', sentence: 'F.' }), same])).toBe(
      'The candidate is faster. F.',
    );
    const difference = { absolute: 1, level: 0.95, minEffect: { up: 0.05, down: -0.05 } };
    const few = comparison({ decision: 'unsure', sentence: 'F.', difference });
    const wide = comparison({
      decision: 'unsure',
      sentence: 'U.',
      difference: { ...difference, low: -0.2, high: 0.3 },
    });
    expect(overallSentence('unsure', [wide, few])).toBe(
      'Undecided: the loads vary too much for the number of pairs. U. F.',
    );
    // Of two pairs nobody knows how much they vary.
    expect(overallSentence('unsure', [few])).toBe('Undecided: there are too few pairs of loads for an interval. F.');
    const { difference: _difference, ...unmeasured } = comparison({ decision: 'unsure', sentence: 'N.' });
    expect(overallSentence('unsure', [unmeasured])).toBe('Undecided: nothing could be compared. N.');
    expect(overallSentence('unsure', [])).toBe('Undecided: nothing could be compared.');
  });

  it('does not blame the loads where the comparison was cut short', () => {
    const difference = { absolute: 1, level: 0.95, minEffect: { up: 0.05, down: -0.05 }, low: -0.2, high: 0.3 };
    const wide = comparison({ decision: 'unsure', sentence: 'U.', difference });
    expect(overallSentence('unsure', [wide], undefined, 'too-many-failures')).toBe(
      'Undecided: too many loads failed. U.',
    );
    expect(overallSentence('unsure', [wide], undefined, 'max-pairs')).toMatch(/^Undecided: the loads vary too much/);
  });

  it('tells also the gates in which it is otherwise', () => {
    const slower = comparison({ sentence: 'LCP is slower.' });
    const difference = { absolute: -90, level: 0.95, minEffect: { up: 0.05, down: -0.05 }, low: -0.2, high: -0.1 };
    const parts = { decision: 'faster', fails: false, difference } as const;
    const faster = comparison({ ...parts, sentence: 'Page complete is faster.' });
    const { difference: _difference, ...unmeasured } = comparison({ decision: 'unsure', sentence: 'N.' });
    expect(overallSentence('slower', [faster, slower])).toBe(
      'The candidate is slower. LCP is slower. Page complete is faster.',
    );
    expect(overallSentence('unsure', [faster, unmeasured])).toBe(
      'Undecided: a gate metric could not be compared. N. Page complete is faster.',
    );
  });

  it('does not call bytes slow', () => {
    expect(overallSentence('slower', [comparison({ unit: 'bytes' })])).toMatch(/^The candidate is worse\./);
    expect(overallSentence('faster', [comparison({ unit: 'count', decision: 'faster' })])).toMatch(
      /^The candidate is better\./,
    );
  });

  it('gives no answer, and why, when there is none', () => {
    expect(overallSentence('invalid', [comparison({})], 'The machine was busy.')).toBe(
      'No answer. The machine was busy.',
    );
  });
});
