import type { Decision, Difference, MetricComparison, Scale } from '../../model/comparison.ts';
import type { Shard } from '../../model/shard.ts';
import type { Unit } from '../../model/units.ts';
import { amount, percent, percentChosen } from './figures.ts';

/** From here on a number of pairs is no advice any more. */
const MOST_PAIRS_TO_ADVISE = 1000;

/** What the sentence about a metric is made from. */
export type Told = Omit<MetricComparison, 'sentence'>;

/** How one is worse or better in a unit. */
export function words(unit: Unit, scale: Scale): { readonly worse: string; readonly better: string } {
  switch (unit) {
    case 'ms':
      // What can be 0 is the length of something (blocking time), not a moment that comes sooner or later.
      return scale === 'shift' ? { worse: 'longer', better: 'shorter' } : { worse: 'slower', better: 'faster' };
    case 'bytes':
      return { worse: 'larger', better: 'smaller' };
    case 'count':
      return { worse: 'more', better: 'fewer' };
    case 'score':
      return { worse: 'worse', better: 'better' };
  }
}

/**
 * One sentence for a metric, named by its `title`: what the decision is and how large the change, for a reader who knows
 * no statistics. `final`: no more loads follow.
 */
export function metricSentence(comparison: Told, title: string, final = true): string {
  const { difference, decision, gate } = comparison;
  if (!difference) return `${title} could not be compared: ${whyNotCompared(comparison)}.`;
  if (!hasInterval(comparison)) {
    return `${title}: too few pairs for an interval; so far the estimate is ${signed(estimateOf(difference), comparison)}.`;
  }
  const range = rangeOf(difference, comparison);
  switch (decision) {
    case 'slower':
    case 'faster':
      return `${changed(comparison, difference, title)}${remark(comparison, difference)}.`;
    case 'same':
      return difference.low === 0 && difference.high === 0
        ? `${title}: no change.`
        : `${title}: no change larger than ${chosen(difference.minEffect.up, comparison)} (${plainRange(difference, comparison)}).`;
    case 'unsure':
      if (!gate) return `${title}: no clear change, ${range}.`;
      return `${title} is ${final ? 'undecided' : 'not decided yet'}: ${range}${settling(comparison.pairsToSettle)}.`;
  }
}

/** "Page complete is 3.9 % slower (2.1 % to 5.1 %), 58 ms", "Requests: 3.9 % more (…)". */
function changed(comparison: Told, difference: Difference, title: string): string {
  const verb = comparison.unit === 'count' ? ':' : ' is';
  const both = difference.relative === undefined ? '' : `, ${amount(Math.abs(difference.absolute), comparison.unit)}`;
  const { low, high } = difference;
  const write = (end: number): string => figure(Math.abs(end), comparison);
  // An improvement is told by its size, so that its smaller end comes first too.
  const ends = comparison.decision === 'faster' ? [high, low] : [low, high];
  const [least, most] = ends.map((end) => (end === undefined ? undefined : write(end)));
  const range =
    least !== undefined && most !== undefined
      ? least === most
        ? `${least}`
        : `${least} to ${most}`
      : `${least === undefined ? `at most ${most}` : `at least ${least}`}`;
  return `${title}${verb} ${signed(estimateOf(difference), comparison)} (${range})${both}`;
}

/** What a reader of a change has to know besides its size. */
function remark(comparison: Told, difference: Difference): string {
  const { up, down } = difference.minEffect;
  const estimate = estimateOf(difference);
  if (estimate < up && estimate > down) {
    return `: measurable, but less than the ${chosen(up, comparison)} that would matter`;
  }
  const held = comparison.gate && comparison.decision === 'slower' && !comparison.fails;
  return held ? `: probably, but not certainly, more than the ${chosen(up, comparison)} that would matter` : '';
}

/** "between 0.9 % faster and 6.0 % slower". */
function rangeOf({ low, high }: Difference, comparison: Told): string {
  if (low === undefined) return `at most ${signed(high ?? 0, comparison)}`;
  if (high === undefined) return `at least ${signed(low, comparison)}`;
  return low === high ? signed(low, comparison) : `between ${signed(low, comparison)} and ${signed(high, comparison)}`;
}

/** "between −1.2 % and 2.3 %": for what is too small to have a direction. */
function plainRange({ low = 0, high = 0 }: Difference, comparison: Told): string {
  const [from, to] = [figure(low, comparison), figure(high, comparison)];
  return from === to ? from : `between ${from} and ${to}`;
}

/** Of very few pairs there is none, however alike they are. */
function hasInterval({ difference }: Told): boolean {
  return difference?.low !== undefined || difference?.high !== undefined;
}

function estimateOf({ relative, absolute }: Difference): number {
  return relative ?? absolute;
}

/** "3.9 % slower", "12 kB smaller", "no change". */
function signed(value: number, comparison: Told): string {
  if (value === 0) return 'no change';
  const { worse, better } = words(comparison.unit, comparison.scale);
  return `${figure(Math.abs(value), comparison)} ${value > 0 ? worse : better}`;
}

function figure(value: number, { scale, unit }: Told): string {
  return scale === 'ratio' ? percent(value) : amount(value, unit);
}

function chosen(value: number, { scale, unit }: Told): string {
  return scale === 'ratio' ? percentChosen(value) : amount(value, unit);
}

function settling(pairs: number | undefined): string {
  if (pairs === undefined) return '';
  return pairs > MOST_PAIRS_TO_ADVISE
    ? `; it would take more than ${amount(MOST_PAIRS_TO_ADVISE, 'count')} pairs to settle it`
    : `; about ${amount(pairs, 'count')} pairs would settle it`;
}

function whyNotCompared({ base, candidate }: Told): string {
  if (base.n === 0 && candidate.n === 0) return 'neither build has it in any load';
  if (base.n === 0) return 'the base has it in no load';
  if (candidate.n === 0) return 'the candidate has it in no load';
  return 'no block of loads has it in all of them';
}

/**
 * The whole comparison in plain words: the answer, and the sentences of the gate metrics that it rests on.
 * `invalidBecause`, a sentence, is for a comparison that gives no answer.
 */
export function overallSentence(
  decision: Decision | 'invalid',
  comparisons: readonly MetricComparison[],
  invalidBecause = 'The measurements cannot be compared.',
): string {
  if (decision === 'invalid') return `No answer. ${invalidBecause}`;
  const gates = comparisons.filter(({ gate }) => gate);
  const reasons = gates.filter((gate) => gate.decision === decision);
  const sentences = (decision === 'same' ? gates : reasons).map(({ sentence }) => sentence);
  return [answer(decision, reasons), ...sentences].join(' ');
}

/** What the result of one shard says of itself. */
export function shareSentence({ index, of }: Shard, pairs: number, maxPairs: number): string {
  return `Shard ${index} of ${of}: ${pairs} of ${maxPairs} pairs of loads. No answer by itself: "quiesce merge" joins the shards and decides.`;
}

function answer(decision: Decision, reasons: readonly MetricComparison[]): string {
  const times = reasons.every(({ unit, scale }) => unit === 'ms' && scale === 'ratio');
  switch (decision) {
    case 'slower': {
      const word = times ? 'slower' : 'worse';
      return reasons.some(({ fails }) => fails)
        ? `The candidate is ${word}.`
        : `The candidate is measurably ${word}, but not by enough to fail.`;
    }
    case 'faster':
      return `The candidate is ${times ? 'faster' : 'better'}.`;
    case 'same':
      return 'No change that would matter.';
    case 'unsure':
      if (reasons.every(({ difference }) => difference === undefined)) return 'Nothing could be compared.';
      return reasons.some(hasInterval)
        ? 'Undecided: the loads vary too much for the number of pairs.'
        : 'Undecided: there are too few pairs of loads for an interval.';
  }
}
