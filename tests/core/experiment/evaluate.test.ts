import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComparedMetric, type EvaluationInput, evaluate } from '../../../src/core/experiment/evaluate.ts';
import { metricTitle } from '../../../src/core/metrics/index.ts';
import type { ExperimentPlan } from '../../../src/model/compare/comparison.ts';
import { withSentences } from '../../../src/wording/compare/comparison.ts';
import { joined, referenceBlocks, runsOf, swapped } from './reference.ts';

const metrics: readonly ComparedMetric[] = [
  { name: 'pageComplete', unit: 'ms' },
  { name: 'load', unit: 'ms' },
  { name: 'totalBlockingTime', unit: 'ms', canBeZero: true },
  { name: 'requestCount', unit: 'count' },
];
const plan: ExperimentPlan = {
  seed: 1,
  looks: [10, 16, 22, 28, 34, 40],
  alpha: 0.05,
  minEffect: { relative: 0.05, absolute: 10 },
  gates: ['pageComplete'],
  strict: false,
};
const reference = runsOf('pageComplete', referenceBlocks);
const look = (parts: Partial<EvaluationInput>) =>
  evaluate({ runs: reference, plan, metrics, looksTaken: [10], ...parts });
const constant = (name: string, base: number, candidate = base, blocks = 5) =>
  runsOf(
    name,
    Array.from({ length: blocks }, () => ({ base: [base, base], candidate: [candidate, candidate] })),
  );

describe('evaluate', () => {
  it('gives the reference at its first look', () => {
    const { comparisons, decided, criticalValue } = look({});
    expect(decided).toBe(true);
    expect(criticalValue).toBeCloseTo(2.9552, 4);
    const [gate, ...others] = comparisons;
    // What nobody measured is left out, unless it decides.
    expect(others).toEqual([]);
    expect(gate).toMatchObject({
      metric: 'pageComplete',
      unit: 'ms',
      scale: 'ratio',
      gate: true,
      base: { n: 10, median: 1505 },
      candidate: { n: 10, median: 1568.5 },
      decision: 'slower',
      fails: false,
    });
    const { relative = 0, absolute, low = 0, high = 0, level, minEffect } = gate?.difference ?? { absolute: 0 };
    expect([relative, low, high].map((share) => (100 * share).toFixed(4))).toEqual(['3.8680', '0.9085', '5.9524']);
    expect(absolute).toBeCloseTo(relative * 1505, 9);
    expect(level).toBe(0.95);
    expect(minEffect).toEqual({ up: 0.05, down: expect.closeTo(-0.047619, 6) });
    expect(gate?.p).toBeCloseTo(0.005393, 6);
    expect(gate?.discovery).toBeUndefined();
    expect(gate?.pairsToSettle).toBeUndefined();
  });

  it('fails a gate by the smallest effect, strictly only when the interval is beyond it', () => {
    const asked = (relative: number, strict: boolean) =>
      look({ plan: { ...plan, strict, minEffect: { relative, absolute: 0 } } }).comparisons[0]?.fails;
    expect(asked(0.038, false)).toBe(true);
    expect(asked(0.039, false)).toBe(false);
    expect(asked(0.038, true)).toBe(false);
    expect(asked(0.009, true)).toBe(true);
  });

  it('shares α over the gates', () => {
    const { comparisons, criticalValue } = look({
      runs: joined(reference, runsOf('load', referenceBlocks)),
      plan: { ...plan, gates: ['load', 'pageComplete'] },
    });
    expect(comparisons.map(({ metric }) => metric)).toEqual(['load', 'pageComplete']);
    expect(criticalValue).toBeCloseTo(3.1628, 4);
    expect(comparisons.map(({ difference }) => difference?.level)).toEqual([0.975, 0.975]);
  });

  it('takes boundaries from the looks that were taken', () => {
    expect(look({ looksTaken: [8, 10] }).criticalValue).not.toBeCloseTo(2.9552, 3);
    expect(look({ looksTaken: [4] }).criticalValue).toBeGreaterThan(2.9552);
    expect(look({ looksTaken: [] })).toMatchObject({ decided: false, comparisons: [{ decision: 'unsure' }] });
    expect(look({ looksTaken: [] })?.criticalValue).toBeUndefined();
  });

  it('goes on while a gate is unsure, and says for how long', () => {
    const runs = runsOf(
      'pageComplete',
      Array.from({ length: 5 }, () => ({ base: [1000, 1200], candidate: [1010, 1180] })),
    );
    const { comparisons, decided } = look({ runs });
    expect(decided).toBe(false);
    expect(comparisons[0]).toMatchObject({ decision: 'unsure', fails: false });
    expect(withSentences(comparisons, metricTitle, false)[0]?.sentence).toContain('not decided yet');
    const { comparisons: atEnd } = look({ runs, plan: { ...plan, looks: [10] } });
    expect(atEnd[0]).toMatchObject({ decision: 'unsure', pairsToSettle: expect.any(Number) });
    expect(atEnd[0]?.pairsToSettle).toBeGreaterThan(10);
    expect(withSentences(atEnd, metricTitle)[0]?.sentence).toContain(
      `about ${atEnd[0]?.pairsToSettle} pairs would be enough`,
    );
  });

  it('is the same for builds that do not differ, at the first look already', () => {
    const { comparisons, decided } = look({ runs: constant('pageComplete', 1200) });
    expect(decided).toBe(true);
    expect(comparisons[0]).toMatchObject({ decision: 'same', p: 1, difference: { low: 0, high: 0, absolute: 0 } });
  });

  it('keeps a gate that nobody measured, unsure', () => {
    for (const runs of [[], constant('load', 900)]) {
      const { comparisons, decided } = look({ runs });
      expect(decided).toBe(false);
      expect(comparisons[0]).toMatchObject({
        metric: 'pageComplete',
        decision: 'unsure',
        fails: false,
        base: { n: 0 },
      });
      expect(comparisons[0]?.difference).toBeUndefined();
      expect(comparisons[0]?.base?.median).toBeUndefined();
      expect(withSentences(comparisons, metricTitle)[0]?.sentence).toContain('could not be compared');
    }
  });

  it('leaves out a block that lacks a value, for that metric', () => {
    const gap = referenceBlocks.map((block, i) => (i === 2 ? { ...block, base: [undefined, 1500] } : block));
    const runs = joined(reference, runsOf('load', gap));
    const { comparisons } = look({ runs });
    expect(comparisons.map(({ metric, base, candidate }) => [metric, base.n, candidate.n])).toEqual([
      ['pageComplete', 10, 10],
      ['load', 8, 8],
    ]);
    const without = look({ runs: runsOf('load', referenceBlocks.toSpliced(2, 1)) }).comparisons[1];
    expect(comparisons[1]?.difference).toEqual(without?.difference);
  });

  it('shows what only one build has', () => {
    const runs = joined(
      reference,
      runsOf(
        'load',
        referenceBlocks.map(({ base }) => ({ base, candidate: [undefined, undefined] })),
      ),
    );
    expect(withSentences(look({ runs }).comparisons, metricTitle)[1]).toMatchObject({
      metric: 'load',
      base: { n: 10, median: 1505 },
      candidate: { n: 0 },
      decision: 'unsure',
      sentence: 'Load event could not be compared: no load of the candidate has a value.',
    });
  });

  it('compares by difference what can be 0, and what is', () => {
    const blocks = referenceBlocks.map(({ base, candidate }) => ({
      base: base.map((value) => value - 1489),
      candidate: candidate.map((value) => value - 1489),
    }));
    const runs = joined(reference, runsOf('totalBlockingTime', blocks), runsOf('load', blocks));
    const [, load, blocking] = look({ runs }).comparisons;
    for (const each of [load, blocking]) {
      expect(each?.scale).toBe('shift');
      expect(each?.difference?.relative).toBeUndefined();
      expect(each?.difference?.minEffect).toEqual({ up: 10, down: -10 });
    }
    expect(blocking?.difference?.absolute).toBe(58);
    // 1502 − 1489 and so on are never 0, and yet blocking time is no ratio.
    const positive = runsOf('totalBlockingTime', referenceBlocks);
    expect(look({ runs: joined(reference, positive) }).comparisons[1]?.scale).toBe('shift');
  });

  it('weighs other metrics against their number, and fails none of them', () => {
    const runs = joined(reference, constant('requestCount', 20, 30), constant('load', 800));
    const [, load, requests] = look({ runs }).comparisons;
    expect(load).toMatchObject({ gate: false, discovery: false, decision: 'same', fails: false });
    expect(requests).toMatchObject({ gate: false, discovery: true, decision: 'slower', fails: false });
    expect(requests?.difference).toMatchObject({ relative: expect.closeTo(0.5, 12), level: 0.95 });
    // The reference excludes 0 at 95%; among many metrics without a difference it is no discovery.
    const many = Array.from({ length: 30 }, (_, i) => ({ name: `m${i}`, unit: 'count' as const }));
    const lost = evaluate({
      runs: joined(reference, runsOf('load', referenceBlocks), ...many.map(({ name }) => constant(name, 10))),
      plan,
      metrics: [...metrics, ...many],
      looksTaken: [10],
    }).comparisons[1];
    expect(lost).toMatchObject({ metric: 'load', discovery: false, decision: 'unsure' });
    expect(lost?.difference?.low).toBeGreaterThan(0);
  });

  it('knows metrics of which more is better', () => {
    const better = look({
      runs: joined(reference, constant('score', 80, 90)),
      metrics: [...metrics, { name: 'score', unit: 'score', better: 'higher', canBeZero: true }],
    }).comparisons[1];
    expect(better).toMatchObject({ decision: 'faster', difference: { absolute: -10 } });
  });

  it('never says NaN, whatever was measured', () => {
    const strange = [Number.NaN, Number.POSITIVE_INFINITY, 0, -3, 1e-6, 1e12, undefined];
    const value = fc.oneof(fc.constantFrom(...strange), fc.double({ min: 0.001, max: 5000, noNaN: true }));
    const block = fc.record({ base: fc.tuple(value, value), candidate: fc.tuple(value, value) });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
        const { comparisons } = look({ runs: runsOf('pageComplete', blocks), looksTaken: [2 * blocks.length] });
        expect(JSON.stringify(comparisons)).not.toContain('null');
        const sentences = withSentences(comparisons, metricTitle).map(({ sentence }) => sentence);
        expect(sentences.join()).not.toMatch(/NaN|Infinity|undefined/);
      }),
    );
  });

  it('mirrors its answer when the builds are swapped, and leaves its input', () => {
    const times = fc.tuple(fc.integer({ min: 900, max: 1100 }), fc.integer({ min: 900, max: 1100 }));
    const blocks = fc.array(fc.record({ base: times, candidate: times }), { minLength: 4, maxLength: 10 });
    const mirror = { slower: 'faster', faster: 'slower', same: 'same', unsure: 'unsure' } as const;
    fc.assert(
      fc.property(blocks, fc.constantFrom(0.8, 1, 1.2), (drawn, factor) => {
        const built = drawn.map(({ base, candidate }) => ({ base, candidate: candidate.map((time) => time * factor) }));
        const runs = Object.freeze(runsOf('load', built));
        const before = structuredClone(runs);
        const gates = { ...plan, gates: ['load'] };
        const looksTaken = [built.length * 2];
        const [one] = look({ runs, plan: gates, looksTaken }).comparisons;
        const [other] = look({ runs: runsOf('load', swapped(built)), plan: gates, looksTaken }).comparisons;
        expect(other?.decision).toBe(mirror[one?.decision ?? 'same']);
        expect(other?.p).toBeCloseTo(one?.p ?? Number.NaN, 10);
        expect((1 + (one?.difference?.relative ?? 9)) * (1 + (other?.difference?.relative ?? 9))).toBeCloseTo(1, 10);
        expect(runs).toEqual(before);
      }),
    );
  });
});

describe('what the machine took', () => {
  /** Numbers between −1 and 1 that follow no pattern, the same each time. */
  const noise = (n: number): number => {
    const at = Math.sin(n * 12.9898 + 4.1414) * 43_758.5453;
    return 2 * (at - Math.floor(at)) - 1;
  };
  const moment: ComparedMetric = { name: 'pageComplete', unit: 'ms', isMoment: true };
  /** Ten pairs of a page of script, the candidate 5 % slower, of which the machine took a share between `least` and `most`. */
  const robbed = (least: number, most: number, known: (n: number) => boolean = () => true) =>
    constant('pageComplete', 1).map((run, n): (typeof reference)[number] => {
      const undisturbed = (run.build === 'base' ? 1000 : 1050) * (1 + 0.005 * noise(n));
      const stolenTime = undisturbed * (least + ((most - least) * (1 + noise(n + 0.5))) / 2);
      return {
        ...run,
        metrics: { pageComplete: undisturbed + stolenTime, mainThreadTime: undisturbed + stolenTime, stolenTime },
        ...(known(n) && { undisturbed: { pageComplete: undisturbed } }),
      };
    });
  const asked = (runs: EvaluationInput['runs'], metric = moment) =>
    look({ runs, metrics: [metric], plan: { ...plan, minEffect: { relative: 0.04, absolute: 0 } } }).comparisons[0];

  it('is left out where that is more precise, with the measured figures beside', () => {
    const gate = asked(robbed(0, 1));
    expect(gate).toMatchObject({ basis: 'undisturbed', decision: 'slower', fails: true });
    expect(gate?.difference?.relative).toBeCloseTo(0.05, 2);
    expect(gate?.base.median).toBeCloseTo(1000, -1);
    expect(gate?.beside).toMatchObject({ basis: 'measured', base: { n: 10 }, candidate: { n: 10 } });
    expect(gate?.beside?.difference?.low).toBeLessThan(0);
    expect(gate?.beside?.base.median).toBeGreaterThan(1200);
    const [sentence] = withSentences(gate ? [gate] : [], metricTitle).map((each) => each.sentence);
    expect(sentence).toMatch(
      /^Page complete \(undisturbed\) is [45]\.\d% slower .* As measured, including CPU time lost to other programs/,
    );
  });

  it('is not left out on a machine that takes little', () => {
    const gate = asked(robbed(0.01, 0.011));
    expect(gate).toMatchObject({ basis: 'measured', beside: { basis: 'undisturbed' } });
  });

  it('is not left out where it is not known of each load, nor of what is no moment', () => {
    for (const gate of [asked(robbed(0, 1, (n) => n !== 7)), asked(robbed(0, 1), { ...moment, isMoment: false })]) {
      expect(gate?.basis).toBeUndefined();
      expect(gate?.beside).toBeUndefined();
      expect(gate?.base.median).toBeGreaterThan(1200);
    }
  });
});
