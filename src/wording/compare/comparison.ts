import type {
  ComparedFigures,
  CompareResult,
  Decision,
  Difference,
  MetricComparison,
  Scale,
  StopReason,
} from '../../model/compare/comparison.ts';
import type { Shard } from '../../model/shards/shard.ts';
import type { FigureUnit } from '../../model/units.ts';
import { comparedHeadline } from '../../result/representative.ts';
import { doubtfulBuilds } from '../completion/doubt.ts';
import { formatChosenShare, formatShare, formatValue } from '../text/format.ts';

/** From here on a number of pairs is no advice any more. */
const MOST_PAIRS_TO_ADVISE = 1000;

/** What a rise and a fall of a metric are called. */
export function directionsOf({ unit, scale }: { readonly unit: FigureUnit; readonly scale: Scale }): {
  readonly worse: string;
  readonly better: string;
} {
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
    case '1/s':
      return { worse: 'higher', better: 'lower' };
  }
}

/** The comparisons of metrics, each with its sentence. `final`: no more loads follow. */
export function withSentences(
  comparisons: readonly ComparedFigures[],
  titleOf: (metric: string) => string,
  final = true,
): readonly MetricComparison[] {
  return comparisons.map((each) => ({ ...each, sentence: metricSentence(each, titleOf(each.metric), final) }));
}

/**
 * One sentence for a metric, named by its `title`: what the decision is and how large the change, for a reader who knows
 * no statistics. `final`: no more loads follow.
 */
export function metricSentence(comparison: ComparedFigures, title: string, final = true): string {
  const sentence = onOneBasis(comparison, titleOnBasis(comparison, title), final);
  return comparison.gate ? `${sentence}${onTheOther(comparison)}` : sentence;
}

/** "Page complete", or "Page complete (undisturbed)" where what the machine took is left out. */
export function titleOnBasis({ basis }: Pick<ComparedFigures, 'basis'>, title: string): string {
  return basis === 'undisturbed' ? `${title} (undisturbed)` : title;
}

/** An estimate whose interval is wider by more than this says nothing beside what was measured. */
const TIMES_AS_WIDE = 2;

/** What the basis says that did not decide: " As measured, including CPU time lost to other programs: between …" */
function onTheOther(comparison: ComparedFigures): string {
  const { beside, difference, decision } = comparison;
  if (beside?.difference === undefined || !hasInterval(beside)) return '';
  // The less precise of two intervals that both hold the small change: beside "no change that matters" it would read as one.
  if (decision === 'same' && excludesZero(beside.difference)) return '';
  const range = rangeOf(beside.difference, comparison);
  if (beside.basis === 'measured') return ` As measured, including CPU time lost to other programs: ${range}.`;
  if (difference && widthOf(beside.difference) > TIMES_AS_WIDE * widthOf(difference)) return '';
  return ` Corrected for CPU time lost to other programs: ${range}.`;
}

function onOneBasis(comparison: ComparedFigures, title: string, final: boolean): string {
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

/** "Page complete is 3.9% slower (2.1% to 5.1%), 58 ms", "Requests: 3.9% more (…)". */
function changed(comparison: ComparedFigures, difference: Difference, title: string): string {
  const verb = comparison.unit === 'count' ? ':' : ' is';
  const both =
    difference.relative === undefined ? '' : `, ${formatValue(Math.abs(difference.absolute), comparison.unit)}`;
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
function remark(comparison: ComparedFigures, difference: Difference): string {
  const { up, down } = difference.minEffect;
  const estimate = estimateOf(difference);
  if (estimate < up && estimate > down) {
    return `: measurable, but less than the ${chosen(up, comparison)} that matters`;
  }
  const held = comparison.gate && comparison.decision === 'slower' && !comparison.fails;
  return held ? `: probably, but not certainly, more than the ${chosen(up, comparison)} that matters` : '';
}

/** "between 0.9% faster and 6.0% slower". */
function rangeOf({ low, high }: Difference, comparison: ComparedFigures): string {
  if (low === undefined) return `at most ${signed(high ?? 0, comparison)}`;
  if (high === undefined) return `at least ${signed(low, comparison)}`;
  return low === high ? signed(low, comparison) : `between ${signed(low, comparison)} and ${signed(high, comparison)}`;
}

/** "between −1.2% and 2.3%": for what is too small to have a direction. */
function plainRange({ low = 0, high = 0 }: Difference, comparison: ComparedFigures): string {
  const [from, to] = [figure(low, comparison), figure(high, comparison)];
  return from === to ? from : `between ${from} and ${to}`;
}

/** How far apart the ends of an interval are; one without an end is endless. */
function widthOf({ low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY }: Difference): number {
  return high - low;
}

/** Is it all on one side? */
function excludesZero({ low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY }: Difference): boolean {
  return low > 0 || high < 0;
}

/** Of very few pairs there is none, however alike they are. */
function hasInterval({ difference }: Pick<ComparedFigures, 'difference'>): boolean {
  return difference?.low !== undefined || difference?.high !== undefined;
}

/** The estimate on the scale of the interval: a share for ratios, the metric's own unit for shifts. */
export function estimateOf({ relative, absolute }: Difference): number {
  return relative ?? absolute;
}

/** "3.9% slower", "12 kB smaller", "no change". */
function signed(value: number, comparison: ComparedFigures): string {
  if (value === 0) return 'no change';
  const { worse, better } = directionsOf(comparison);
  return `${figure(Math.abs(value), comparison)} ${value > 0 ? worse : better}`;
}

function figure(value: number, { scale, unit }: ComparedFigures): string {
  return scale === 'ratio' ? formatShare(value) : formatValue(value, unit);
}

function chosen(value: number, { scale, unit }: ComparedFigures): string {
  return scale === 'ratio' ? formatChosenShare(value) : formatValue(value, unit);
}

function settling(pairs: number | undefined): string {
  if (pairs === undefined) return '';
  return pairs > MOST_PAIRS_TO_ADVISE
    ? `; more than ${formatValue(MOST_PAIRS_TO_ADVISE, 'count')} pairs would be needed`
    : `; about ${formatValue(pairs, 'count')} pairs would be enough`;
}

function whyNotCompared({ base, candidate }: ComparedFigures): string {
  if (base.n === 0 && candidate.n === 0) return 'no load of either build has a value';
  if (base.n === 0) return 'no load of the base has a value';
  if (candidate.n === 0) return 'no load of the candidate has a value';
  return 'no block has a value in all of its loads';
}

/**
 * The whole comparison in plain words: the answer, and the sentences of the gate metrics that it rests on.
 * `invalidBecause`, a sentence, is for a comparison that gives no answer; `doubt`, another, for one of answers that may be wrong;
 * `headline` is what is said before the gates.
 */
export function overallSentence(
  decision: Decision | 'invalid',
  comparisons: readonly MetricComparison[],
  invalidBecause = 'The measurements cannot be compared.',
  stopped?: StopReason,
  doubt?: string,
  subject?: Subject,
  headline?: MetricComparison,
): string {
  return [
    overallAnswer(decision, comparisons, stopped, subject),
    ...overallReasons(decision, comparisons, invalidBecause, stopped, doubt, headline),
  ].join(' ');
}

/** Who became slower or faster, up to the word itself. */
type Subject = 'The candidate is' | 'Your change makes the page';

/** A candidate that a pull request or the work tree brings is the reader's own change. */
export function subjectOf({ settings, source }: Pick<CompareResult, 'settings' | 'source'>): Subject {
  return settings.baseRef !== undefined || source?.pullRequest === true
    ? 'Your change makes the page'
    : 'The candidate is';
}

/** The answer of a result in one sentence, and what it rests on, a sentence each. What one shard says is no answer. */
export function comparisonAnswer({
  shard,
  sentence,
  decision,
  comparisons,
  host,
  design,
  base,
  candidate,
  settings,
  source,
}: CompareResult): readonly [answer: string, reasons: readonly string[]] {
  return shard
    ? [sentence, []]
    : [
        overallAnswer(decision, comparisons, design.stoppedBecause, subjectOf({ settings, source })),
        overallReasons(
          decision,
          comparisons,
          host.sentence,
          design.stoppedBecause,
          doubtfulBuilds({ base, candidate }),
          comparedHeadline({ base, candidate, comparisons }),
        ),
      ];
}

/** The answer of a comparison in one short sentence. */
function overallAnswer(
  decision: Decision | 'invalid',
  comparisons: readonly MetricComparison[],
  stopped: StopReason | undefined,
  subject: Subject = 'The candidate is',
): string {
  if (decision === 'invalid') return 'No answer.';
  const isAnyCompared = comparisons.some(({ gate, difference }) => gate && difference !== undefined);
  if (stopped === 'blank') return 'Undecided: one page is blank.';
  if (decision === 'unsure' && stopped === 'too-many-failures') return 'Undecided: too many loads failed.';
  if (decision === 'unsure' && stopped === 'interrupted')
    return 'Undecided: the comparison was ended before its answer.';
  return answer(decision, deciding(decision, comparisons), isAnyCompared, subject);
}

/** What the answer rests on, a sentence each: the headline's, and those of the gate metrics that led to it or say otherwise, or why there is no answer. */
function overallReasons(
  decision: Decision | 'invalid',
  comparisons: readonly MetricComparison[],
  invalidBecause: string,
  stopped: StopReason | undefined,
  doubt?: string,
  headline?: MetricComparison,
): readonly string[] {
  if (decision === 'invalid') return [invalidBecause];
  // The times of an empty page say nothing of it.
  if (stopped === 'blank') return [];
  const gates = namedGates(decision, comparisons).filter((each) => each !== headline);
  const told = headline ? [headline, ...gates] : gates;
  return [...told.map(({ sentence }) => sentence), ...(doubt === undefined ? [] : [doubt])];
}

/** The gate metrics that a decision names: those that led to it, then others in which the candidate is slower or faster. */
export function namedGates(decision: Decision, comparisons: readonly MetricComparison[]): readonly MetricComparison[] {
  const led = deciding(decision, comparisons);
  const known = new Set(led);
  const differ = comparisons.filter(
    (each) => each.gate && !known.has(each) && (each.decision === 'slower' || each.decision === 'faster'),
  );
  return [...led, ...differ];
}

/** The gate metrics that led to a decision. */
function deciding(decision: Decision, comparisons: readonly MetricComparison[]): readonly MetricComparison[] {
  return comparisons.filter((each) => each.gate && (decision === 'same' || each.decision === decision));
}

/** What the result of one shard says of itself. */
export function shareSentence({ index, of }: Shard, pairs: number, maxPairs: number): string {
  return `Shard ${index} of ${of}: ${pairs} of ${maxPairs} pairs of loads. This is only a part of the answer: "quiesce merge" joins the shards and decides.`;
}

/** Are they moments, so that a build is slower or faster for them? One whose pages are larger is no slower for it. */
export function areMoments(comparisons: readonly { readonly unit: FigureUnit; readonly scale: Scale }[]): boolean {
  return comparisons.every(({ unit, scale }) => unit === 'ms' && scale === 'ratio');
}

function answer(
  decision: Decision,
  reasons: readonly MetricComparison[],
  isAnyCompared: boolean,
  subject: Subject,
): string {
  const times = areMoments(reasons);
  switch (decision) {
    case 'slower': {
      const word = times ? 'slower' : 'worse';
      return reasons.some(({ fails }) => fails)
        ? `${subject} ${word}.`
        : `${subject} measurably ${word}, but not by enough to fail.`;
    }
    case 'faster':
      return `${subject} ${times ? 'faster' : 'better'}.`;
    case 'same':
      return 'No change that matters.';
    case 'unsure':
      if (!isAnyCompared) return 'Undecided: nothing could be compared.';
      if (reasons.every(({ difference }) => difference === undefined)) {
        return 'Undecided: a gate metric could not be compared.';
      }
      return reasons.some(hasInterval)
        ? 'Undecided: the loads vary too much for the number of pairs.'
        : 'Undecided: there are too few pairs of loads for an interval.';
  }
}
