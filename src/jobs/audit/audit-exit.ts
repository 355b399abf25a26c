import { isCounted } from '../../core/counted-runs.ts';
import { isDisturbed } from '../../core/path/stolen-time.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { FailOn } from '../../model/settings.ts';
import type { Ms } from '../../model/units.ts';
import { fails } from '../../result/fail-on.ts';
import { openRun } from '../../result/representative.ts';
import { whileWaiting } from '../../wording/completion/waiting-for.ts';
import { healthLine } from '../../wording/health.ts';
import { unfitRunsInWords } from '../../wording/host/reasons.ts';
import { EXIT, exitFor, type MessageCode } from '../../wording/messages/messages.ts';
import { budgetProblems } from '../engine/budgets.ts';
import { missingMetricProblems } from '../engine/missing-metrics.ts';
import { type Problem, problem } from '../engine/problem.ts';

/**
 * What a reader must know before trusting the figures of a target.
 *
 * @param timeout how long a page was waited for
 * @param page the name before its budgets, where they could be another page's; its own name by default
 */
export function problemsOfTarget(
  target: TargetResult,
  timeout: Ms,
  failOn: FailOn,
  page = target.name,
): readonly Problem[] {
  const { runs, url, step, lighthouse } = target;
  const failed = runs.flatMap((run) =>
    run.failure ? [{ code: run.failure.code as MessageCode, message: run.failure.message }] : [],
  );
  const open = openRun(runs);
  const undecided: Problem[] = open
    ? [problem('never-complete', { url, step, timeout, detail: whileWaiting(open.pageComplete) })]
    : [];
  const inspected = (lighthouse?.runs ?? []).flatMap((run) =>
    run.failure ? [{ code: 'lighthouse-failed' as const, message: run.failure.message }] : [],
  );
  return [
    ...failed,
    ...undecided,
    ...inspected,
    ...hostProblems(target, page),
    ...brokenProblems(target, failOn, page),
    ...missingMetricProblems(target, page),
    ...budgetProblems(target, page),
  ];
}

/**
 * That the machine was busy in most of the runs that count, so that the median is a time of a busy machine. It holds all the
 * same where what was taken from the page is known, and made it no later.
 */
function hostProblems({ runs, summary }: TargetResult, page: string | undefined): readonly Problem[] {
  const counted = runs.filter(isCounted);
  const unfit = counted.flatMap(({ host }) => (host?.verdict === 'unfit' ? [host] : []));
  const { median, undisturbed } = summary.pageComplete ?? {};
  const holds = median !== undefined && undisturbed !== undefined && !isDisturbed(median, undisturbed.median);
  if (2 * unfit.length <= counted.length || holds) return [];
  const detail = unfitRunsInWords(unfit, counted.length);
  return [problem('host-unfit', { detail: page === undefined ? detail : `${page}: ${detail}` })];
}

/** That a page does not work, where that fails the job; its reports say so anyway. */
export function brokenProblems(target: TargetResult, failOn: FailOn, page?: string): readonly Problem[] {
  const line = fails('broken', failOn) ? healthLine(target) : undefined;
  if (line?.isBroken !== true) return [];
  return [problem('page-broken', { detail: page === undefined ? line.sentence : `${page}: ${line.sentence}` })];
}

/** What leaves an audit without an answer. */
const UNDECIDED: ReadonlySet<MessageCode> = new Set([
  'never-complete',
  'metric-missing',
  'budget-unknown',
  'host-unfit',
]);

/** What decides the exit code of an audit. */
export interface AuditEnd {
  readonly interrupted: boolean;
  /** Something that should have been measured was not. */
  readonly unmeasured: boolean;
  /** What went wrong with the job itself. */
  readonly own: readonly Problem[];
  /** That, and what is wrong with its targets. */
  readonly problems: readonly Problem[];
  readonly failOn: FailOn;
}

/** The exit code of an audit. */
export function exitOfAudit({ interrupted, unmeasured, own, problems, failOn }: AuditEnd): number {
  if (interrupted) return EXIT.interrupted;
  const exits = own.map(({ code }) => exitFor(code));
  if (exits.some((exit) => exit !== EXIT.ok)) return Math.max(...exits);
  if (unmeasured || problems.some(({ code }) => code === 'invalid-har')) return EXIT.unmeasured;
  if (failsJob(problems, failOn)) return EXIT.gate;
  return problems.some(({ code }) => UNDECIDED.has(code)) ? EXIT.undecided : EXIT.ok;
}

/** Is there a problem among these that is to fail the job? */
export function failsJob(problems: readonly Problem[], failOn: FailOn): boolean {
  return problems.some(({ code }) => (code === 'budget-failed' && fails('budget', failOn)) || code === 'page-broken');
}
