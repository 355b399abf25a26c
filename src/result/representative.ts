import { isCompleteRun, isCounted } from '../core/counted-runs.ts';
import { defined } from '../core/text/defined.ts';
import { middleBy } from '../core/time/median.ts';
import { BUILDS } from '../model/compare/build.ts';
import type { CompareResult, MetricComparison } from '../model/compare/comparison.ts';
import type { MetricColumn, TargetReport } from '../model/result/report.ts';
import type { PageCompleteResult, RunResult, TargetResult } from '../model/result/result.ts';

/**
 * The run that stands for the page: of those that count, the one in the middle by page-complete; where the page was
 * complete in none, the one that says the worst. Undefined when no run counts.
 */
export function representativeRun(runs: readonly RunResult[]): RunResult | undefined {
  const complete = runs.filter((run) => isCounted(run) && isCompleteRun(run));
  return middleBy(complete, ({ pageComplete }) => pageComplete?.at ?? 0) ?? openRun(runs);
}

/** Of the runs that count and in which the page was not complete: the first in which it never was, else the first. */
export function openRun(runs: readonly RunResult[]): RunResult | undefined {
  const open = runs.filter((run) => isCounted(run) && run.pageComplete !== undefined && !isCompleteRun(run));
  return open.find(({ pageComplete }) => pageComplete?.state === 'never') ?? open[0];
}

/** The answer that stands for a target, when there is one. */
export function answerOf({ representative }: TargetReport): PageCompleteResult | undefined {
  return representative?.pageComplete;
}

/**
 * The run whose network idle is shown: the one that stands for the page or, where that was not watched for long enough to know
 * it, the first of those that count and were; where none was, the evidence run, which watched longest, if background kept it
 * waiting there: for some time, or for ever.
 */
export function idleRun(runs: readonly RunResult[], representative: RunResult | undefined): RunResult | undefined {
  if (representative?.pageComplete?.raw.state !== 'unconfirmed') return representative;
  const knows = (run: RunResult): boolean =>
    isCounted(run) && isCompleteRun(run) && run.pageComplete?.raw.state !== 'unconfirmed';
  const isDelayed = ({ role, ok, pageComplete }: RunResult): boolean => {
    if (role !== 'evidence' || !ok || pageComplete?.state !== 'complete') return false;
    const { at = 0, raw } = pageComplete;
    return raw.state === 'never' || (raw.state === 'complete' && raw.at !== undefined && raw.at - at >= ALIKE_MS);
  };
  return runs.find(knows) ?? runs.find(isDelayed) ?? representative;
}

/** Network idle of a run as that of its page: as much before or after page complete, ms. */
export function idleOnPage({ at = 0, raw }: PageCompleteResult, pageComplete: number | undefined): number | undefined {
  return raw.at === undefined ? undefined : raw.at + ((pageComplete ?? at) - at);
}

/** The answer that has network idle's. */
export function idleAnswerOf({ representative, result }: TargetReport): PageCompleteResult | undefined {
  return idleRun(result.runs, representative)?.pageComplete;
}

/** Times closer than this read the same: half of the last digit that a time in seconds is written with, ms. */
const ALIKE_MS = 5;

/** Do two times read the same, ms? */
export const isAlike = (a: number, b: number): boolean => Math.abs(a - b) < ALIKE_MS;

/** Does network idle say the same as page complete, so that nobody needs to know of it? */
export function isIdleAlike(target: TargetReport): boolean {
  const { at, raw } = idleAnswerOf(target) ?? {};
  return at !== undefined && raw?.state === 'complete' && raw.at !== undefined && isAlike(raw.at, at);
}

/**
 * When the page was mostly complete, ms; undefined where nothing follows that a reader could tell from it. It is the headline
 * then, and page complete stands beside it: gates and budgets keep to page complete.
 */
export function mostlyComplete({ summary }: Pick<TargetResult, 'summary'>): number | undefined {
  const { pageComplete: whole, mostlyComplete: mostly } = summary;
  return whole === undefined || mostly === undefined || isAlike(whole.median, mostly.median)
    ? undefined
    : mostly.median;
}

/**
 * What the headline of a comparison says before its gates, which keep to page complete: mostly complete, where small parts
 * follow in either build. Undefined where the gates say it all.
 */
export function comparedHeadline(
  result: Pick<CompareResult, 'base' | 'candidate' | 'comparisons'>,
): MetricComparison | undefined {
  const { comparisons } = result;
  const isGate = comparisons.some(({ metric, gate }) => gate && metric === 'pageComplete');
  if (!isGate || BUILDS.every((build) => mostlyComplete(result[build]) === undefined)) return undefined;
  return comparisons.find(({ metric }) => metric === 'mostlyComplete');
}

/** The metrics that a reader of a page sees: mostly complete among the first where small parts follow, else not at all. */
export function shownColumns(
  columns: readonly MetricColumn[],
  result: Pick<TargetResult, 'summary'>,
): readonly MetricColumn[] {
  const isApart = mostlyComplete(result) !== undefined;
  return columns.flatMap((column) =>
    column.name !== 'mostlyComplete' ? [column] : isApart ? [{ ...column, headline: true }] : [],
  );
}

/** The time of the headline, when there is one: mostly complete where small parts follow, else page complete. */
export function headlineComplete(target: TargetReport): number | undefined {
  const mostly = mostlyComplete(target.result);
  if (mostly !== undefined) return mostly;
  const answer = answerOf(target);
  return target.result.summary.pageComplete?.median ?? (answer?.state === 'complete' ? answer.at : undefined);
}

/**
 * Network idle of the page. Few runs are watched for long enough to know it. Where one of them says the same as its own page
 * complete, so does the page.
 */
export function networkIdleOf(target: TargetReport): PageCompleteResult['raw'] | undefined {
  const answer = idleAnswerOf(target);
  if (answer === undefined) return undefined;
  const complete = headlineComplete(target);
  if (complete !== undefined && isIdleAlike(target)) return { ...answer.raw, at: complete };
  return { ...answer.raw, ...defined({ at: idleOnPage(answer, complete) }) };
}

/** What a run stands for: with an even number of runs the median lies between two, and one of them stands for it. */
export function standingOf(target: TargetReport, run: RunResult | undefined): 'median run' | 'middle run' | undefined {
  if (run === undefined || run.index !== target.representative?.index || !isCompleteRun(run)) return undefined;
  return run.pageComplete?.at === target.result.summary.pageComplete?.median ? 'median run' : 'middle run';
}
