import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MIN_EFFECT } from '../../../src/core/experiment/effect.ts';
import { defaultLooks, type PlanOptions, planExperiment } from '../../../src/core/experiment/plan.ts';
import { PLAN_OPTIONS, planProblemInWords } from '../../../src/wording/messages/plan-problems.ts';

const options: PlanOptions = {
  alpha: 0.05,
  minEffect: DEFAULT_MIN_EFFECT,
  gates: ['pageComplete', 'largestContentfulPaint'],
  strict: false,
  seed: 1,
};

describe('planExperiment', () => {
  it('has the default looks', () => {
    expect(planExperiment(options)).toEqual({ ...options, looks: [10, 16, 22, 28, 34, 40] });
  });

  it.each([
    [2, [2]],
    [6, [6]],
    [10, [10]],
    [12, [10, 12]],
    [20, [10, 16, 20]],
    [40, [10, 16, 22, 28, 34, 40]],
    [42, [10, 16, 22, 28, 34, 40, 42]],
    [60, [10, 16, 22, 28, 34, 40, 46, 52, 58, 60]],
  ])('with %d pairs at most looks at %j', (maxPairs, looks) => {
    expect(planExperiment({ ...options, maxPairs })).toMatchObject({ looks });
  });

  it('goes on in steps of six', () => {
    expect(defaultLooks(100).slice(-3)).toEqual([88, 94, 100]);
    expect(defaultLooks(1000)).toHaveLength(166);
  });

  it('takes looks as they are, and the largest number of pairs as the last', () => {
    expect(planExperiment({ ...options, looks: [4, 8] })).toMatchObject({ looks: [4, 8] });
    expect(planExperiment({ ...options, looks: [10, 16], maxPairs: 20 })).toMatchObject({ looks: [10, 16, 20] });
    expect(planExperiment({ ...options, looks: [10, 20], maxPairs: 20 })).toMatchObject({ looks: [10, 20] });
  });

  it('names a gate once', () => {
    expect(planExperiment({ ...options, gates: ['load', 'load'] })).toMatchObject({ gates: ['load'] });
  });

  it.each<[string, Partial<PlanOptions>, string, RegExp]>([
    ['one pair', { maxPairs: 1 }, '--max-pairs', /1 pair says nothing about chance/],
    ['no pair', { maxPairs: 0 }, '--max-pairs', /0 pairs say nothing/],
    ['an odd number', { maxPairs: 15 }, '--max-pairs', /15 is odd.*14 or 16/],
    ['half a pair', { maxPairs: 10.5 }, '--max-pairs', /not a whole number/],
    ['no number', { maxPairs: Number.NaN }, '--max-pairs', /not a whole number/],
    ['too many', { maxPairs: 2000 }, '--max-pairs', /more than 1000/],
    ['no looks', { looks: [] }, '--looks', /at least one/],
    ['looks that fall', { looks: [10, 20, 16] }, '--looks', /must rise, and 16 follows 20/],
    ['looks that stand', { looks: [10, 10] }, '--looks', /must rise/],
    ['an odd look', { looks: [9, 16] }, '--looks', /9 is odd/],
    ['a look too far', { looks: [10, 30], maxPairs: 20 }, '--looks', /30 is beyond --max-pairs 20/],
    ['no alpha', { alpha: 0 }, '--alpha', /above 0 and at most 0\.5/],
    ['too much alpha', { alpha: 0.6 }, '--alpha', /at most 0\.5/],
    ['alpha that is no number', { alpha: Number.NaN }, '--alpha', /above 0/],
    ['no gate', { gates: [] }, '--gate', /at least one metric/],
    ['a seed that is no number', { seed: Number.NaN }, '--seed', /whole number/],
    ['a seed that is too long', { seed: 2 ** 60 }, '--seed', /whole number/],
  ])('refuses %s', (_, changed, option, detail) => {
    const plan = planExperiment({ ...options, ...changed });
    if (!('problem' in plan)) throw new Error('it must be refused');
    expect(PLAN_OPTIONS[plan.problem.option]).toBe(option);
    expect(planProblemInWords(plan.problem)).toMatch(detail);
  });

  it('always makes rising, even looks that end at the largest number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (half) => {
        const looks = defaultLooks(2 * half);
        expect(looks.at(-1)).toBe(2 * half);
        for (const [i, look] of looks.entries()) expect(look % 2 === 0 && look > (looks[i - 1] ?? 0)).toBe(true);
      }),
    );
  });
});
