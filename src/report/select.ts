import type { Milestone, TargetReport } from '../model/report.ts';
import type { BackgroundEndpoint, MetricSummary, PageCompleteResult, RunResult } from '../model/result.ts';
import { ABSENT, formatLevel, formatValue } from './format.ts';

/** A finding with the runs that show it. */
export interface SharedFinding {
  readonly code: string;
  readonly message: string;
  readonly urls: readonly string[];
  readonly runs: readonly number[];
}

/**
 * The findings of all runs, each once. Figures in a message differ from run to run, so findings are the same when code
 * and addresses are; the representative run words them.
 */
export function findingsOf(target: TargetReport): readonly SharedFinding[] {
  const first = target.representative;
  const others = target.result.runs.filter((run) => run.index !== first?.index);
  const found = new Map<string, { code: string; message: string; urls: readonly string[]; runs: number[] }>();
  for (const run of first === undefined ? others : [first, ...others]) {
    for (const finding of run.findings ?? []) {
      const key = JSON.stringify([finding.code, finding.urls.length > 0 ? [...finding.urls].sort() : finding.message]);
      const seen = found.get(key);
      if (seen === undefined) found.set(key, { ...finding, runs: [run.index] });
      else if (!seen.runs.includes(run.index)) seen.runs.push(run.index);
    }
  }
  return [...found.values()].map((finding) => ({ ...finding, runs: finding.runs.toSorted((a, b) => a - b) }));
}

/** The runs that could not be measured, also those that do not count. */
export function failedRuns(target: TargetReport): readonly RunResult[] {
  return target.result.runs.filter((run) => !run.ok);
}

/** The timed runs that were measured. */
export function measuredRuns(target: TargetReport): readonly RunResult[] {
  return target.result.runs.filter((run) => run.ok && run.role === 'timed');
}

/** What a run stands for: with an even number of runs the median lies between two, and one of them stands for it. */
export function standingOf(target: TargetReport, run: RunResult | undefined): 'median run' | 'middle run' | undefined {
  if (run === undefined || run.index !== target.representative?.index || run.pageComplete?.state !== 'complete') {
    return undefined;
  }
  return run.pageComplete.at === target.result.summary.pageComplete?.median ? 'median run' : 'middle run';
}

/** A state with its time, in words: "1.24 s", "never", "not confirmed (7.90 s)". */
export function stateInWords(
  answer: Pick<PageCompleteResult, 'state' | 'at'> | PageCompleteResult['raw'] | undefined,
): string {
  if (answer === undefined) return ABSENT;
  const { state, at } = answer;
  if (state === 'never') return 'never';
  if (state === 'complete') return formatValue(at, 'ms');
  return at === undefined ? 'not confirmed' : `not confirmed (${formatValue(at, 'ms')})`;
}

/** What counting an endpoint would have done to page-complete: "+6.66 s", "never complete", "none". */
export function costInWords(endpoint: BackgroundEndpoint): string {
  if (endpoint.cost !== undefined) return endpoint.cost > 0 ? `+${formatValue(endpoint.cost, 'ms')}` : 'none';
  if (endpoint.countedState === 'never') return 'never complete';
  if (endpoint.countedState === 'unconfirmed') return 'not confirmed';
  return ABSENT;
}

/** How well the runs agree; of one run there is nothing to say. */
export function agreementInWords(summary: MetricSummary | undefined): string {
  return summary?.agreement ?? (summary?.n === 1 ? 'one run' : ABSENT);
}

/** "94 % interval" as a suffix for an interval that exists, else nothing. */
export function levelInWords(summary: MetricSummary | undefined): string {
  return summary?.low === undefined || summary.level === undefined ? '' : formatLevel(summary.level);
}

/** Milestones in order of time. */
export function byTime(milestones: readonly Milestone[]): readonly Milestone[] {
  return milestones.toSorted((a, b) => a.at - b.at);
}
