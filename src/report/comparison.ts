import { defined } from '../core/text/defined.ts';
import { BUILDS, type Build, type PerBuild } from '../model/compare/build.ts';
import type { Difference, MetricComparison, PlacedRun, RequestChange } from '../model/compare/comparison.ts';
import type { CompareReport, MetricColumn } from '../model/result/report.ts';
import type { RunResult } from '../model/result/result.ts';
import type { Unit } from '../model/units.ts';
import { comparedHeadline, mostlyComplete } from '../result/representative.ts';
import { areMoments, directionsOf, estimateOf, namedGates, titleOnBasis } from '../wording/compare/comparison.ts';
import { NO_REASON } from '../wording/result/failure.ts';
import {
  ABSENT,
  formatChange,
  formatChosenShare,
  formatCount,
  formatLevel,
  formatValue,
} from '../wording/text/format.ts';

/** How a decision looks: better · worse enough to matter · worse, perhaps too little to matter · no change · nothing can be said. */
export type Tone = 'better' | 'worse' | 'slight' | 'same' | 'unsure';

/** A metric with the words that it is shown with. */
export interface ShownMetric {
  readonly comparison: MetricComparison;
  /** In words: 'Page complete'; the metric's name where no column describes it. */
  readonly title: string;
  readonly column?: MetricColumn;
  /** The answer rests on it: a gate, or the headline. */
  readonly isAnswer: boolean;
}

/**
 * What every report shows of a comparison's metrics: the headline and the gates first. Mostly complete is page complete where
 * no small parts follow.
 */
export function shownMetrics(report: CompareReport): readonly ShownMetric[] {
  const known = new Map<string, MetricColumn>(report.columns.map((column) => [column.name, column]));
  const headline = comparedHeadline(report.result);
  const shown = report.result.comparisons.flatMap((comparison): readonly ShownMetric[] => {
    const isAnswer = comparison.gate || comparison === headline;
    if (comparison.metric === 'mostlyComplete' && !isAnswer && areAllAlike(report)) return [];
    const column = known.get(comparison.metric);
    const title = titleOnBasis(comparison, column?.title ?? comparison.metric);
    return [defined({ comparison, title, column, isAnswer })];
  });
  const rankOf = ({ comparison, isAnswer }: ShownMetric): number => (comparison === headline ? 0 : isAnswer ? 1 : 2);
  return shown.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Does page complete say all that mostly complete does, in both builds? */
const areAllAlike = ({ result }: CompareReport): boolean =>
  BUILDS.every((build) => mostlyComplete(result[build]) === undefined);

/** How a metric's decision looks. */
export function toneOf({ decision, difference, fails }: MetricComparison): Tone {
  if (decision === 'faster') return 'better';
  if (decision === 'same' || decision === 'unsure') return decision;
  return fails || difference === undefined || estimateOf(difference) >= difference.minEffect.up ? 'worse' : 'slight';
}

/** The sign of a tone, so that no decision is shown by its colour alone. */
export const SIGN: Readonly<Record<Tone | 'invalid', string>> = {
  better: '▼',
  worse: '▲',
  slight: '▲',
  same: '=',
  unsure: '?',
  invalid: '✗',
};

/** A decision as a headline says it. */
export interface DecisionHeadline {
  readonly tone: Tone | 'invalid';
  readonly sign: string;
  readonly word: string;
}

/** The decision in the words of its unit: sizes are larger, not slower. */
export function decisionWord(comparison: Pick<MetricComparison, 'decision' | 'unit' | 'scale'>): string {
  switch (comparison.decision) {
    case 'slower':
      return directionsOf(comparison).worse;
    case 'faster':
      return directionsOf(comparison).better;
    default:
      return comparison.decision;
  }
}

/** What a regression does to the gate; nothing of metrics that do not decide. */
export function gateInWords({ decision, gate, fails, difference }: MetricComparison): string | undefined {
  if (!gate || decision !== 'slower') return undefined;
  if (fails) return 'gate fails';
  const { high, minEffect } = difference ?? {};
  const within = high !== undefined && minEffect !== undefined && high < minEffect.up;
  return within ? 'too little to matter' : 'gate passes';
}

/** The decision of the whole comparison, before any figure. */
export function verdictOf({ result }: CompareReport): DecisionHeadline {
  if (result.shard !== undefined) {
    return { tone: 'unsure', sign: SIGN.unsure, word: `One of ${result.shard.of} shards` };
  }
  const reasons = result.comparisons.filter((each) => each.gate && each.decision === result.decision);
  const times = areMoments(reasons);
  switch (result.decision) {
    case 'slower': {
      const tone = result.failedGates.length > 0 || reasons.map(toneOf).includes('worse') ? 'worse' : 'slight';
      return { tone, sign: SIGN[tone], word: times ? 'Slower' : 'Worse' };
    }
    case 'faster':
      return { tone: 'better', sign: SIGN.better, word: times ? 'Faster' : 'Better' };
    case 'same':
      return { tone: 'same', sign: SIGN.same, word: 'The same' };
    case 'invalid':
      return { tone: 'invalid', sign: SIGN.invalid, word: 'Not valid' };
    default:
      return {
        tone: 'unsure',
        sign: SIGN.unsure,
        word: result.comparisons.some(({ difference }) => difference) ? 'Undecided' : 'Not compared',
      };
  }
}

/** Is a gate's sentence part of the answer of the whole comparison, which comes first? */
export function isInAnswer({ decision, comparisons, shard }: CompareReport['result'], gate: MetricComparison): boolean {
  return shard === undefined && decision !== 'invalid' && namedGates(decision, comparisons).includes(gate);
}

/** What stands above the differences of the pages, and whether they are more than other background traffic. */
export function differencesInWords({ pageDifferences }: Pick<CompareReport['result'], 'pageDifferences'>): {
  readonly heading: string;
  readonly grave: boolean;
} {
  const grave = pageDifferences.some(({ code }) => code !== 'background');
  return { heading: grave ? 'The two pages are not the same page' : 'The two pages differ in their traffic', grave };
}

/** A difference on the scale of its interval: "+3.9%", "−12 ms". */
function onScale(value: number, difference: Difference, unit: Unit): string {
  if (difference.relative !== undefined) return formatChange(value);
  const written = formatValue(value, unit);
  return value > 0 && /[1-9]/.test(written) ? `+${written}` : written;
}

/** How much the candidate differs: "+3.9%", "−12 ms"; "–" where nothing could be compared. */
export function changeText({ difference, unit }: Pick<MetricComparison, 'difference' | 'unit'>): string {
  return difference === undefined ? ABSENT : onScale(estimateOf(difference), difference, unit);
}

/**
 * The same in a table, beside the medians: "−1.2% (paired)" where these go the other way, because they do not know which
 * loads belong together.
 */
export function changeCell(comparison: Pick<MetricComparison, 'base' | 'candidate' | 'difference' | 'unit'>): string {
  return `${changeText(comparison)}${mediansContradict(comparison) ? ' (paired)' : ''}`;
}

/** Do the medians go the other way than the change, as both are written? */
function mediansContradict({
  base,
  candidate,
  difference,
  unit,
}: Pick<MetricComparison, 'base' | 'candidate' | 'difference' | 'unit'>): boolean {
  if (difference === undefined || base.median === undefined || candidate.median === undefined) return false;
  const isOther = (candidate.median - base.median) * estimateOf(difference) < 0;
  return isOther && formatValue(base.median, unit) !== formatValue(candidate.median, unit);
}

/** Where the medians give another change than the estimate, they do not add up for a reader: from here on, as a share. */
const APART = 0.01;

/**
 * The change from median to median, where it does not read like the estimated change: "+24%" beside "+21%". Undefined
 * where both are about the same, or where there is nothing to compare.
 */
export function mediansApart(comparison: MetricComparison): string | undefined {
  const { base, candidate, difference, unit } = comparison;
  if (difference === undefined || base.median === undefined || candidate.median === undefined) return undefined;
  const by = candidate.median - base.median;
  const change = difference.relative === undefined || base.median === 0 ? undefined : by / base.median;
  const written = change === undefined ? onScale(by, difference, unit) : formatChange(change);
  const estimate = change === undefined ? difference.absolute : (difference.relative ?? 0);
  const apart =
    change === undefined ? Math.abs(by - estimate) > Math.abs(estimate) * APART : Math.abs(change - estimate) > APART;
  const differs = apart || mediansContradict(comparison);
  return differs && written !== changeText({ difference, unit }) ? written : undefined;
}

/** What {@link mediansApart} means for a reader, where a figure of the comparison needs it. */
export function mediansNote(comparisons: readonly MetricComparison[]): string | undefined {
  return comparisons.every((each) => mediansApart(each) === undefined)
    ? undefined
    : 'The change is paired: the typical difference of two loads made side by side (Hodges–Lehmann). It can differ from that of the medians, which ignore the pairing.';
}

/** What stands for an interval without ends. */
export const UNBOUNDED = 'unbounded';

/** The interval of the change: "+2.1% to +5.1%", "unbounded", "+2.1% or more". */
export function changeInterval({ difference, unit }: Pick<MetricComparison, 'difference' | 'unit'>): string {
  if (difference === undefined) return ABSENT;
  const { low, high } = difference;
  if (low === undefined && high === undefined) return UNBOUNDED;
  if (high === undefined) return low === undefined ? ABSENT : `${onScale(low, difference, unit)} or more`;
  if (low === undefined) return `${onScale(high, difference, unit)} or less`;
  const [from, to] = [onScale(low, difference, unit), onScale(high, difference, unit)];
  return from === to ? to : `${from} to ${to}`;
}

/** The smallest effect of interest as a reader would say it: "±5%", "±10 ms". */
export function minEffectText({ difference, unit }: Pick<MetricComparison, 'difference' | 'unit'>): string {
  if (difference === undefined) return ABSENT;
  const { up } = difference.minEffect;
  return `±${difference.relative === undefined ? formatValue(up, unit) : formatChosenShare(up)}`;
}

/**
 * The smallest effect of interest of several metrics at once: the least of a gate, and where a short time has a wider
 * one, why: "±5% (or 10 ms, 17 ms for paints, where that is more)".
 */
export function minEffectsText({
  result: { comparisons },
  columns,
}: {
  readonly result: Pick<CompareReport['result'], 'comparisons'>;
  readonly columns: CompareReport['columns'];
}): string | undefined {
  const gates = comparisons.filter((each) => each.gate && each.difference !== undefined);
  // Where a floor is more than the share, it is told as one.
  const [gate] = gates.toSorted((a, b) => (a.difference?.minEffect.up ?? 0) - (b.difference?.minEffect.up ?? 0));
  if (gate?.difference === undefined) return undefined;
  const { relative, minEffect } = gate.difference;
  const paints = new Set<string>(columns.flatMap(({ name, isPaint }) => (isPaint === true ? [name] : [])));
  const floorOf = (isPaint: boolean): string | undefined => {
    const widened = comparisons.find(
      ({ metric, unit, difference }) =>
        paints.has(metric) === isPaint &&
        unit === 'ms' &&
        difference?.relative !== undefined &&
        difference.minEffect.up > minEffect.up,
    );
    return widened?.difference && formatValue(widened.difference.minEffect.up * (widened.base.median ?? 0), 'ms');
  };
  const [floor, ofPaints] = relative === undefined ? [] : [floorOf(false), floorOf(true)];
  const floors = [
    ...(floor === undefined ? [] : [floor]),
    ...(ofPaints === undefined || ofPaints === floor ? [] : [`${ofPaints} for paints`]),
  ];
  // On a page of which all times are short, the floor is all that there is.
  const own = formatValue(minEffect.up * (gate.base.median ?? 0), 'ms');
  if (floor !== undefined && own === floor) {
    return `±${floor}${floors.length > 1 ? ` (${floors.slice(1).join(', ')})` : ''}`;
  }
  if (ofPaints !== undefined && own === ofPaints) {
    return `±${ofPaints}${floor === undefined ? '' : ` (${floor} for what is not painted)`}`;
  }
  const text = minEffectText(gate);
  return floors.length === 0 ? text : `${text} (or ${floors.join(', ')}, where that is more)`;
}

/** How much of such intervals hold the true change: "97.5%". */
export function coverage(level: number): string {
  return formatLevel(level, 1);
}

/** An axis of intervals reaches this many smallest effects of interest to either side, at least. */
const NEAR = 2;

/**
 * How far the axis of several intervals reaches to either side, in smallest effects of interest, `far` of them at most;
 * metrics that share it can be compared.
 */
export function reachOf(differences: readonly Difference[], far: number): number {
  const ends = differences.flatMap((difference) => {
    const { low, high, minEffect } = difference;
    const unit = Math.max(Math.abs(minEffect.up), Math.abs(minEffect.down));
    return unit > 0 ? [low, high, estimateOf(difference)].map((end) => Math.abs(end ?? 0) / unit) : [];
  });
  return Math.min(far, Math.max(NEAR, ...ends) * 1.05);
}

/** A run of a comparison that has its place in a block. */
export type Placed = RunResult & Pick<PlacedRun, 'build' | 'block' | 'order'>;

/** Every timed load of both builds, in the order in which they were made. */
export function placedRuns({ base, candidate }: CompareReport): readonly Placed[] {
  const placed = (runs: readonly RunResult[], own: Build): readonly Placed[] =>
    runs.flatMap((run) =>
      run.role === 'timed' && run.block !== undefined && run.order !== undefined
        ? [{ ...run, build: run.build ?? own, block: run.block, order: run.order }]
        : [],
    );
  return [...placed(base.result.runs, 'base'), ...placed(candidate.result.runs, 'candidate')].sort(
    (a, b) => a.block - b.block || a.order - b.order,
  );
}

/** Loads of one build that failed, those that were tried again too, with the reasons, each once: as `pageDifferencesOf` counts. */
export function failuresOf(
  report: CompareReport,
  build: Build,
): { readonly failed: number; readonly of: number; readonly reasons: readonly string[] } {
  const runs = report[build].result.runs.filter((run) => run.role !== 'ablation');
  const reasons = runs.filter((run) => !run.ok).map((run) => run.failure?.message ?? NO_REASON);
  const of = runs.reduce((sum, { attempts = 1 }) => sum + attempts, 0);
  return { failed: of - runs.filter((run) => run.ok).length, of, reasons: [...new Set(reasons)] };
}

/** The same, a sentence for each build of which loads failed, unless its reasons are not put into words. */
export function failuresInWords(
  report: CompareReport,
  reasonsInWords: (reasons: readonly string[]) => string | undefined,
): readonly string[] {
  return BUILDS.flatMap((build) => {
    const { failed, of, reasons } = failuresOf(report, build);
    const why = reasonsInWords(reasons);
    if (failed === 0 || why === undefined) return [];
    return `${BUILD_NAMES[build]} failed in ${failed} of ${formatCount(of, 'load')}${why === '' ? '' : `: ${why}`}`;
  });
}

/** True when anything but time differs between the builds. */
export function anythingChanged({ result }: CompareReport): boolean {
  const { added, removed, grown, shrunk, bytes, thirdParties, findings } = result.changes;
  return (
    [added, removed, grown, shrunk, thirdParties.added, thirdParties.removed, findings.added, findings.removed].some(
      (list) => list.length > 0,
    ) || bytes.some(({ base, candidate }) => base !== candidate)
  );
}

/** A size before and after: "96 kB → 168 kB (+72 kB)". */
export function sizeChange(base: number, candidate: number): string {
  const by = candidate - base;
  const change = by === 0 ? 'no change' : `${by > 0 ? '+' : ''}${formatValue(by, 'bytes')}`;
  return `${formatValue(base, 'bytes')} → ${formatValue(candidate, 'bytes')} (${change})`;
}

/** The size of a request that changed, before and after where both builds have it. */
export function requestSize({ base, candidate }: RequestChange): string {
  if (base !== undefined && candidate !== undefined) return sizeChange(base.transferSize, candidate.transferSize);
  return formatValue((candidate ?? base)?.transferSize, 'bytes');
}

/** The name of a build at the start of a sentence. */
const BUILD_NAMES: PerBuild<string> = { base: 'The base', candidate: 'The candidate' };
