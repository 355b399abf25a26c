import { it } from 'vitest';
import type { ComparedFigures, Difference, MetricComparison } from '../../../src/model/compare/comparison.ts';
import { metricSentence, overallSentence } from '../../../src/wording/compare/comparison.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

const ratio = (relative: number, low: number, high: number): Difference => ({
  relative,
  absolute: relative * 1500,
  low,
  high,
  level: 0.95,
  minEffect: { up: 0.05, down: -0.0476 },
});
const shift = (factor: number): Difference => ({
  absolute: 34 * factor,
  low: 12 * factor,
  high: 60 * factor,
  level: 0.95,
  minEffect: { up: 10 * factor, down: -10 * factor },
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

const slower = ratio(0.068, 0.051, 0.082);
const beside = (low: number, high: number) =>
  say({ difference: slower, beside: { ...FIGURES, basis: 'undisturbed', difference: ratio(0.06, low, high) } });
const passes = { fails: false } as const;
const undisturbed = (low: number, high: number): Pick<ComparedFigures, 'beside'> => ({
  beside: { ...FIGURES, basis: 'undisturbed', difference: ratio((low + high) / 2, low, high) },
});
const faster = { ...passes, decision: 'faster' } as const;
const same = { ...passes, decision: 'same' } as const;
const absent = { ...passes, decision: 'unsure' } as const;
const unsure = { ...absent, difference: ratio(0.02, -0.009, 0.06) };
const { low: _low, high: _high, ...open } = ratio(0.039, 0, 0);
const plain = { gate: false } as const;

it('what is said of a metric is approved', () =>
  expectApproved(
    'wording/metric-sentences',
    outlined({
      'a regression': say({ difference: slower }),
      'undisturbed, precisely': beside(0.04, 0.09),
      'undisturbed, far less precisely': beside(-0.38, 12.31),
      'an improvement': say({ ...faster, difference: ratio(-0.12, -0.151, -0.09) }),
      'too small to matter': [
        say({ ...passes, difference: ratio(0.012, 0.008, 0.016) }),
        say({ ...faster, difference: ratio(-0.012, -0.016, -0.008) }),
      ],
      'a strict gate lets a likely regression pass': say({ ...passes, difference: ratio(0.068, 0.031, 0.092) }),
      'the same': [
        say({ ...same, difference: ratio(0.005, -0.012, 0.023) }),
        say({ ...same, difference: ratio(-0.03, -0.045, -0.001), ...undisturbed(-0.11, -0.022) }),
        say({ ...same, difference: ratio(-0.01, -0.03, 0.01), ...undisturbed(-0.04, 0.03) }),
        say({ ...same, difference: ratio(0, 0, 0) }),
      ],
      'undecided, and what it would take': [
        say(unsure),
        say({ ...unsure, pairsToSettle: 60 }),
        say({ ...unsure, pairsToSettle: 60 }, 'Page complete', false),
        say({ ...unsure, pairsToSettle: 4000 }),
        say({ ...unsure, ...plain }),
        say({ ...unsure, difference: ratio(0.02, 0, 0.06) }),
      ],
      'an interval without ends': [
        say({ ...absent, difference: open }),
        say({ difference: { ...open, low: 0.021 } }),
        say({ ...absent, difference: { ...open, high: 0.06 } }),
      ],
      'nothing to compare': [
        say({ ...absent, base: { n: 0 }, candidate: { n: 0 } }),
        say({ ...absent, candidate: { n: 0 } }),
        say({ ...absent, base: { n: 0 } }),
        say(absent),
      ],
      'each unit on its scale': [
        say({ ...plain, unit: 'bytes', difference: ratio(0.5, 0.4, 0.6) }, 'Transfer size'),
        say({ ...plain, unit: 'count', difference: ratio(0.5, 0.4, 0.6) }, 'Requests'),
        say({ ...plain, scale: 'shift', difference: shift(1) }, 'Total blocking time'),
        say({ ...plain, unit: 'score', scale: 'shift', difference: shift(0.001) }, 'Cumulative layout shift'),
      ],
      'a change that is not rounded away': say({ ...passes, difference: ratio(0.0004, 0.00002, 0.0008) }),
    }),
  ));

const comparison = (sentence: string, parts: Partial<MetricComparison> = {}): MetricComparison => ({
  ...told({}),
  sentence,
  ...parts,
});
const difference = { absolute: 1, level: 0.95, minEffect: { up: 0.05, down: -0.05 } };
const PC = comparison('PC is slower.');
const SAME = comparison('LCP: no change.', same);
const FASTER = comparison('PC is faster.', { ...faster, difference: { ...difference, low: -0.2, high: -0.1 } });
const FEW = comparison('F.', { decision: 'unsure', difference });
const WIDE = comparison('U.', { decision: 'unsure', difference: { ...difference, low: -0.2, high: 0.3 } });
const UNMEASURED = comparison('N.', { decision: 'unsure' });

it('what is said of all gates is approved: the answer first, then its reasons, and those in which it is otherwise', () =>
  expectApproved(
    'wording/overall-sentences',
    outlined({
      slower: overallSentence('slower', [PC, SAME, comparison('Not told.', plain)]),
      'slower, but not by enough to fail': overallSentence('slower', [{ ...PC, fails: false }]),
      'slower and faster': overallSentence('slower', [FASTER, comparison('LCP is slower.')]),
      'more bytes': overallSentence('slower', [comparison('B.', { unit: 'bytes' })]),
      'the same': overallSentence('same', [SAME, SAME]),
      faster: overallSentence('faster', [FASTER, SAME]),
      'fewer requests': overallSentence('faster', [comparison('R.', { unit: 'count', decision: 'faster' })]),
      'the loads vary too much': overallSentence('unsure', [WIDE, FEW]),
      'the loads vary too much for the plan': overallSentence('unsure', [WIDE], undefined, 'max-pairs'),
      'too many loads failed': overallSentence('unsure', [WIDE], undefined, 'too-many-failures'),
      'too few pairs to say how much they vary': overallSentence('unsure', [FEW]),
      'one gate could not be compared': overallSentence('unsure', [FASTER, UNMEASURED]),
      'nothing could be compared': [overallSentence('unsure', [UNMEASURED]), overallSentence('unsure', [])],
      'no answer': overallSentence('invalid', [PC], 'The machine was busy.'),
    }),
  ));
