import path from 'node:path';
import { markerOf } from '../../core/github/marker.ts';
import type { ComparePagesResult, CompareResult } from '../../model/compare/comparison.ts';
import type { AuditReport, ComparePagesReport, CompareReport } from '../../model/result/report.ts';
import type { AuditResult } from '../../model/result/result.ts';
import type { FailOn } from '../../model/settings.ts';
import { type Annotation, annotationsOf } from '../../reporters/github/annotations.ts';
import { type Links, shareSummary, withLinks } from '../../reporters/github/comment.ts';
import { renderAuditMarkdown } from '../../reporters/markdown/audit.ts';
import { renderComparedPagesMarkdown, renderComparisonMarkdown } from '../../reporters/markdown/compare.ts';
import { failOnOfAudit, fails } from '../../result/fail-on.ts';
import { decisionOf, pageCompleteDifference, wasMeasured } from '../../result/outcome.ts';
import type { ResolvedGithub } from '../../settings/resolved.ts';
import { fileInside } from '../../shell/disk/stored-file.ts';
import { resultFileOf } from '../../shell/disk/stored-results.ts';
import { type Clock, GithubClient } from '../../shell/github/client.ts';
import { type GithubEnvironment, readGithubEnvironment } from '../../shell/github/github-environment.ts';
import { appendOutputs, appendSummary } from '../../shell/github/job-files.ts';
import { pullRequestOf } from '../../shell/github/pull-request.ts';
import { upsertComment } from '../../shell/github/sticky-comment.ts';
import { EXIT, type MessageCode, QuiesceError } from '../../wording/messages/messages.ts';
import { pagesOfShard } from '../../wording/result/outcome.ts';
import { brokenProblems, failsJob } from '../audit/audit-exit.ts';
import { perBuild } from '../compare/builds.ts';
import { resultOfPage } from '../compare/compare-pages-result.ts';
import { budgetProblems } from '../engine/budgets.ts';
import { auditReport, columnsFor, targetReport } from '../engine/reports/report-model.ts';
import { readComplete } from '../engine/result/stored-result.ts';
import { withBrokenResultError } from '../report/report.ts';

/** What a caller of `github` may hook into. */
export interface GithubHooks {
  readonly signal?: AbortSignal;
  /** The time, and how it passes; the machine's when absent. */
  readonly clock?: Clock;
}

/** What was reported to GitHub of a result, or would have been. */
export interface GithubOutcome {
  /** A comparison's decision; of an audit the worst that is said of a page: 'complete', 'partly', 'never' … */
  readonly decision: string;
  /** How much later page complete is in the candidate, as a share of the base. */
  readonly pageCompleteDifference?: number;
  /** Absolute; absent where there is no page beside the result. */
  readonly reportPath?: string;
  /** Absolute. */
  readonly resultPath: string;
  readonly commentUrl?: string;
  /** The summary of the job, in Markdown. */
  readonly summary: string;
  /** What was put beside the job, or should be. */
  readonly annotations: readonly Annotation[];
  /** One line for everything that was not done, and why. */
  readonly notes: readonly string[];
  /** True inside a job on GitHub. */
  readonly isJob: boolean;
  /** True when the summary was written to where the job has it. */
  readonly isSummaryWritten: boolean;
  /** 0 · 1 when a gate or a budget fails the job · 3 when what was to be measured was not. */
  readonly exit: number;
}

/** Source: the limit of GitHub for the body of a comment, which it answers with HTTP 422. */
const LONGEST_COMMENT = 65_536;
/**
 * Letters of a summary. Source: GitHub's runner leaves out what is longer than 1 MiB (CreateStepSummaryCommand); a letter
 * takes three bytes at most.
 */
const LONGEST_SUMMARY = Math.floor((1024 * 1024) / 3) - 1;
/** Reasons that are no fault: the summary of the job says it all. */
const EXPECTED: readonly (MessageCode | undefined)[] = ['github-read-only', 'github-no-token'];

/**
 * Reports a stored result to GitHub: the summary of the job, the outputs of the step, and one comment on the pull
 * request, which is kept up to date. What cannot be reported is a note and fails nothing. Rejects with a `QuiesceError`
 * when the result cannot be read.
 */
export async function github(settings: ResolvedGithub, hooks: GithubHooks = {}): Promise<GithubOutcome> {
  const environment = await readGithubEnvironment(settings.env);
  const resultPath = path.resolve(await resultFileOf(settings.result));
  const result = await readComplete({ name: settings.result, path: resultPath });
  const signal = hooks.signal ?? new AbortController().signal;
  const { summary, annotations, decision, difference, exit } = await withBrokenResultError(
    { name: settings.result, signal },
    async () => conclusionsOf(result, settings.failOn),
  );
  const links = linksOf(result, settings, environment);
  const reportPath = await fileInside(path.dirname(resultPath), 'index.html');
  const failures: Failures = { notes: [], annotations: [] };
  const linked = (most: number): string => withLinks(summary, links, settings.commentKey, most);
  const whole = linked(LONGEST_SUMMARY);
  // Before GitHub is waited for: a job may be ended meanwhile.
  const isSummaryWritten = await tryWrite(environment.summaryFile, failures, (file) => appendSummary(file, whole));
  const commentUrl = await writeComment(result, linked, settings, environment, hooks, failures);
  const outcome = {
    decision,
    resultPath,
    pageCompleteDifference: difference,
    reportPath,
    commentUrl,
  };
  await tryWrite(environment.outputFile, failures, (file) => appendOutputs(file, outputsOf(outcome)));
  return {
    ...outcome,
    summary: whole,
    annotations: [...annotations, ...failures.annotations],
    notes: failures.notes,
    isJob: environment.isJob,
    isSummaryWritten,
    exit,
  };
}

/** What a result says, in words and as an exit code. */
function conclusionsOf(result: StoredResult, asked: FailOn) {
  const report = reportOf(result);
  const failOn = result.kind === 'audit' ? failOnOfAudit(asked, result.settings) : asked;
  return {
    summary: summaryOf(report),
    annotations: annotationsOf(report, failOn),
    decision: decisionOf(result),
    difference: pageCompleteDifference(result),
    exit: exitOf(result, failOn),
  };
}

/** What could not be done, and why: that fails nothing. */
interface Failures {
  readonly notes: string[];
  readonly annotations: Annotation[];
}

/** What reporters receive of a stored result. */
export function reportOf(result: StoredResult): AuditReport | ComparePagesReport | CompareReport {
  if (result.kind !== 'compare') return auditReport(result, []);
  if ('targets' in result) {
    const compared = result.targets.map((page) => comparisonReport(resultOfPage(result, page)));
    return {
      result,
      columns: columnsFor(result.targets.flatMap(({ base, candidate }) => [base, candidate])),
      compared,
    };
  }
  return comparisonReport(result);
}

type StoredResult = AuditResult | ComparePagesResult | CompareResult;

function comparisonReport(result: CompareResult): CompareReport {
  return {
    result,
    columns: columnsFor([result.base, result.candidate]),
    ...perBuild((build) => targetReport(result[build], [])),
  };
}

/** The summary of the job, in Markdown. */
function summaryOf(report: AuditReport | ComparePagesReport | CompareReport): string {
  if ('compared' in report) return renderComparedPagesMarkdown(report);
  const { shard } = report.result;
  if ('base' in report) {
    return shard ? shareSummary(shard, report.result.sentence) : renderComparisonMarkdown(report);
  }
  return shard ? shareSummary(shard, pagesOfShard(shard, report.targets)) : renderAuditMarkdown(report);
}

/**
 * The exit code of the job that reports to GitHub. Undecided is no failure there: it warns. What is to be made of a shard is for
 * whoever joins them.
 */
export function exitOf(result: StoredResult, failOn: FailOn): number {
  if (!wasMeasured(result)) return EXIT.unmeasured;
  if (result.kind === 'compare' && 'targets' in result) {
    const compared = result.targets.filter(({ leftOut }) => leftOut === undefined);
    return Math.max(EXIT.ok, ...compared.map((page) => exitOf(resultOfPage(result, page), failOn)));
  }
  if (result.shard !== undefined) return EXIT.ok;
  const targets = result.kind === 'compare' ? [result.candidate] : result.targets;
  const problems = targets.flatMap((target) => [...brokenProblems(target, failOn), ...budgetProblems(target)]);
  const gates = result.kind === 'compare' && result.decision !== 'invalid' ? result.failedGates : [];
  const isGateFailed = gates.length > 0 && fails('gate', failOn);
  return isGateFailed || failsJob(problems, failOn) ? EXIT.gate : EXIT.ok;
}

/** Where a reader goes from here. What was measured is said by GitHub where it knows: results of forks say what they like. */
function linksOf(result: StoredResult, settings: ResolvedGithub, environment: GithubEnvironment): Links {
  const { event, repositoryUrl, runUrl } = environment;
  const known = event?.pull_request?.head.sha ?? event?.workflow_run?.head_sha;
  const hash = known ?? result.source?.commit;
  const url = known !== undefined && repositoryUrl !== undefined ? `${repositoryUrl}/commit/${known}` : undefined;
  return {
    report: settings.reportUrl ?? (event?.workflow_run && runUrl !== undefined ? `${runUrl}#artifacts` : undefined),
    run: runUrl,
    ...(hash !== undefined && { commit: { hash, url } }),
  };
}

/**
 * Writes the comment, or updates it, and gives its address; undefined where there is none.
 *
 * @param text what it says in so many letters at most
 */
async function writeComment(
  result: StoredResult,
  text: (most: number) => string,
  settings: ResolvedGithub,
  environment: GithubEnvironment,
  { signal = new AbortController().signal, clock }: GithubHooks,
  failures: Failures,
): Promise<string | undefined> {
  // Of a shard there is nothing to report yet.
  if (!settings.comment || result.shard !== undefined) return undefined;
  const { token, repository, apiUrl, event } = environment;
  const named = settings.pull !== undefined || event?.pull_request !== undefined || event?.workflow_run !== undefined;
  // A user who tries it at home did not ask for a comment.
  if (!environment.isJob && !named) return undefined;
  try {
    if (token === undefined && named) throw new QuiesceError('github-no-token');
    if (repository === undefined) throw new QuiesceError('github-no-repository');
    const client = new GithubClient({ apiUrl, token: token ?? '', signal, clock });
    const pull = settings.pull ?? (await pullRequestOf(environment, repository, client));
    const marker = `${markerOf(settings.commentKey)}\n`;
    const body = `${marker}${text(LONGEST_COMMENT - marker.length)}`;
    return await upsertComment(client, { repository, pull, key: settings.commentKey }, body);
  } catch (error) {
    return void addFailure(error, failures);
  }
}

/** Takes an expected failure; anything else is a bug and is thrown on. */
function addFailure(error: unknown, { notes, annotations }: Failures): void {
  if (!(error instanceof QuiesceError)) throw error;
  notes.push(error.message);
  // That a push has no pull request is no news beside each job.
  if (error.code === 'github-no-pull') return;
  const kind = EXPECTED.includes(error.code) ? 'notice' : 'warning';
  annotations.push({ kind, title: 'Quiesce', message: error.message });
}

/** True when it was written. */
async function tryWrite(
  file: string | undefined,
  failures: Failures,
  write: (file: string) => Promise<void>,
): Promise<boolean> {
  if (file === undefined) return false;
  try {
    await write(file);
    return true;
  } catch (error) {
    addFailure(error, failures);
    return false;
  }
}

/** Names are part of the contract of the action; what is not known is empty. */
function outputsOf(
  outcome: Pick<GithubOutcome, 'decision' | 'pageCompleteDifference' | 'reportPath' | 'resultPath' | 'commentUrl'>,
): Readonly<Record<string, string>> {
  return {
    decision: outcome.decision,
    // Four figures: as many as the interval is worth.
    'page-complete-difference': outcome.pageCompleteDifference?.toFixed(4) ?? '',
    'report-path': outcome.reportPath ?? '',
    'result-path': outcome.resultPath,
    'comment-url': outcome.commentUrl ?? '',
  };
}
