import type { Milestone, TargetReport } from '../model/report.ts';
import type {
  BackgroundEndpoint,
  Finding,
  MetricSummary,
  PageCompleteResult,
  RunResult,
  RunRole,
} from '../model/result.ts';
import { ABSENT, formatLevel, formatValue } from './format.ts';
import { pagesWithSteps, type Ranked } from './pages.ts';

/** A finding with the runs that show it. */
export interface SharedFinding {
  readonly code: string;
  readonly message: string;
  /** The addresses of the run that words it. */
  readonly urls: readonly string[];
  /** The timed runs that show it, by index. */
  readonly runs: readonly number[];
  /** The roles of the untimed runs that show it. */
  readonly untimed: readonly RunRole[];
}

/** The code of findings that say what the answer would have needed and the recording does not hold. */
const EVIDENCE_MISSING = 'evidence-missing';

/** The answer that stands for a target, when there is one. */
export function answerOf(target: TargetReport): PageCompleteResult | undefined {
  return (target.representative ?? measuredRuns(target)[0])?.pageComplete;
}

/** What an answer that is not given would have needed: nothing of a target whose answer is known. */
export function missingEvidence(target: TargetReport): readonly string[] {
  if (answerOf(target)?.state === 'complete') return [];
  return findingsOf(target).flatMap(({ code, message }) => (code === EVIDENCE_MISSING ? [message] : []));
}

/** What a step did to the page: nothing is wrong with that. Source: shell/chrome/step.ts. */
const NAVIGATIONS: ReadonlySet<string> = new Set(['soft-navigation', 'hard-navigation']);

/** What an audit says of a page. */
export type Outcome = 'unmeasured' | 'never' | 'unconfirmed' | 'partly' | 'complete';

/** The worst first. */
export const OUTCOMES: readonly Outcome[] = ['unmeasured', 'never', 'unconfirmed', 'partly', 'complete'];

/** Was the page complete in this run? */
export const isCompleteRun = (run: RunResult): boolean => run.pageComplete?.state === 'complete';

/** The answer in a word; `partly` of a page that was not complete in every run. */
export function outcomeOf(target: TargetReport): Outcome {
  const answer = answerOf(target);
  if (answer === undefined) return 'unmeasured';
  if (answer.state !== 'complete') return answer.state;
  return measuredRuns(target).every(isCompleteRun) ? 'complete' : 'partly';
}

/** The outcomes that there are, the worst first, and how many targets have each. */
export function outcomesOf(
  targets: readonly TargetReport[],
): readonly { readonly outcome: Outcome; readonly count: number }[] {
  const counts = new Map<Outcome, number>();
  for (const outcome of targets.map(outcomeOf)) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return OUTCOMES.flatMap((outcome) => {
    const count = counts.get(outcome);
    return count === undefined ? [] : [{ outcome, count }];
  });
}

/** "never complete", of any number of pages. */
export function outcomeInGeneral(outcome: Outcome, analysis: boolean): string {
  const words: Readonly<Record<Outcome, string>> = {
    unmeasured: analysis ? 'not analysed' : 'not measured',
    never: 'never complete',
    unconfirmed: 'not confirmed',
    partly: 'not complete in every run',
    complete: 'complete',
  };
  return words[outcome];
}

/** "1 not measured, 1 never complete, 3 complete; the slowest at 2.10 s." */
export function tallyInWords(targets: readonly TargetReport[], analysis: boolean): string {
  const tally = outcomesOf(targets).map(
    ({ outcome, count }) => `${formatValue(count, 'count')} ${outcomeInGeneral(outcome, analysis)}`,
  );
  const slowest = Math.max(...targets.flatMap((target) => headlineComplete(target) ?? []));
  return `${tally.join(', ')}${Number.isFinite(slowest) ? `; the slowest at ${formatValue(slowest, 'ms')}` : ''}.`;
}

/** What is told of a target besides its answer, a sentence each; of a step also where it led. */
export function notesOf(target: TargetReport): readonly string[] {
  const navigations = findingsOf(target).filter(({ code }) => NAVIGATIONS.has(code));
  return [...target.notes, ...navigations.map(({ message }) => message)];
}

/** The findings without those that `missingEvidence` and `notesOf` tell. */
export function otherFindings(target: TargetReport): readonly SharedFinding[] {
  const all = findingsOf(target).filter(({ code }) => !NAVIGATIONS.has(code));
  return answerOf(target)?.state === 'complete' ? all : all.filter(({ code }) => code !== EVIDENCE_MISSING);
}

const withoutFigures = (text: string): string => text.replace(/\d+/g, '0');

/** An address without what differs from load to load: ids and the values of parameters. */
const place = (url: string): string => withoutFigures(url.replace(/[?#].*$/s, ''));

/** Two runs differ in ids and figures: what a finding is about does not change with them. */
function aboutOf({ code, urls, message }: Finding): string {
  return JSON.stringify([code, urls.length > 0 ? [...new Set(urls.map(place))].sort() : withoutFigures(message)]);
}

/**
 * The findings of the timed runs and of the one that filmed the page, each once. The representative run words them. Two
 * findings of one run are never taken for the same.
 */
export function findingsOf(target: TargetReport): readonly SharedFinding[] {
  const stands = (run: RunResult): number => (run.index === target.representative?.index ? 0 : 1);
  const ordered = target.result.runs.toSorted((a, b) => stands(a) - stands(b));
  const found = new Map<
    string,
    { code: string; message: string; urls: readonly string[]; runs: number[]; untimed: RunRole[] }
  >();
  // A page with its suspects held back, and one in a browser that just began, are not the page a reader asked for.
  const seen = ordered.filter((run) => isTimed(run) || run.role === 'evidence');
  for (const run of [...seen.filter(isTimed), ...seen.filter((each) => !isTimed(each))]) {
    const told = new Map<string, number>();
    for (const finding of run.findings ?? []) {
      const about = aboutOf(finding);
      const nth = told.get(about) ?? 0;
      told.set(about, nth + 1);
      const key = `${about} ${nth}`;
      const known = found.get(key) ?? { ...finding, urls: [...new Set(finding.urls)], runs: [], untimed: [] };
      found.set(key, known);
      if (isTimed(run)) known.runs.push(run.index);
      else if (!known.untimed.includes(run.role)) known.untimed.push(run.role);
    }
  }
  return [...found.values()].map((finding) => ({
    ...finding,
    runs: finding.runs.toSorted((a, b) => a - b),
  }));
}

const isTimed = (run: RunResult): boolean => run.role === 'timed';

/** The runs that count. */
export function timedRuns(target: TargetReport): readonly RunResult[] {
  return target.result.runs.filter(isTimed);
}

/** The runs that never count: what filmed, held back or warmed up. */
export function untimedRuns(target: TargetReport): readonly RunResult[] {
  return target.result.runs.filter((run) => !isTimed(run));
}

/** The page-complete time of the headline, when there is one. */
export function headlineComplete(target: TargetReport): number | undefined {
  const { representative } = target;
  const of = representative?.pageComplete;
  return target.result.summary.pageComplete?.median ?? (of?.state === 'complete' ? of.at : undefined);
}

/** The endpoints that were left out, the dearest first, and those that were recognised and counted all the same. */
export function backgroundOf(target: TargetReport): {
  readonly left: readonly BackgroundEndpoint[];
  readonly counted: readonly BackgroundEndpoint[];
} {
  const { background } = target.result;
  return {
    left: background.filter((endpoint) => endpoint.excluded).toSorted((a, b) => weight(b) - weight(a)),
    counted: background.filter((endpoint) => !endpoint.excluded),
  };
}

/** How much an endpoint would have moved the answer: beyond all bounds, by an unknown span, by so many ms, or not. */
function weight({ cost, countedState }: BackgroundEndpoint): number {
  // Finite, or two endless ones would differ by NaN.
  if (countedState === 'never') return Number.MAX_VALUE;
  if (cost !== undefined) return Math.max(0, cost);
  return countedState === 'unconfirmed' ? Number.MAX_SAFE_INTEGER : 0;
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

/** A state without the guess that an unconfirmed one can have: "1.24 s", "never", "not confirmed". */
export function shortState(answer: Parameters<typeof stateInWords>[0]): string {
  return answer?.state === 'unconfirmed' ? 'not confirmed' : stateInWords(answer);
}

/** How well the runs, or the recordings, agree; of one there is nothing to say. */
export function agreementInWords(summary: MetricSummary | undefined, of: 'run' | 'recording' = 'run'): string {
  return summary?.agreement ?? (summary?.n === 1 ? `one ${of}` : ABSENT);
}

/** "94 % interval" as a suffix for an interval that exists, else nothing. */
export function levelInWords(summary: MetricSummary | undefined): string {
  return summary?.low === undefined || summary.level === undefined ? '' : formatLevel(summary.level);
}

/** Milestones in order of time. */
export function byTime(milestones: readonly Milestone[]): readonly Milestone[] {
  return milestones.toSorted((a, b) => a.at - b.at);
}

/**
 * Targets in the order in which one would look at them: without an answer first, then the slowest. The steps of a page
 * stand behind it in their own order, and it has the place of the worst of them all.
 */
export function worstFirst(targets: readonly TargetReport[]): readonly Ranked[] {
  return pagesWithSteps(targets)
    .map(({ page, steps }) => ({ all: [page, ...steps], index: page.index }))
    .map((each) => ({ ...each, rank: Math.max(...each.all.map(({ target }) => rankOf(target))) }))
    .sort((a, b) => b.rank - a.rank || a.index - b.index)
    .flatMap(({ all }) => all);
}

/** Not measured, never complete and not confirmed are worse than any time. */
function rankOf(target: TargetReport): number {
  const complete = headlineComplete(target);
  if (complete !== undefined) return complete;
  const state = answerOf(target)?.state;
  return state === undefined ? Number.MAX_VALUE : state === 'never' ? Number.MAX_VALUE / 2 : Number.MAX_VALUE / 4;
}

/** The first sentence of a text, and the rest of it. */
export function firstSentence(text: string): readonly [first: string, rest: string] {
  const end = /[.!?] (?=\p{Lu})/u.exec(text);
  return end === null ? [text, ''] : [text.slice(0, end.index + 1), text.slice(end.index + 2)];
}
